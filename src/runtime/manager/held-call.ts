import { type Operation, race, sleep, withResolvers } from 'effection';
import { isParleyError } from '../../core/errors/errors.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import type { Append, CallStore, Claim } from '../journal/call-store.ts';
import type { JournalLine } from '../journal/lines.ts';
import type { JournalSink } from '../journal/sink.ts';
import type { SessionManager } from './manager.ts';

/** Between two renewals, milliseconds: two may fail before a claim lapses. */
const RENEW = 10_000;
/** How long the end of a call may take to be written. */
const PATIENCE = 30_000;

/** What keeping up a claim needs. */
export interface RenewingParts {
  readonly manager: Pick<SessionManager, 'unload'>;
  /** Hears what went wrong while the claim lasts. */
  report(message: string, cause: unknown, about: 'state'): void;
}

/** A claim of a call, and its journal on the way to the store. */
export class HeldCall {
  readonly #store: CallStore;
  readonly #claim: Claim;
  readonly #ended = withResolvers<void>('the end of the call is written');
  #lines: number;

  constructor(store: CallStore, claim: Claim, lines: number) {
    this.#store = store;
    this.#claim = claim;
    this.#lines = lines;
  }

  /** Where the runtime writes its lines. */
  readonly sink: JournalSink = {
    append: (lines, before) => this.#appendLines(lines, before),
  };

  /** Writes what is beside the lines. */
  *append(what: Omit<Append, 'at' | 'lines'>): Operation<void> {
    yield* this.#store.append(this.#claim, { ...what, at: this.#lines });
  }

  /** Waits until the end of the call is written. */
  *ended(): Operation<void> {
    yield* race([this.#ended.operation, sleep(PATIENCE)]);
  }

  /** The call is over without an answer. */
  *endedBadly(): Operation<void> {
    yield* this.ended();
    try {
      yield* this.append({ ended: true });
    } catch {
      // It is kept until it is too old.
    }
  }

  /** Keeps the claim; the copy of who lost it is halted. */
  *renewing({ manager, report }: RenewingParts): Operation<void> {
    const { principal, callId } = this.#claim.name;
    for (;;) {
      yield* sleep(RENEW);
      try {
        yield* this.#store.renew(this.#claim);
      } catch (error) {
        // A store that cannot be reached may be there again before the claim lapses.
        if (!isParleyError(error, 'CLAIM_LOST')) {
          report('a call could not be kept', error, 'state');
          continue;
        }
        yield* manager.unload({ principal, callId });
        return;
      }
    }
  }

  /** Gives the call back. Where that fails, the claim lapses. */
  *release(): Operation<void> {
    try {
      yield* this.#store.release(this.#claim);
    } catch {
      // It lapses by itself.
    }
  }

  *#appendLines(lines: readonly JournalLine[], before: number): Operation<void> {
    yield* this.#store.append(this.#claim, { at: before, lines: lines as readonly JsonValue[] });
    this.#lines = before + lines.length;
    if (lines.at(-1)?.t === 'end') this.#ended.resolve();
  }
}
