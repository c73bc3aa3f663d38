import type { Operation } from 'effection';
import type { ElicitAnswer, RootsAnswer, SampleAnswer } from '../core/ask.ts';
import type { ClientCapabilities } from '../core/context.ts';
import type { Ask, ElicitAsk, RootsAsk, SampleAsk } from './ask.ts';
import type { LogEvent, ProgressEvent } from './events.ts';
import type { Session } from './session.ts';

/** What a client's verb works with. */
export interface AskIo {
  readonly session: Session;
  /** Runs an operation while the ask's clocks stand still: consent, a remote client, anything a person decides. */
  offClock<T>(op: () => Operation<T>): Operation<T>;
}

/**
 * Who answers a session: the four verbs plus roots, and what it can do. Verbs run as children of the driver and are
 * halted when the ask closes. A verb that throws fails its ask with that error.
 */
export interface Client {
  /** For logs and messages: `panel`, `copilot`, `mcp client "x"`. */
  readonly name: string;
  capabilities(): ClientCapabilities;
  /** Whether this client can answer this very ask (form, sampling, sampling with tools, roots). */
  can(ask: Ask): boolean;
  elicit?(ask: ElicitAsk, io: AskIo): Operation<ElicitAnswer<unknown>>;
  sample?(ask: SampleAsk, io: AskIo): Operation<SampleAnswer>;
  roots?(ask: RootsAsk, io: AskIo): Operation<RootsAnswer>;
  log?(event: LogEvent): Operation<void>;
  notify?(event: ProgressEvent): Operation<void>;
}
