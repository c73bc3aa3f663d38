/** `parley-mcp`: what a tool author imports. */
export type { ElicitAnswer, ElicitAskRequest, RootsAnswer, SampleAnswer, SampleAskRequest } from './ask.ts';
export * from './branch-errors.ts';
export * from './call-errors.ts';
export { type Clock, ClockContext, useClock } from './clock.ts';
export type { Completer, CompletionContext } from './completion.ts';
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
export { createMcpPrompt } from './create-mcp-prompt.ts';
export { createMcpResource, createMcpResourceTemplate } from './create-mcp-resource.ts';
export { createMcpTool } from './create-mcp-tool.ts';
export * from './definition-errors.ts';
export type * from './elicit.ts';
export * from './elicit-errors.ts';
export { type ErrorData, errorData, errorFromData } from './error-data.ts';
export { type ErrorCode, isParleyError, ParleyError } from './errors.ts';
export type * from './form-schema.ts';
export { GitError, type GitProblem } from './git-error.ts';
export { isPlugin, isTool } from './guards.ts';
export { type Ids, IdsContext, nextId } from './ids.ts';
export * from './isolation-errors.ts';
export type { JsonObject, JsonSchema, JsonValue } from './json.ts';
export { type HandledPluginBuilder, makePlugin, type PluginBuilder } from './make-plugin.ts';
export {
  type CarriedContext,
  type ContextCarrier,
  decodeModelContext,
  encodeModelContext,
  MODEL_CONTEXT_BOUNDARY,
  MODEL_CONTEXT_KEY,
} from './model-context.ts';
export type * from './plugin.ts';
export type * from './prompt.ts';
export { createMcpRegistry, type McpRegistry, type Registry } from './registry.ts';
export type * from './resource.ts';
export * from './sample.ts';
export type { StopReason } from './sample-answer.ts';
export * from './sampling-errors.ts';
export type { InputOf, OutputOf, Schema } from './schema.ts';
export * from './session-errors.ts';
export type * from './tool.ts';
export type { ToolBuilder } from './tool-builder.ts';
export type { PropsOf, ResponseOf, View } from './view.ts';
