import type { JsonValue } from '../../core/messages/json.ts';
import type {
  ElicitAnswer,
  ElicitAskRequest,
  RootsAnswer,
  SampleAnswer,
  SampleAskRequest,
} from '../../core/tool/ask.ts';
import type { ElicitRef } from '../../core/tool/elicit.ts';

interface AskBase {
  /** Unique in its session, and the same on every attempt. */
  readonly id: string;
  /** Its key on the 2026-07-28 wire: the declared key; `key#n` for the nth; `sample#n`, `roots#n`, `elicit#n` unnamed. */
  readonly wireKey: string;
  /** Depth of the branch that asks. */
  readonly depth: number;
  readonly ref: ElicitRef;
  /** The tools that the call has called on the way to the one that asks, outermost first; absent for its own asks. */
  readonly path?: readonly string[];
  /** 1 at first, one more each time the answer was invalid. */
  readonly attempt: number;
  /** What was wrong with the last answer. */
  readonly problem?: string;
}

/** A question to the user. `declared` is false for one whose schema was known only at run time. */
export interface ElicitAsk extends AskBase {
  readonly kind: 'elicit';
  readonly declared: boolean;
  /** Only the person in the editor's window may answer it: the tool changes something there. */
  readonly inEditor?: true;
  /** Only a person may answer it. */
  readonly person?: true;
  readonly request: ElicitAskRequest;
}

/** What a client and a page know a question by: the author's name for it, or one made of the call's. */
export function pageIdOf({ id, ref, request }: Pick<ElicitAsk, 'id' | 'ref' | 'request'>): string {
  return request.elicitationId ?? `${ref.callId}-${id}`;
}

/** A question to the model. */
export interface SampleAsk extends AskBase {
  readonly kind: 'sample';
  readonly request: SampleAskRequest;
}

/** A question for the client's folders. */
export interface RootsAsk extends AskBase {
  readonly kind: 'roots';
  readonly request: Readonly<Record<never, never>>;
}

/** Something a running call waits for: JSON throughout. */
export type Ask = ElicitAsk | SampleAsk | RootsAsk;

/** Who is asked: the person (`elicit`), the model (`sample`), or the client for its folders (`roots`). */
export type AskKind = Ask['kind'];

/** What `respond` takes: the answer to an ask of any kind. The session checks it against the ask. */
export type Answer = ElicitAnswer<unknown> | SampleAnswer | RootsAnswer;

/** An answer that was kept, or came from another realm, as JSON. The ask that it is given to checks it, like any other. */
export function answerOf(json: JsonValue): Answer {
  return json as unknown as Answer;
}
