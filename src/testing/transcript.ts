import type { JsonObject, JsonValue } from '../core/messages/json.ts';
import type { ElicitAnswer, ElicitAskRequest, SampleAnswer, SampleAskRequest } from '../core/tool/ask.ts';
import type { LogLevel, Root } from '../core/tool/context.ts';

/** A question that the mock client was asked. `response` is missing while it is open. */
export interface ElicitEntry {
  readonly type: 'elicit';
  readonly key: string;
  readonly request: ElicitAskRequest;
  readonly attempt: number;
  readonly problem?: string;
  response?: ElicitAnswer<unknown>;
}

/** A sampling that the mock client was asked for. */
export interface SampleEntry {
  readonly type: 'sample';
  /** Its own, else `sample`. */
  readonly key: string;
  readonly depth: number;
  readonly request: SampleAskRequest;
  response?: SampleAnswer;
}

/** The mock client was asked for its folders. */
export interface RootsEntry {
  readonly type: 'roots';
  response?: readonly Root[];
}

/** What the tool said with `ctx.log`; `depth` is 0 in the tool itself, one more in each branch. */
export interface LogEntry {
  readonly type: 'log';
  readonly level: LogLevel;
  readonly message: string;
  readonly data?: JsonValue;
  readonly depth: number;
}

/** A progress report. */
export interface NotifyEntry {
  readonly type: 'notify';
  readonly message: string;
  readonly value?: number;
  readonly total?: number;
  readonly depth: number;
}

/** The tool said that the page of a question has served its purpose. */
export interface CompletedEntry {
  readonly type: 'completed';
  readonly elicitationId: string;
}

/** A handler put a view in front of the person. */
export interface ViewEntry {
  readonly type: 'view';
  readonly how: 'render' | 'show';
  readonly view: string;
  readonly props: JsonObject;
  /** What the script responded; missing for a view that is only shown, and while it is open. */
  response?: unknown;
}

/** One thing that a tool said to the mock client, with the full request. */
export type TranscriptEntry =
  | ElicitEntry
  | SampleEntry
  | RootsEntry
  | LogEntry
  | NotifyEntry
  | CompletedEntry
  | ViewEntry;
