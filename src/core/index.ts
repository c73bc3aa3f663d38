/**
 * What tools are written with.
 *
 * @packageDocumentation
 */

import './form/field-meta.ts';

export * from './errors/branch-errors.ts';
export * from './errors/call-errors.ts';
export { type ErrorData, errorData } from './errors/data/error-data.ts';
export { errorFromData } from './errors/data/error-from-data.ts';
export * from './errors/definition-errors.ts';
export * from './errors/elicit-errors.ts';
export { type ErrorCode, isParleyError, ParleyError } from './errors/errors.ts';
export * from './errors/foreign-errors.ts';
export { GitError, type GitProblem } from './errors/git-error.ts';
export * from './errors/isolation-errors.ts';
export * from './errors/journal-errors.ts';
export * from './errors/sampling-errors.ts';
export * from './errors/session-errors.ts';
export type { AttachmentLimits } from './form/attached.ts';
export { type Attachment, type AttachmentOptions, attachment } from './form/attachment.ts';
export type * from './form/form-schema.ts';
export { type AsJson, json } from './form/json-field.ts';
export * from './messages/content.ts';
export type { Icon, ListedFacts } from './messages/icon.ts';
export type { JsonObject, JsonSchema, JsonValue } from './messages/json.ts';
export {
  type CarriedContext,
  type ContextCarrier,
  decodeModelContext,
  encodeModelContext,
  MODEL_CONTEXT_BOUNDARY,
  MODEL_CONTEXT_KEY,
} from './messages/model-context.ts';
export type { StopReason } from './messages/sample-answer.ts';
export type * from './page/elicit-page.ts';
export { isPlugin, isTool } from './plugin/guards.ts';
export { type HandledPluginBuilder, makePlugin, type PluginBuilder } from './plugin/make-plugin.ts';
export { type Offer, pluginOf, toolOf } from './plugin/offer.ts';
export type * from './plugin/plugin.ts';
export type { PropsOf, ResponseOf, View } from './plugin/view.ts';
export { view } from './plugin/view-handler.ts';
export type { InputOf, OutputOf, Schema } from './schema/schema.ts';
export type { Completer, CompletionContext } from './served/completion.ts';
export { createMcpPrompt } from './served/create-mcp-prompt.ts';
export { createMcpResource, createMcpResourceTemplate } from './served/create-mcp-resource.ts';
export type * from './served/prompt.ts';
export { createMcpRegistry, type McpRegistry, type Registry } from './served/registry.ts';
export type * from './served/resource.ts';
export type {
  ElicitAnswer,
  ElicitAskRequest,
  FormAskRequest,
  PageAskRequest,
  RootsAnswer,
  SampleAnswer,
  SampleAskRequest,
} from './tool/ask.ts';
export { type CanChoose, type ChooseOptions, choose } from './tool/choose.ts';
export { type CanAsk, confirm } from './tool/confirm.ts';
export {
  type BranchContext,
  type BranchOptions,
  type CalledPlugin,
  type CalledTool,
  type CallTool,
  type ClientCapabilities,
  type ElicitationModes,
  type GivenFields,
  LOG_LEVELS,
  type LogLevel,
  type MadeBy,
  type Progress,
  type ReportContext,
  type Root,
  type ToolCaller,
  type ToolContext,
} from './tool/context.ts';
export { createMcpTool } from './tool/create-mcp-tool.ts';
export type * from './tool/elicit.ts';
export type { AnsweredBy, ElicitRefusal, ElicitReply } from './tool/elicit-refusal.ts';
export * from './tool/sample.ts';
export type * from './tool/step.ts';
export type * from './tool/tool.ts';
export type { ToolBuilder } from './tool/tool-builder.ts';
export { callContext } from './world/call-context.ts';
export { type Clock, ClockContext, useClock } from './world/clock.ts';
export { type Ids, IdsContext, nextId } from './world/ids.ts';
