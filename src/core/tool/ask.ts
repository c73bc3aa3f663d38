import type { FormContent, FormJsonSchema } from '../form/form-schema.ts';
import type { Message } from '../messages/content.ts';
import type { JsonObject, JsonSchema } from '../messages/json.ts';
import type { Root } from './context.ts';
import type { ModelPreferences, ToolChoice } from './sample.ts';

export type { SampleAnswer } from '../messages/sample-answer.ts';

/** An elicitation as a client sees it: JSON throughout. */
export interface ElicitAskRequest {
  readonly message: string;
  readonly requestedSchema: FormJsonSchema;
  /** What the tool hands to a handler beside the schema; absent without context. */
  readonly context?: JsonObject;
}

/** A sampling as a client sees it: MCP's `CreateMessageRequest` parameters. */
export interface SampleAskRequest {
  readonly messages: readonly Message[];
  readonly systemPrompt?: string;
  readonly maxTokens: number;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  readonly modelPreferences?: ModelPreferences;
  readonly tools?: ReadonlyArray<{
    readonly name: string;
    readonly description?: string;
    readonly inputSchema: JsonSchema;
  }>;
  readonly toolChoice?: ToolChoice;
}

/** The answer to an elicitation. Source: MCP `ElicitResult`. */
export type ElicitAnswer<Content = FormContent> =
  | { readonly action: 'accept'; readonly content: Content }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

/** The answer to `roots/list`. */
export interface RootsAnswer {
  readonly roots: readonly Root[];
}
