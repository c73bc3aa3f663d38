import type { Operation } from 'effection';
import type { Message } from '../core/messages/content.ts';
import type { JsonSchema } from '../core/messages/json.ts';
import type { SampleAnswer } from '../core/tool/ask.ts';
import type { ToolChoice } from '../core/tool/sample.ts';

/** A tool as the model sees it. */
export interface ChatToolSpec {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/** One turn of the model, or what a tool asks of it (`ctx.sample`): what is only in the latter is optional, and for models that know it. */
export interface ChatModelRequest {
  readonly messages: readonly Message[];
  readonly systemPrompt?: string;
  readonly tools: readonly ChatToolSpec[];
  /** Whether a tool is to be called: a tool that wants structured output has `__schema__` here, which is. */
  readonly toolChoice?: ToolChoice;
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
}

/**
 * The port to a model. `onText` is called with each piece of text as it arrives; the answer holds all of it again,
 * beside the tool calls. Halting the operation cancels the request.
 */
export interface ChatModel {
  respond(request: ChatModelRequest, onText: (text: string) => Operation<void>): Operation<SampleAnswer>;
}
