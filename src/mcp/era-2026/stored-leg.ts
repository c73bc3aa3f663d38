import { type Operation, race, sleep, withResolvers } from 'effection';
import { isParleyError } from '../../core/errors/errors.ts';
import type { Append, CallStore, Claim } from '../../runtime/journal/call-store.ts';
import type { Journal, JournalLine } from '../../runtime/journal/lines.ts';
import type { JournalSink } from '../../runtime/journal/sink.ts';
import type { ServerParts } from '../host.ts';
import { asJson } from '../wire/as-json.ts';

/** Between two renewals, milliseconds: two may fail before a claim lapses. */
const RENEW = 10_000;
/** How long the end of a call may take to be written. */
const PATIENCE = 30_000;

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
  *renewing({ manager, report }: Pick<ServerParts, 'manager' | 'report'>): Operation<void> {
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
    yield* this.#store.append(this.#claim, { at: before, lines: lines.map(asJson) });
    this.#lines = before + lines.length;
    if (lines.at(-1)?.t === 'end') this.#ended.resolve();
  }
}

/** When the next durable sleep of a call is over; `null` for none. */
export function nextDue({ lines }: Journal): number | null {
  const due = new Map<string, number>();
  for (const line of lines) {
    if (line.t === 'timer') due.set(line.id, line.due);
    else if (line.t === 'elapsed' || line.t === 'withdraw') due.delete(line.id);
  }
  return due.size === 0 ? null : Math.min(...due.values());
}
