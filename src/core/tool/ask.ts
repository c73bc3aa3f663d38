import type { FormContent, FormJsonSchema } from '../form/form-schema.ts';
import type { Message } from '../messages/content.ts';
import type { JsonObject, JsonSchema } from '../messages/json.ts';
import type { Root } from './context.ts';
import type { AnsweredBy } from './elicit-refusal.ts';
import type { ModelPreferences, ToolChoice } from './sample.ts';

export type { SampleAnswer } from '../messages/sample-answer.ts';

/** An elicitation as a client sees it: a form, or a page to open. JSON throughout. */
export type ElicitAskRequest = FormAskRequest | PageAskRequest;

/** A question with a form. */
export interface FormAskRequest {
  readonly mode?: never;
  readonly elicitationId?: never;
  readonly message: string;
  readonly requestedSchema: FormJsonSchema;
  /** What the tool hands to a handler beside the schema; absent without context. */
  readonly context?: JsonObject;
}

/** A page that the person is sent to. */
export interface PageAskRequest {
  readonly mode: 'url';
  readonly message: string;
  /** Plain ASCII: `https:`, or `http:` on this machine. */
  readonly url: string;
  /** The author's name for it; see `pageIdOf`. */
  readonly elicitationId?: string;
  readonly context?: never;
}

/** A sampling as a client sees it: MCP's `CreateMessageRequest` parameters. */
export interface SampleAskRequest {
  readonly messages: readonly Message[];
  readonly systemPrompt?: string;
  readonly maxTokens: number;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  readonly modelPreferences?: ModelPreferences;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly includeContext?: 'none' | 'thisServer' | 'allServers';
  readonly tools?: ReadonlyArray<{
    readonly name: string;
    readonly description?: string;
    readonly inputSchema: JsonSchema;
  }>;
  readonly toolChoice?: ToolChoice;
}

/** The answer to an elicitation, and whose it is: `unknown` where nothing is said. Source: MCP `ElicitResult`. */
export type ElicitAnswer<Content = FormContent> = (
  | { readonly action: 'accept'; readonly content: Content }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' }
  | { readonly action: 'reply'; readonly text: string }
) & { readonly answeredBy?: AnsweredBy };

/** The answer to `roots/list`. */
export interface RootsAnswer {
  readonly roots: readonly Root[];
}
