import type { ErrorData } from '../../core/errors/data/error-data.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import type { LogLevel } from '../../core/tool/context.ts';
import { sizeOf } from '../data/size-of.ts';
import type { ElicitAsk, RootsAsk, SampleAsk } from './ask.ts';

export type { ErrorData } from '../../core/errors/data/error-data.ts';

/** How an ask ended: `withdrawn` when tool code halted it, `failed` when its client threw. */
export type AskClosing = 'answered' | 'withdrawn' | 'failed';

/** What happened, without its place in the order. */
export type SessionHappening =
  | { readonly type: 'elicit_request'; readonly ask: ElicitAsk }
  | { readonly type: 'sample_request'; readonly ask: SampleAsk }
  | { readonly type: 'roots_request'; readonly ask: RootsAsk }
  | {
      readonly type: 'ask_closed';
      readonly id: string;
      readonly how: AskClosing;
      readonly answer?: JsonValue;
      readonly error?: ErrorData;
    }
  | {
      readonly type: 'log';
      readonly level: LogLevel;
      readonly message: string;
      readonly data?: JsonValue;
      readonly depth: number;
    }
  | {
      readonly type: 'progress';
      readonly message: string;
      readonly value?: number;
      readonly total?: number;
      readonly depth: number;
    }
  /** The person has done on the page of a question what they were sent there for. `id` is the question's. */
  | { readonly type: 'page_completed'; readonly id: string; readonly elicitationId: string }
  /** The call went back to a question; what came after it does not count any more. The question opens again, under another id. */
  | { readonly type: 'rewound'; readonly to: string }
  | { readonly type: 'gap'; readonly dropped: number }
  /** With `notKept`, of a call of an earlier window: nobody knows what it gave any more. */
  | { readonly type: 'result'; readonly value: JsonValue | undefined; readonly notKept?: true }
  | { readonly type: 'error'; readonly error: ErrorData }
  | { readonly type: 'aborted'; readonly reason: string };

/** What a tool says beside its questions. */
export type ToolReport = Extract<SessionHappening, { type: 'log' | 'progress' | 'page_completed' }>;

/** One event of a session: `at` rises by one an event, `time` is milliseconds of the session's clock. */
export type SessionEvent = { readonly at: number; readonly time: number } & SessionHappening;

/** The three events that end a session. */
export type EndEvent = Extract<SessionEvent, { type: 'result' | 'error' | 'aborted' }>;

/** Why a call that is released, to be taken up again, has ended here. */
export const RELEASED = 'it was released, to be resumed later';

/** What the tool said with `ctx.log`. */
export type LogEvent = Extract<SessionEvent, { type: 'log' }>;

/** That a page has served its purpose. */
export type PageCompletedEvent = Extract<SessionEvent, { type: 'page_completed' }>;

/** What the tool said with `ctx.notify`. */
export type ProgressEvent = Extract<SessionEvent, { type: 'progress' }>;

/** Whether an event ends its session. */
export function isEnd(event: SessionEvent): event is EndEvent {
  return event.type === 'result' || event.type === 'error' || event.type === 'aborted';
}

/**
 * About how many bytes a log line or a report keeps. Nothing for all else: asks come no faster than somebody answers
 * them, and what they hold is mostly shared with the call.
 */
export function saidSize(happening: SessionHappening): number {
  if (happening.type === 'progress') return happening.message.length;
  if (happening.type !== 'log') return 0;
  const { message, data } = happening;
  return message.length + (data === undefined ? 0 : sizeOf(data));
}

/** Bytes of an ordinary log line or report, at most. */
const ORDINARY = 4096;

/** For how many ordinary reports more than itself one counts, where only so many in a row may be made. */
export function extraReports(happening: SessionHappening): number {
  return Math.floor(saidSize(happening) / ORDINARY);
}
