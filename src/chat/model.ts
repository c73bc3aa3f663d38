import type { Operation } from 'effection';
import type { Message } from '../core/messages/content.ts';
import type { JsonSchema } from '../core/messages/json.ts';
import type { SampleAnswer } from '../core/tool/ask.ts';

/** A tool as the model sees it. */
export interface ChatToolSpec {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/** One turn of the model. */
export interface ChatModelRequest {
  readonly messages: readonly Message[];
  readonly systemPrompt?: string;
  readonly tools: readonly ChatToolSpec[];
}

/**
 * The port to a model. `onText` is called with each piece of text as it arrives; the answer holds all of it again,
 * beside the tool calls. Halting the operation cancels the request.
 */
export interface ChatModel {
  respond(request: ChatModelRequest, onText: (text: string) => Operation<void>): Operation<SampleAnswer>;
}
