import type { Operation } from 'effection';
import type { ContentBlock, Message, ToolUseContent } from '../messages/content.ts';
import type { StopReason } from '../messages/sample-answer.ts';
import type { OutputOf, Schema } from '../schema/schema.ts';

/** Name of the reserved tool through which a model answers with structured data. */
export const SCHEMA_TOOL_NAME = '__schema__';

/** What the model is told that tool is for. */
export const SCHEMA_TOOL_DESCRIPTION = 'Respond with structured data matching this schema.';

/** Which model a tool would like. Priorities run from 0 to 1. Source: MCP "Sampling", `ModelPreferences`. */
export interface ModelPreferences {
  /** Parts of names of models, the most wanted first. */
  readonly hints?: ReadonlyArray<{ readonly name?: string }>;
  /** How much a low price matters. */
  readonly costPriority?: number;
  /** How much a quick answer matters. */
  readonly speedPriority?: number;
  /** How much a capable model matters. */
  readonly intelligencePriority?: number;
}

/** A tool that the model may call during a sampling. Its input is validated with `inputSchema`. */
export interface SampleTool<Name extends string = string, S extends Schema = Schema> {
  readonly name: Name;
  readonly description?: string;
  readonly inputSchema: S;
}

/** Whether the model must, may or must not call a tool. */
export interface ToolChoice {
  readonly mode: 'auto' | 'required' | 'none';
}

/** What every sampling takes beside its prompt or messages. `maxTokens` counts the answer's tokens. */
export interface SampleSettings {
  /** What the model is told about its role; in a branch, that of its parent where none is given. */
  readonly systemPrompt?: string;
  /** The longest answer, in tokens; 4,096 by default. */
  readonly maxTokens?: number;
  /** How much answers vary; what it means is for the model to say. */
  readonly temperature?: number;
  /** The answer ends before any of these. */
  readonly stopSequences?: readonly string[];
  /** Which model the tool would like; the client decides. */
  readonly modelPreferences?: ModelPreferences;
  /** For the provider of the model, handed on as it is: JSON. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /**
   * What else of the conversation the model should see. A client is asked for more than `none` only where it says that it can
   * (`sampling.context`). Deprecated by MCP: say what matters in the prompt.
   */
  readonly includeContext?: 'none' | 'thisServer' | 'allServers';
  /** Names this sampling on the 2026-07-28 wire; `sample#n` without it. */
  readonly key?: string;
}

/** Either a prompt, which joins the call's history, or messages, sent as given. */
export type SampleSource =
  | { readonly prompt: string; readonly messages?: never }
  | { readonly messages: readonly Message[]; readonly prompt?: never };

/** A sampling that answers with text. */
export type TextSampleOptions = SampleSource &
  SampleSettings & { readonly schema?: never; readonly tools?: never; readonly toolChoice?: never };

/** A sampling that answers with data. */
export type SchemaSampleOptions<S extends Schema> = SampleSource &
  SampleSettings & { readonly schema: S; readonly tools?: never; readonly toolChoice?: never };

/** A sampling that may answer with tool calls. */
export type ToolSampleOptions<T extends readonly SampleTool[]> = SampleSource &
  SampleSettings & { readonly tools: T; readonly toolChoice?: ToolChoice; readonly schema?: never };

/**
 * One finished sampling as messages to append to a conversation. Raw ones have two: the user's request (with `messages`,
 * the last one of the user) and the assistant's answer. One with a `schema`, and one in which the model called tools, has
 * three: the third acknowledges every `tool_use`, so that the messages can go back into a later sampling as they are.
 */
export interface SampleExchange<Parsed = unknown> {
  /** The last message of the user that was sent. */
  readonly request: Message;
  /** The assistant's answer. */
  readonly response: Message;
  /** All of it, ready to append. */
  readonly messages: readonly Message[];
  /** What the answer says, where a schema was asked for and it fits. */
  readonly parsed?: Parsed;
}

/** The exchange of a sampling with tools: `withResults` replaces our acknowledgement with what the calls gave. */
export interface ToolSampleExchange extends SampleExchange {
  /**
   * @example
   * talk.push(...answer.exchange.withResults((call) => play(call.input)).messages);
   */
  withResults(fn: (call: ToolUseContent) => string | readonly ContentBlock[]): SampleExchange;
}

/** What every sampling gives. */
export interface SampleResult<Parsed = unknown> {
  /** All text of the answer. */
  readonly text: string;
  /** The model that answered, as its client names it. */
  readonly model: string;
  /** Why the answer ended there. */
  readonly stopReason: StopReason;
  /** Question and answer as messages, for a later prompt. */
  readonly exchange: SampleExchange<Parsed>;
}

/** The answer to a sampling with a schema: `parsed`, or `problem` that says why it did not parse. */
export type SchemaSampleResult<T> = SampleResult<T> &
  (
    | { readonly parsed: T; readonly exchange: { readonly parsed: T }; readonly problem?: undefined }
    | { readonly parsed?: undefined; readonly problem: string }
  );

/** One call that the model asked for. `input` is parsed with the tool's schema. */
export type SampledToolCall<T extends SampleTool = SampleTool> =
  T extends SampleTool<infer N, infer S>
    ? { readonly id: string; readonly name: N; readonly input: OutputOf<S> }
    : never;

/** The answer to a sampling with tools. `problem` says which call did not fit; such calls are not in `toolCalls`. */
export interface ToolSampleResult<T extends readonly SampleTool[]> extends SampleResult {
  readonly exchange: ToolSampleExchange;
  /** The calls whose input fits; the tool runs them, and tells the model with `exchange.withResults`. */
  readonly toolCalls: ReadonlyArray<SampledToolCall<T[number]>>;
  /** Which calls did not fit, and why. */
  readonly problem?: string;
}

/** How often a guaranteed sampling may ask again: `retries` (2 by default) after the first attempt. */
export interface SampleRetryOptions {
  readonly retries?: number;
}

/**
 * Asks the client's model.
 *
 * @throws `McpCapabilityError` when no client of the call can sample (or not with `tools`), `SamplingRefusedError`,
 *   `NoModelError`, `ModelQuotaError` and `SamplingError` for what the model's side says.
 */
export interface Sample {
  <const T extends readonly SampleTool[]>(options: ToolSampleOptions<T>): Operation<ToolSampleResult<T>>;
  <S extends Schema>(options: SchemaSampleOptions<S>): Operation<SchemaSampleResult<OutputOf<S>>>;
  (options: TextSampleOptions): Operation<SampleResult>;
}

/** Samples until the answer fits the schema, quoting what was wrong. @throws `SampleValidationError` at the end. */
export type SampleSchema = <S extends Schema>(
  options: SchemaSampleOptions<S> & SampleRetryOptions,
) => Operation<
  SampleResult<OutputOf<S>> & {
    readonly parsed: OutputOf<S>;
    readonly exchange: { readonly parsed: OutputOf<S> };
  }
>;

/**
 * Samples until the model calls a tool and every call fits its tool's schema. `toolChoice` is `required` by default.
 *
 * @throws `SampleValidationError` at the end.
 */
export type SampleTools = <const T extends readonly SampleTool[]>(
  options: ToolSampleOptions<T> & SampleRetryOptions,
) => Operation<
  ToolSampleResult<T> & {
    readonly toolCalls: readonly [SampledToolCall<T[number]>, ...SampledToolCall<T[number]>[]];
  }
>;
