import { type Operation, race, sleep, withResolvers } from 'effection';
import { isParleyError } from '../../core/errors/errors.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import type { Append, CallStore, Claim, NewCall } from '../journal/call-store.ts';
import type { JournalLine } from '../journal/lines.ts';
import type { JournalSink } from '../journal/sink.ts';
import type { SessionManager, SessionName } from './manager.ts';

/** Between two renewals, milliseconds: two may fail before a claim lapses. */
const RENEW = 10_000;
/** How long the end of a call may take to be written. */
const PATIENCE = 30_000;
/** How long lines wait at most, milliseconds. */
const LATE = 250;
/** What a step did, or is about to do, and what is taken back: the world has it, so no line of these waits. */
const AT_ONCE: ReadonlySet<JournalLine['t']> = new Set([
  'step',
  'stepped',
  'step_failed',
  'before',
  'rewind',
  'undo',
]);

/** What is written beside the lines. */
type Beside = Omit<Append, 'at' | 'lines' | 'release'>;

/** How a held call is written. */
export interface ClaimedCallOptions {
  /**
   * Nobody sees anything of the call before it is left: its lines wait to be written in one piece with that, as far as no step depends on
   * them. When the process dies before, what came in since has not come in: who sent it has no answer yet, and sends it again.
   */
  readonly late?: boolean;
  /** What goes with whatever is written first. */
  readonly first?: Beside;
}

/** What keeping up a claim needs. */
export interface RenewingParts {
  readonly manager: Pick<SessionManager, 'release'>;
  /** By which the manager knows the call; as the store does, where nothing is said. */
  readonly session?: SessionName;
  /** Hears what went wrong while the claim lasts. */
  report(message: string, cause: unknown, about: 'state'): void;
}

/** A claim of a call, and its journal on the way to the store. */
export class ClaimedCall {
  readonly #store: CallStore;
  /** Or what it begins with, while nothing of it had to be kept yet. */
  #claim: Claim | NewCall;
  #beginning: ReturnType<typeof withResolvers<void>> | undefined;
  readonly #ended = withResolvers<void>('the end of the call is written');
  /** How many lines are written, and those that wait. */
  #written: number;
  readonly #waiting: JournalLine[] = [];
  /** Whether its end is among them. */
  #isOver = false;
  #late: boolean;
  #first: Beside | undefined;
  /** It is being given back. */
  #isLeft = false;

  /** @param claim or a call that begins with what is written first: one of which nothing is written is in no store */
  constructor(
    store: CallStore,
    claim: Claim | NewCall,
    lines: number,
    { late = false, first }: ClaimedCallOptions = {},
  ) {
    this.#store = store;
    this.#claim = claim;
    this.#written = lines;
    this.#late = late;
    this.#first = first;
  }

  /** Where the runtime writes its lines. */
  readonly sink: JournalSink = {
    append: (lines, before) => this.#appendLines(lines, before),
    defer: (line) => {
      if (!this.#late || AT_ONCE.has(line.t)) return false;
      this.#waiting.push(line);
      if (line.t === 'end') this.#isOver = true;
      return true;
    },
  };

  /** Writes what is beside the lines, and the lines that wait. From here on none do. */
  *append(what: Beside): Operation<void> {
    this.#late = false;
    yield* this.#write(what);
  }

  /** The same, and gives the call back with it. */
  *leave(what: Beside): Operation<void> {
    this.#isLeft = true;
    yield* this.#write({ ...what, release: true });
  }

  /** How many lines the store has of it, as far as this process knows. */
  get lineCount(): number {
    return this.#written;
  }

  /** Whether the store has it. */
  get isKept(): boolean {
    return this.claim !== undefined;
  }

  /** What it is held by; nothing while the store does not have it. */
  get claim(): Claim | undefined {
    return 'fence' in this.#claim ? this.#claim : undefined;
  }

  /** Waits until the end of the call is written, or is with what is written next. */
  *ended(): Operation<void> {
    if (!this.#isOver) yield* race([this.#ended.operation, sleep(PATIENCE)]);
  }

  /** The call is over without an answer. */
  *endedBadly(): Operation<void> {
    yield* this.ended();
    if (!this.isKept) return;
    try {
      yield* this.append({ ended: true });
    } catch {
      // It is kept until it is too old.
    }
  }

  /** Keeps the claim; the copy of who lost it is halted. */
  *renewing({ manager, session = this.#claim.name, report }: RenewingParts): Operation<void> {
    for (;;) {
      if (!this.#late) yield* sleep(RENEW);
      // What would be written behind its last words would count in their place.
      if (this.#isLeft) return;
      if (!this.isKept && this.#waiting.length === 0) {
        yield* sleep(RENEW);
        continue;
      }
      this.#late = false;
      try {
        // A write renews it, too.
        if (this.#waiting.length > 0) yield* this.#write({});
        else if ('fence' in this.#claim) yield* this.#store.renew(this.#claim);
      } catch (error) {
        // A store that cannot be reached may be there again before the claim lapses.
        if (!isParleyError(error, 'CLAIM_LOST')) {
          report('a call could not be saved', error, 'state');
          continue;
        }
        yield* manager.release(session);
        return;
      }
    }
  }

  /** The same for one that is written late, where that takes long. Returns what stops it. */
  keepUp(parts: RenewingParts & { run(op: () => Operation<void>): Promise<void> }): () => void {
    let stop = () => clearTimeout(timer);
    const timer = setTimeout(() => {
      const stopped = withResolvers<void>('the call is left');
      stop = stopped.resolve;
      parts.run(() => race([this.renewing(parts), stopped.operation])).catch(() => {});
    }, LATE);
    return () => stop();
  }

  /** Gives the call back. Where that fails, the claim lapses. */
  *release(): Operation<void> {
    try {
      if ('fence' in this.#claim) yield* this.#store.release(this.#claim);
    } catch {
      // It lapses by itself.
    }
  }

  *#appendLines(lines: readonly JournalLine[], before: number): Operation<void> {
    yield* this.#write({}, before - this.#waiting.length, lines);
    if (lines.at(-1)?.t !== 'end') return;
    this.#isOver = true;
    this.#ended.resolve();
  }

  *#claimed(): Operation<Claim> {
    // Two may write at once.
    while (this.#beginning) yield* this.#beginning.operation;
    if ('fence' in this.#claim) return this.#claim;
    const beginning = withResolvers<void>('the call is in the store');
    this.#beginning = beginning;
    try {
      this.#claim = yield* this.#store.begin(this.#claim);
      return this.#claim;
    } finally {
      // Before it is told: who waits looks at once.
      this.#beginning = undefined;
      beginning.resolve();
    }
  }

  *#write(
    what: Omit<Append, 'at' | 'lines'>,
    at = this.#written,
    more: readonly JournalLine[] = [],
  ): Operation<void> {
    const lines = [...this.#waiting, ...more] as readonly JsonValue[];
    yield* this.#store.append(yield* this.#claimed(), { ...this.#first, ...what, at, lines });
    this.#first = undefined;
    // Another write may have brought some of them meanwhile.
    const done = Math.max(0, at + lines.length - this.#written);
    this.#waiting.splice(0, done);
    this.#written += done;
  }
}
