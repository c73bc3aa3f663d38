import { type Operation, sleep } from 'effection';
import { isParleyError } from '../../core/errors/errors.ts';
import type { CallName, CallStore, ClaimOutcome, StoredCall } from '../../runtime/journal/call-store.ts';
import { isNewerJournal, type JournalHeader, type JournalLine } from '../../runtime/journal/lines.ts';
import type { JournalSink } from '../../runtime/journal/sink.ts';
import { HeldCall } from '../../runtime/manager/held-call.ts';
import type { CallAside } from '../../runtime/manager/manager.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { ServerParts } from '../host.ts';
import type { OpenCall, Result } from '../request/open-call.ts';
import { isMovable } from '../stored/movable-tool.ts';
import { nextDue } from '../stored/next-due.ts';
import { newerRefusal, storeRefusal } from '../stored/refusal.ts';
import { asJson } from '../wire/as-json.ts';
import { digestOf, invalidState, type StateBinding } from '../wire/state/state.ts';
import { type Brought, type CallHome, earlyIn, keptEarly, type Leg } from './call-home.ts';
import { behindQuestions, letStand, stay } from './movable.ts';
import type { ParkedCalls } from './parked-calls.ts';
import { callOf, type Note, newState, noted, noteIn, type Round, standing } from './stored-note.ts';

/** What stored calls need. */
export interface StoredCallsOptions {
  readonly host: ServerParts;
  readonly store: CallStore;
  /** Where calls stay that cannot be taken up again. */
  readonly parked: ParkedCalls;
}

/** A copy of a call that stands still here, while the store has the call. */
interface Copy {
  readonly aside: CallAside;
  readonly session: Session;
  readonly at: number;
  readonly journal: MovableSink;
  /** How many lines there were: nothing has happened elsewhere where the store has as many, and the same state. */
  readonly lineCount: number;
}

/** The journal of a call on its way to whoever holds the call now. */
class MovableSink implements JournalSink {
  held: HeldCall | undefined;

  append(lines: readonly JournalLine[], before: number): Operation<void> {
    return this.#sink().append(lines, before);
  }

  defer(line: JournalLine): boolean {
    return this.#sink().defer?.(line) === true;
  }

  #sink(): JournalSink {
    if (!this.held) throw new Error('a call began without its journal');
    return this.held.sink;
  }
}

/** Between two looks at a call that another request holds, milliseconds: the first and the longest. */
const SOON = 20;
const LATER = 1_000;

/**
 * The calls that a store keeps: any server on the same store goes on, also after all of them have been restarted. A call that waits
 * takes up no memory, but for a few that were here a moment ago: their copies stand still, and go on where the store has nothing newer. One set of answers opens a round: the same again gets the same response, others are refused.
 */
export class StoredCalls implements CallHome {
  readonly #options: StoredCallsOptions;
  /** By the state that goes on with them. */
  readonly #copies = new Map<string, Copy>();

  constructor(options: StoredCallsOptions) {
    this.#options = options;
  }

  *open(call: OpenCall, brought: Brought, binding: StateBinding): Operation<Leg | Result> {
    const { state, responses } = brought;
    const callId = callOf(state);
    const isHere = state === undefined ? call.stays : callId === undefined;
    if (isHere || !isMovable(call.callable.tool)) {
      return yield* stay(this.#options.parked, call, brought, binding);
    }
    try {
      if (callId === undefined) return yield* this.#begin(call, binding);
      const round: Round = { ticket: String(state), digest: digestOf(responses) };
      return yield* this.#goOn(
        call,
        { principal: binding.principal, conversation: '', callId },
        round,
        binding,
      );
    } catch (error) {
      const refusal = storeRefusal(this.#options.host, error);
      // What is damaged is so for good: to try again later would be for ever.
      throw callId !== undefined && isParleyError(error, 'STORE_DAMAGED') ? invalidState() : refusal;
    }
  }

  abandon(principal: string): readonly Session[] {
    for (const { session, aside } of [...this.#copies.values()]) {
      if (session.principal === principal) aside.putAway();
    }
    return this.#options.parked.abandon(principal);
  }

  *#begin(call: OpenCall, binding: StateBinding): Operation<Leg> {
    const { store } = this.#options;
    const note: Note = { binding, early: [] };
    const journal = new MovableSink();
    const keep = function* (header: JournalHeader) {
      const { callId } = header;
      const name: CallName = { principal: binding.principal, conversation: '', callId };
      const begins = { name, header: asJson(header), notes: noted(note) };
      journal.held = new HeldCall(store, begins, 0, { late: true });
      return journal;
    };
    try {
      const session = yield* call.create({ keep });
      return this.#leg(session, journal, note);
    } catch (error) {
      yield* journal.held?.release() ?? [];
      throw error;
    }
  }

  *#goOn(call: OpenCall, name: CallName, round: Round, binding: StateBinding): Operation<Leg | Result> {
    const { store } = this.#options;
    for (let pause = SOON; ; pause = Math.min(2 * pause, LATER)) {
      const outcome = yield* store.claim(name);
      if (outcome.type === 'unknown') throw invalidState();
      if (outcome.type === 'claimed') return yield* this.#takeUp(call, outcome, round, binding);
      // Who has it may be past this round.
      const { before } = stands(yield* store.read(name), round, binding);
      if (before !== 'open') return before;
      if (call.signal.aborted) throw invalidState();
      // The same request is served somewhere: its response will be there.
      yield* sleep(pause);
    }
  }

  *#takeUp(
    call: OpenCall,
    { claim, call: kept }: Extract<ClaimOutcome, { type: 'claimed' }>,
    round: Round,
    binding: StateBinding,
  ): Operation<Leg | Result> {
    const { header, lines, lineCount } = kept;
    let held = new HeldCall(this.#options.store, claim, lineCount);
    try {
      const { note, before } = stands(kept, round, binding);
      if (before !== 'open') {
        yield* held.release();
        return before;
      }
      const { ticket: _, ...rest } = note;
      const opened: Note = { ...rest, opened: round };
      const first = { notes: noted(opened), due: null };
      held = new HeldCall(this.#options.store, claim, lineCount, { late: true, first });
      const copy = this.#copyFor(call, round, kept);
      if (copy) {
        copy.aside.goOn();
        this.#copies.delete(round.ticket);
        copy.journal.held = held;
        return this.#leg(copy.session, copy.journal, opened, copy.at);
      }
      const journal = new MovableSink();
      journal.held = held;
      const session = yield* call.resume({ journal: { header, lines }, sink: journal });
      return this.#leg(session, journal, opened, behindQuestions(session));
    } catch (error) {
      yield* held.release();
      throw error;
    }
  }

  /** The copy that goes on with a state: nothing has happened elsewhere, and the tool is the same. */
  #copyFor({ callable }: OpenCall, { ticket }: Round, kept: StoredCall): Copy | undefined {
    const copy = this.#copies.get(ticket);
    const isAsKept = copy?.lineCount === kept.lineCount && noteIn(kept.notes)?.ticket === ticket;
    return isAsKept && copy.session.tool === callable.tool ? copy : undefined;
  }

  #leg(session: Session, journal: MovableSink, note: Note, at = 0): Leg {
    const { held } = journal;
    if (!held) throw new Error('a call began without its journal');
    const { host } = this.#options;
    const { manager } = host;
    const { early, wentBack } = earlyIn(session, note);
    const refusal = (error: unknown) => storeRefusal(host, error);
    const { opened } = note;
    const answered = (result: Result) => (opened ? { answered: { ...opened, result } } : {});
    const { binding } = note;
    let isAway = false;
    const name = { principal: session.principal, callId: session.id };
    const copies = this.#copies;
    const leg: Leg = {
      session,
      early,
      wentBack,
      at,
      isBusy: () => session.isAtWork(Date.now()),
      keepUp: () => held.keepUp(host),
      *park(questions) {
        const ticket = newState(session.id);
        const result = { ...questions, requestState: ticket };
        isAway = true;
        const aside = letStand(host, session, () => copies.delete(ticket));
        if (!aside) yield* manager.unload(name);
        // Only now all of its lines are written, or wait to be.
        const kept = session.journal();
        try {
          const next: Note = { binding, ticket, ...keptEarly(session, early), ...answered(result) };
          yield* held.leave({ notes: noted(next), due: nextDue(kept) });
        } catch (error) {
          aside?.putAway();
          throw refusal(error);
        }
        const { length: lineCount } = kept.lines;
        if (aside && !session.ended()) copies.set(ticket, { aside, session, at: leg.at, journal, lineCount });
        return result;
      },
      *end(result) {
        yield* held.ended();
        // It asked nothing, did no step, and nobody has a state of it: there is nothing to keep.
        if (!held.isKept) return;
        try {
          yield* held.leave({ notes: noted({ binding, early: [], ...answered(result) }), ended: true });
        } catch (error) {
          throw refusal(error);
        }
      },
      *letGo(result, notes) {
        const next: Note = { binding, early: [], ...answered(result) };
        yield* held.append({ notes: { ...noted(next), ...notes } });
        return held;
      },
      *fail() {
        // A copy that was put away is over; its call is not.
        if (session.ended() && !isAway) yield* held.endedBadly();
        yield* manager.unload(name);
        yield* held.release();
      },
    };
    return leg;
  }
}

/** How a call stands that a request goes on with, and what that comes to. @throws as {@link standing} does */
function stands(
  kept: StoredCall | undefined,
  round: Round,
  binding: StateBinding,
): { readonly note: Note; readonly before: Result | 'open' } {
  if (isNewerJournal(kept?.header)) throw newerRefusal();
  const note = kept && noteIn(kept.notes);
  if (!note) throw invalidState();
  return { note, before: standing(note, round, binding) };
}
