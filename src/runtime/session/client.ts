import type { Operation } from 'effection';
import type { ElicitAnswer, RootsAnswer, SampleAnswer } from '../../core/tool/ask.ts';
import type { Ask, ElicitAsk, RootsAsk, SampleAsk } from './ask.ts';
import type { LogEvent, PageCompletedEvent, ProgressEvent } from './events.ts';
import type { Answerer, Session } from './session.ts';

/** What a client's verb works with. */
export interface AskIo {
  readonly session: Session;
  /** Runs an operation while the ask's clocks stand still: consent, a remote client, anything a person decides. */
  offClock<T>(op: () => Operation<T>): Operation<T>;
}

/**
 * Who answers a session: the four verbs plus roots, and what it can do. Verbs run as children of the driver and are
 * halted when the ask closes. A verb that throws fails its ask with that error.
 *
 * A client that `can` answer an ask but has no verb for it takes the ask elsewhere: `drive(…, 'blocked')` hands it out,
 * and whoever brings the answer calls `session.respond`. That is how a client of the 2026-07-28 protocol is written. A
 * verb that ends with nothing does the same with this ask alone.
 */
export interface Client extends Answerer {
  /** For logs and messages: `panel`, `copilot`, `mcp client "x"`. */
  readonly name: string;
  /** What a caller is told who waits while the person is asked: `Waiting for your answer in …`. */
  readonly waiting?: string;
  elicit?(ask: ElicitAsk, io: AskIo): Operation<ElicitAnswer<unknown> | undefined>;
  sample?(ask: SampleAsk, io: AskIo): Operation<SampleAnswer>;
  roots?(ask: RootsAsk, io: AskIo): Operation<RootsAnswer>;
  /** For a client made of several: which of them answers this ask. */
  pick?(ask: Ask): Client | undefined;
  /** How many answers it may give to one question before that fails with `ElicitationInvalidError`; 3 by default. */
  maxAttempts?(ask: ElicitAsk): number;
  log?(event: LogEvent): Operation<void>;
  notify?(event: ProgressEvent): Operation<void>;
  /** The page of a question has served its purpose. */
  completed?(event: PageCompletedEvent): Operation<void>;
}
