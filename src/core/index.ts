/** `parley-mcp`: what a tool author imports. */
export type { ElicitAnswer, SampleAnswer, SampleAskRequest } from './ask.ts';
export * from './content.ts';
export {
  type BranchContext,
  type BranchOptions,
  type ClientCapabilities,
  LOG_LEVELS,
  type LogLevel,
  type Progress,
  type ReportContext,
  type Root,
  type ToolContext,
} from './context.ts';
export { createMcpTool } from './create-mcp-tool.ts';
export * from './definition-errors.ts';
export type * from './elicit.ts';
export { type ErrorCode, isParleyError, ParleyError } from './errors.ts';
export type * from './form-schema.ts';
export { isPlugin, isTool } from './guards.ts';
export type { JsonObject, JsonSchema, JsonValue } from './json.ts';
export { type HandledPluginBuilder, makePlugin, type PluginBuilder } from './make-plugin.ts';
export type * from './plugin.ts';
export type * from './sample.ts';
export type { InputOf, OutputOf, Schema } from './schema.ts';
export type * from './tool.ts';
export type { ToolBuilder } from './tool-builder.ts';
export type { PropsOf, ResponseOf, View } from './view.ts';
