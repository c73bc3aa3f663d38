import {
  ensure,
  type Operation,
  race,
  scoped,
  sleep,
  suspend,
  type WithResolvers,
  withResolvers,
} from 'effection';
import { isParleyError } from '../core/errors/errors.ts';
import { ClaimLostError } from '../core/errors/store-errors.ts';
import type { JsonObject, JsonValue } from '../core/messages/json.ts';
import type { ClientCapabilities } from '../core/tool/context.ts';
import { drive } from '../runtime/drive/drive.ts';
import { callKey } from '../runtime/journal/call-key.ts';
import type { CallName, ClaimOutcome, InboxMessage, StoredCall } from '../runtime/journal/call-store.ts';
import { isNewerJournal, type JournalHeader } from '../runtime/journal/lines.ts';
import { HeldCall } from '../runtime/manager/held-call.ts';
import type { Ask } from '../runtime/session/ask.ts';
import { canAnswer } from '../runtime/session/capabilities.ts';
import type { Client } from '../runtime/session/client.ts';
import { PUT_AWAY } from '../runtime/session/events.ts';
import type { Session } from '../runtime/session/session.ts';
import { failUnanswerable, giveAnswers, isTakenElsewhere } from './giving.ts';
import { CallLease, LeaseLines } from './lease.ts';
import {
  type CallMessage,
  type CallNote,
  type CallSnapshot,
  callNoted,
  callNoteIn,
  judge,
} from './messages.ts';
import { nextDue } from './next-due.ts';
import {
  type CallAttachment,
  type CallBeginning,
  type CallQuery,
  CallRefused,
  type Calls,
  type CallsParts,
  type Sent,
  type Until,
} from './port.ts';
import {
  abortedBy,
  earlyOf,
  isExpired,
  keptSnapshot,
  liveSnapshot,
  noteNow,
  recordSnapshot,
  saidBy,
} from './snapshots.ts';
import { CallWatchers } from './watchers.ts';

/** Between two looks at a call that asks while a step of it runs, or that somebody else holds, milliseconds: the first and the longest. */
const BUSY = 20;
const LATER = 1_000;
/** How long it may take until how a call stands that is here is written, for those who look elsewhere, milliseconds. */
const NEWS = 50;
/** From such a pause on who holds a call is told what is said to it, or a stop takes it from them, milliseconds. */
const PATIENCE = 100;
/** How long, and of how many calls, it is known here what they came to, for a response that was lost. Milliseconds. */
const KNOWN_FOR = 60_000;
const MOST_KNOWN = 256;
/** Of how many messages beside rounds it is known that they were taken. */
const MOST_TAKEN = 16;
/** Timers take no more, milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** A message that is under way, for who brings the same meanwhile. */
interface Joined extends Pick<WithResolvers<CallSnapshot>, 'operation'>, Pick<CallMessage, 'digest'> {
  readonly bound: string | undefined;
}

/** As `begun` goes on: nobody waits for it. */
type Going = Until | 'alone';

/** Makes the calls of a process. */
export function createCalls(parts: CallsParts): Calls {
  return new ProcessCalls(parts);
}

class ProcessCalls implements Calls {
  readonly #parts: CallsParts;
  readonly #leases = new Map<string, CallLease>();
  readonly #bySession = new WeakMap<Session, CallLease>();
  /** Stops listening to the manager: nobody does while there is no lease. */
  #stopListening: (() => void) | undefined;
  readonly #watchers: CallWatchers;
  readonly #joined = new Map<string, Joined>();
  /** Calls that have ended, the first to do so first. */
  readonly #over = new Set<CallLease>();

  constructor(parts: CallsParts) {
    this.#parts = parts;
    this.#watchers = new CallWatchers(parts.store);
  }

  *start(
    beginning: CallBeginning,
    message: Omit<CallMessage, 'id'>,
    until: Until = 'blocked',
  ): Operation<CallSnapshot> {
    const lease = yield* this.#begin(beginning, message);
    return yield* this.#run(lease, beginning, until, { id: '', ...message }, true);
  }

  *attach(
    name: CallName,
    attachment: CallAttachment,
    until: Until,
    message?: CallMessage,
  ): Operation<CallSnapshot> {
    return yield* this.#together(name, attachment, message, () =>
      this.#attached(name, attachment, until, message),
    );
  }

  *send(name: CallName, message: CallMessage): Operation<Sent> {
    const { store } = this.#parts;
    const lease = this.#leases.get(callKey(name)) ?? (yield* this.#found(name));
    if (lease?.isHere) {
      // What it came to counts from here on, though it may not be written yet.
      const end = lease.note.end ?? lease.session.ended();
      const judged = isExpired(lease.note)
        ? 'unknown'
        : judge({ ...lease.note, ...(end && { end }) }, message);
      if (judged !== 'new') return judged;
      try {
        yield* this.#take(lease, message);
        yield* this.#write(lease);
        return 'left';
      } catch (error) {
        if (!isParleyError(error, 'CLAIM_LOST')) throw error;
        yield* this.#lost(lease);
      }
    }
    const kept = yield* store?.read(name) ?? [];
    const note = kept && callNoteIn(kept.notes);
    if (!store || !note || isExpired(note)) return 'unknown';
    const judged = judge(note, message);
    if (judged !== 'new') return judged;
    // What a newer Parley has is not written to here.
    if (message.stop !== undefined && !isNewerJournal(kept.header))
      return yield* this.#stop(name, message.stop);
    return yield* store.leave(name, inboxed(message));
  }

  *get(name: CallName): Operation<CallSnapshot | undefined> {
    const lease = this.#leases.get(callKey(name));
    if (lease?.isHere && isExpired(lease.note)) return undefined;
    if (lease?.isHere) return liveSnapshot(lease);
    // As it is being written.
    if (lease?.leaving) return recordSnapshot(lease);
    const kept = yield* this.#parts.store?.read(name) ?? [];
    const note = kept && callNoteIn(kept.notes);
    return note && !isExpired(note) ? keptSnapshot(kept) : undefined;
  }

  watch(name: CallName, look: () => void): () => void {
    return this.#watchers.watch(name, look, this.#leases.get(callKey(name)));
  }

  *list(query: CallQuery = {}): Operation<readonly CallSnapshot[]> {
    const { principal, ended, limit = 100 } = query;
    const here = [...this.#leases.values()].filter((lease) => lease.isHere && !isExpired(lease.note));
    const live = here
      .filter(({ name }) => principal === undefined || name.principal === principal)
      .map(liveSnapshot)
      .filter(({ end }) => ended === undefined || ended === (end !== undefined));
    const known = new Set(here.map(({ name }) => callKey(name)));
    const kept = yield* this.#parts.store?.list(query) ?? [];
    const others = (kept ?? []).filter(({ name, notes }) => {
      const note = callNoteIn(notes);
      return note && !isExpired(note) && !known.has(callKey(name));
    });
    return [...live, ...others.map(keptSnapshot)].slice(0, limit);
  }

  abandon(principal: string): readonly Session[] {
    // Who is attached leaves by itself.
    const gone = [...this.#leases.values()].filter(
      ({ name, attached }) => name.principal === principal && attached === 0,
    );
    for (const lease of gone) {
      if (lease.aside) lease.aside.putAway();
      else if (lease.pinned && !lease.isLookedAt) this.#drop(lease);
    }
    return gone
      .filter(({ pinned, isLookedAt, session }) => pinned && !isLookedAt && !session.ended())
      .map(({ session }) => session);
  }

  /** The same message at one moment is one attachment. */
  *#together(
    name: CallName,
    { hand }: CallAttachment,
    message: CallMessage | undefined,
    attach: () => Operation<CallSnapshot>,
  ): Operation<CallSnapshot> {
    if (!message) return yield* attach();
    const { id, bound, digest } = message;
    // What a client has in its hand goes on anew with other answers.
    const key = `${callKey(name)} ${hand?.brought ? digest : ''} ${id}`;
    const same = this.#joined.get(key);
    if (same) {
      if (same.bound !== bound) throw new CallRefused('unknown');
      if (same.digest !== digest) throw new CallRefused('other');
      return yield* same.operation;
    }
    const { operation, resolve, reject } = withResolvers<CallSnapshot>('the same message');
    this.#joined.set(key, { bound, digest, operation });
    try {
      const snapshot = yield* attach();
      resolve(snapshot);
      return snapshot;
    } catch (error) {
      reject(error instanceof Error ? error : new Error(String(error)));
      throw error;
    } finally {
      this.#joined.delete(key);
      reject(new CallRefused('closed'));
    }
  }

  *#attached(
    name: CallName,
    attachment: CallAttachment,
    until: Until,
    message: CallMessage | undefined,
  ): Operation<CallSnapshot> {
    const lease = yield* this.#open(name, attachment, message);
    return lease instanceof CallLease ? yield* this.#run(lease, attachment, until, message) : lease;
  }

  /** A new call, and the lease of it. */
  *#begin(beginning: CallBeginning, { bound, digest }: Omit<CallMessage, 'id'>): Operation<CallLease> {
    const { store } = this.#parts;
    const { hand, movable } = beginning;
    const note: CallNote =
      bound === undefined ? { asks: [] } : { bound, round: '', opened: digest, asks: [] };
    const lines = movable && store && !hand ? new LeaseLines() : undefined;
    const keep = function* (header: JournalHeader) {
      if (!lines || !store) return undefined;
      const { principal, conversation, callId } = header;
      const name = { principal, conversation, callId };
      const begins = { name, header: header as JsonObject, notes: callNoted(note) };
      lines.held = new HeldCall(store, begins, 0, { late: true });
      return lines;
    };
    try {
      const session = yield* beginning.create(
        lines ? { keep } : hand && movable ? { carried: true } : { retain: true },
      );
      const pinned = !lines && !(hand && movable);
      const name = nameOf(session, beginning.conversation);
      return this.#hold(new CallLease({ name, session, note, lines, pinned }));
    } catch (error) {
      yield* lines?.held?.release() ?? [];
      throw error;
    }
  }

  /** The lease of a call, with what a message opens written on it; or how the call stands, where that is all that comes of it. */
  *#open(
    name: CallName,
    attachment: CallAttachment,
    message: CallMessage | undefined,
  ): Operation<CallLease | CallSnapshot> {
    const { store } = this.#parts;
    if (attachment.hand?.brought) return yield* this.#fromHand(name, attachment, message);
    for (let pause = BUSY; ; pause = Math.min(2 * pause, LATER)) {
      const lease = this.#leases.get(callKey(name)) ?? (yield* this.#found(name));
      if (lease?.isHere) return this.#here(lease, message);
      const outcome = store && (yield* store.claim(name));
      if (!outcome || outcome.type === 'unknown') throw new CallRefused('unknown');
      if (outcome.type === 'claimed') return yield* this.#claimed(outcome, attachment, message);
      // Who has it may be past this round.
      const kept = yield* store.read(name);
      if (kept && isPast(kept, message)) return keptSnapshot(kept);
      if (attachment.isGone?.()) throw new CallRefused('closed');
      // Most give it back in a moment. Who does not takes the message there.
      if (message && pause > PATIENCE) yield* store.leave(name, inboxed(message, attachment.client));
      yield* this.#toldOf(name, pause);
    }
  }

  *#toldOf(name: CallName, pause: number): Operation<void> {
    const { operation, resolve } = withResolvers<void>('a look at a call');
    const stop = this.#parts.store?.watch?.(name, resolve);
    try {
      yield* race([operation, sleep(pause)]);
    } finally {
      stop?.();
    }
  }

  #here(lease: CallLease, message: CallMessage | undefined): CallLease | CallSnapshot {
    const { manager } = this.#parts;
    const { name, session, pinned } = lease;
    if (pinned && (lease.expires <= Date.now() || manager.get(name) !== session)) {
      this.#drop(lease);
      throw new CallRefused('unknown');
    }
    if (isOver(lease.note, message)) return recordSnapshot(lease);
    lease.note = openedBy(lease.note, message);
    return lease;
  }

  *#claimed(
    { claim, call }: Extract<ClaimOutcome, { type: 'claimed' }>,
    attachment: CallAttachment,
    message: CallMessage | undefined,
  ): Operation<CallLease | CallSnapshot> {
    const { store } = this.#parts;
    if (!store) throw new CallRefused('unknown');
    const { name, fence } = claim;
    const { header, lines: kept, lineCount, notes } = call;
    let held = new HeldCall(store, claim, lineCount);
    try {
      if (isPast(call, message)) {
        yield* held.release();
        return keptSnapshot(call);
      }
      const note = openedBy(callNoteIn(notes) ?? { asks: [] }, message);
      const first = { notes: callNoted(note), due: null };
      held = new HeldCall(store, claim, lineCount, { late: true, first });
      const inbox = call.inbox > 0 ? yield* store.take(claim) : [];
      const standing = this.#standing(name, fence, attachment);
      const lines = standing?.lines ?? new LeaseLines();
      lines.held = held;
      if (standing) standing.aside?.goOn();
      const session =
        standing?.session ?? (yield* attachment.resume({ journal: { header, lines: kept }, sink: lines }));
      const at = standing?.at ?? behindQuestions(session);
      return this.#hold(new CallLease({ name, session, note, lines, fence, at, inbox }));
    } catch (error) {
      yield* held.release();
      throw error;
    }
  }

  /** What was left standing here, where nobody has had the call since. */
  #standing(name: CallName, fence: number, { stands }: CallAttachment): CallLease | undefined {
    const lease = this.#leases.get(callKey(name));
    if (!lease?.aside || lease.fence + 1 !== fence) return undefined;
    return !stands || stands(lease.session) ? lease : undefined;
  }

  *#fromHand(
    name: CallName,
    { hand, resume }: CallAttachment,
    message: CallMessage | undefined,
  ): Operation<CallLease> {
    const { journal, early } = Object(hand?.brought) as { journal?: JsonValue; early?: CallNote['early'] };
    const session = yield* resume({ journal });
    const asks = session.openAsks();
    const rounds = message && { bound: message.bound, round: message.id, opened: message.digest };
    const note = { ...rounds, early, asks } as CallNote;
    const at = behindQuestions(session);
    return this.#hold(new CallLease({ name, session, note, at, inHand: true }));
  }

  /** A call that waited in an earlier process. */
  *#found(name: CallName): Operation<CallLease | undefined> {
    const found = yield* this.#parts.waiting?.find(name) ?? [];
    const here = this.#leases.get(callKey(name));
    if (!found || here) return here;
    const { session, note } = found;
    return this.#hold(new CallLease({ name, session, note, pinned: true, at: behindQuestions(session) }));
  }

  /** One that is attached: gives what its message says, drives, and leaves the call as it stands. The same for every surface. */
  *#run(
    lease: CallLease,
    attachment: CallAttachment,
    until: Going,
    message: CallMessage | undefined,
    first = false,
  ): Operation<CallSnapshot> {
    const { session, note } = lease;
    const { keeps } = attachment;
    // What goes on by itself was counted when it was let go.
    if (until !== 'alone') lease.attached += 1;
    if (keeps) lease.note = { ...note, ...keeps };
    lease.stopKeeping ??= this.#keep(lease);
    const self = this;
    return yield* scoped(function* () {
      let giving: { stop(): void } | undefined;
      let isBroken = false;
      yield* ensure(function* () {
        lease.attached -= 1;
        giving?.stop();
        lease.onFreed();
        if (lease.attached === 0 && !lease.isLeft) yield* self.#giveBack(lease, isBroken);
      });
      try {
        // What was left before comes first.
        yield* self.#takeInbox(lease, lease.inbox);
        giving = self.#giving(lease, attachment, message, first);
        if (until === 'begun') return yield* self.#letGo(lease, attachment, message);
        const run = (client: Client) => self.#drive(lease, attachment, client, { until, message });
        const snapshot = yield* attachment.attended?.(session, run) ?? run(attachment.client);
        if (snapshot) return snapshot;
        // Others go on: it has had its answer, or is gone.
        lease.note = closedBy(lease.note, message);
        if (lease.attached > 1) return recordSnapshot(lease);
        yield* attachment.left?.(session, recordSnapshot(lease)) ?? [];
        return session.ended() ? yield* self.#end(lease) : recordSnapshot(lease);
      } catch (error) {
        const isLost = isParleyError(error, 'CLAIM_LOST');
        // What is written is no longer this process's to say.
        isBroken = !isLost;
        const kept = isLost ? yield* self.#parts.store?.read(lease.name) ?? [] : undefined;
        // Somebody has stopped it, and has not asked this process.
        if (kept?.ended) return keptSnapshot(kept);
        throw error;
      }
    });
  }

  #giving(
    lease: CallLease,
    { client, give = this.#parts.give }: Pick<CallAttachment, 'client' | 'give'>,
    message: CallMessage | undefined,
    first: boolean,
  ): { stop(): void } {
    const { session, note } = lease;
    const wentBack = hasGoneBack(lease);
    return giveAnswers(
      {
        ...{ session, give, first, wentBack, early: earlyOf(lease) },
        takes: (ask) => isTakenElsewhere(client, ask),
        seen: message?.seen ?? note.seen,
      },
      message?.answers,
    );
  }

  /** It goes on by itself: nobody waits for it, and what it comes to is kept. */
  *#letGo(
    lease: CallLease,
    attachment: CallAttachment,
    message: CallMessage | undefined,
  ): Operation<CallSnapshot> {
    const { run, report } = this.#parts;
    const { held } = lease.lines ?? {};
    if (message?.bound !== undefined) lease.note = closedBy(lease.note, message, lease.session.rewinds());
    if (message || attachment.keeps) {
      const notes = callNoted(noteNow(lease, { ...lease.note, asks: lease.session.openAsks() }));
      yield* held?.append({ notes, taken: lease.taken.splice(0) }) ?? [];
    }
    if (lease.isAlone) return liveSnapshot(lease);
    const { keeps: _, ...rest } = attachment;
    const self = this;
    lease.isAlone = true;
    lease.attached += 1;
    run(function* () {
      try {
        yield* race([self.#run(lease, rest, 'alone', undefined), self.#expiring(lease)]);
      } finally {
        lease.isAlone = false;
      }
    }).catch((cause: unknown) => {
      if (!isParleyError(cause, 'CLAIM_LOST'))
        report(`the call '${lease.name.callId}' could not continue`, cause, 'state');
    });
    return liveSnapshot(lease);
  }

  /** Nobody can look at it after that. */
  *#expiring({ note, name }: CallLease): Operation<never> {
    const { until = Number.POSITIVE_INFINITY } = note;
    while (Date.now() < until) yield* sleep(Math.min(until - Date.now(), LONGEST));
    const lease = this.#leases.get(callKey(name));
    if (lease) yield* this.#take(lease, { id: '', digest: '', stop: 'it has expired' });
    return yield* suspend() as Operation<never>;
  }

  *#drive(
    lease: CallLease,
    attachment: CallAttachment,
    client: Client,
    { until, message }: { readonly until: Going; readonly message: CallMessage | undefined },
  ): Operation<CallSnapshot | undefined> {
    const { session } = lease;
    const opens = message?.bound !== undefined;
    const as = until === 'end' ? 'end' : 'blocked';
    let at = opens ? lease.at : (attachment.after ?? 0);
    let reached = false;
    try {
      for (;;) {
        const now = yield* drive(session, client, as, { after: at, leaving: attachment.leaving });
        reached = true;
        if (now.type === 'left') return undefined;
        if (now.type === 'aborted' && now.reason === PUT_AWAY) throw new ClaimLostError(lease.name.callId);
        if (now.type !== 'parked') return yield* this.#end(lease);
        at = now.at;
        if (opens) lease.at = at;
        if (failUnanswerable(session, client, now.asks)) continue;
        const isOthers = lease.pinned || lease.attached > 1;
        const waits =
          until === 'alone'
            ? !isOthers && isAtRest(session, now.asks)
            : isOthers || isAtRest(session, now.asks);
        if (waits && !lease.stopped) return yield* this.#wait(lease, attachment, now.asks, message);
        if (until !== 'alone' || !isOthers) yield* sleep(BUSY);
        // Nobody else goes on with it when it is answered; or those may leave.
        else if (lease.pinned) yield* session.nextEvent(at);
        else yield* race([session.nextEvent(at), lease.freed()]);
      }
    } finally {
      // It has been told all of this.
      if (opens && !reached) lease.at = session.events(lease.at).at(-1)?.at ?? lease.at;
    }
  }

  /** The call waits, for one that is attached: how it stands is written, and it is given back where nobody else is. */
  *#wait(
    lease: CallLease,
    { hand, stands }: CallAttachment,
    asks: readonly Ask[],
    message: CallMessage | undefined,
  ): Operation<CallSnapshot> {
    const { manager, newRound, ttl, waiting } = this.#parts;
    const { name, session } = lease;
    const { held } = lease.lines ?? {};
    const isLast = lease.attached === 1;
    const opens = message?.bound !== undefined;
    const rest = opens ? closedBy(lease.note, message, session.rewinds()) : lease.note;
    const note = noteNow(lease, { ...rest, asks: opens ? asks : session.openAsks() });
    if (isLast) lease.early = undefined;
    if (opens && !lease.pinned && !held) {
      const sealed = isLast
        ? hand?.seal(json({ journal: session.journal(), early: note.early ?? [] }))
        : undefined;
      if (sealed !== undefined) {
        this.#remove(lease);
        lease.isLeft = true;
        yield* manager.unload(name);
        return { ...recordSnapshot(lease), asks, round: sealed };
      }
      lease.pinned = true;
    }
    lease.note = opens ? { ...note, round: newRound(name), seen: attemptsOf(asks) } : note;
    if (!held) {
      if (this.#leases.get(callKey(name)) !== lease) throw new CallRefused('unknown');
      if (opens) lease.expires = Date.now() + ttl;
      yield* waiting?.keep(session, lease.note) ?? [];
    } else if (isLast) {
      lease.isLeft = true;
      lease.leaving = true;
      const isGood = !stands || stands(session);
      lease.aside = isGood ? manager.setAside(name, () => this.#remove(lease)) : undefined;
      try {
        if (!lease.aside) yield* manager.unload(name);
        // Only now all of its lines are written, or wait to be.
        yield* held.leave({
          ...{ notes: callNoted(lease.note), taken: lease.taken },
          due: nextDue(session.journal()),
        });
      } catch (error) {
        lease.aside?.putAway();
        lease.isLeft = false;
        throw error;
      } finally {
        lease.leaving = false;
        if (!lease.aside) this.#remove(lease);
      }
      // Only now: what keeps it may be writing, and is not broken off.
      lease.stopKeeping?.();
    } else yield* held.append({ notes: callNoted(lease.note), taken: lease.taken.splice(0) });
    this.#tell(lease);
    return recordSnapshot(lease);
  }

  /** The call is over. Whoever is attached comes here; one of them writes it down. */
  *#end(lease: CallLease): Operation<CallSnapshot> {
    const end = lease.stopped ?? lease.session.ended();
    if (lease.ending) yield* lease.ending;
    else {
      const { operation, resolve, reject } = withResolvers<void>('the end of the call is written');
      lease.ending = operation;
      const { early: _, ...note } = lease.note;
      const said = lease.isLookedAt && saidBy(lease.session, note);
      lease.note = { ...note, ...said, asks: [], ...(end && { end }) };
      try {
        yield* this.#writeEnd(lease);
        resolve();
      } catch (error) {
        // Who has no round cannot come back for what it came to.
        const isTold =
          lease.note.bound === undefined && !lease.isAlone && !isParleyError(error, 'CLAIM_LOST');
        if (!isTold) {
          reject(error instanceof Error ? error : new Error(String(error)));
          throw error;
        }
        this.#parts.report('the end of a call could not be saved', error, 'state');
      } finally {
        resolve();
      }
    }
    return recordSnapshot(lease);
  }

  *#writeEnd(lease: CallLease): Operation<void> {
    const { held } = lease.lines ?? {};
    if (lease.pinned) {
      // Nobody has a name for it, or it is known as long as the manager knows it.
      if (lease.isLookedAt) this.#tell(lease);
      else if (!lease.note.round) this.#drop(lease);
      else this.#know(lease);
      return;
    }
    this.#remove(lease);
    if (held) {
      yield* held.ended();
      // It asked nothing, did no step, and nobody has a round of it: there is nothing to keep.
      if (held.isKept) yield* held.leave({ notes: callNoted(lease.note), taken: lease.taken, ended: true });
    }
    lease.isLeft = true;
    lease.stopKeeping?.();
    this.#tell(lease);
  }

  /** What it came to is known for a while, should the response be lost. */
  #know(lease: CallLease): void {
    if (this.#leases.get(callKey(lease.name)) !== lease) return;
    const now = Date.now();
    lease.expires = now + KNOWN_FOR;
    this.#over.add(lease);
    for (const one of this.#over) {
      if (one.expires > now && this.#over.size <= MOST_KNOWN) return;
      this.#drop(one);
    }
  }

  /** The last one that was attached is gone, and has not left the call as it stands. */
  *#giveBack(lease: CallLease, isBroken: boolean): Operation<void> {
    if (lease.pinned) return;
    const { manager } = this.#parts;
    const { name, session } = lease;
    const { held } = lease.lines ?? {};
    this.#remove(lease);
    lease.isLeft = true;
    const end = lease.stopped ?? session.ended();
    if (isBroken && end && !lease.aside) yield* held?.endedBadly() ?? [];
    const asks = session.openAsks();
    yield* manager.unload(name);
    if (!held) return;
    const { stopKeeping } = lease;
    try {
      const notes = callNoted({ ...lease.note, early: [...earlyOf(lease)], asks });
      // Its client has seen what it asks, unless that is for it to come back with.
      const isSeen = asks.length > 0 && lease.note.bound === undefined;
      if (!end && (held.isKept || isSeen))
        return yield* held.leave({ notes, taken: lease.taken, due: nextDue(session.journal()) });
    } catch {
      // It is as it was written last.
    } finally {
      stopKeeping?.();
    }
    yield* held.release();
  }

  /** Keeps the claim of a call, and takes what is left for it meanwhile; returns what stops that. */
  #keep(lease: CallLease): (() => void) | undefined {
    const { store, run, report, manager } = this.#parts;
    const { held } = lease.lines ?? {};
    if (!held || !store) return undefined;
    const stopRenewing = held.keepUp({ manager, report, run });
    const doing = (what: () => Operation<void>) => {
      run(what).catch((cause: unknown) => {
        // It is given back meanwhile, with all of this.
        if (!isParleyError(cause, 'CLAIM_LOST')) report('a call could not be saved', cause, 'state');
      });
    };
    let writing: ReturnType<typeof setTimeout> | undefined;
    const news = () => {
      // Most are given back before that.
      writing ??= setTimeout(() => {
        writing = undefined;
        doing(() => this.#write(lease));
      }, NEWS);
    };
    if (lease.session.openAsks().length > 0) news();
    const stopFollowing = lease.session.subscribe((event) => {
      if ('ask' in event || event.type === 'ask_closed') news();
    });
    const stopLooking = store.watch(lease.name, () => doing(() => this.#look(lease)));
    return () => {
      clearTimeout(writing);
      stopFollowing();
      stopLooking();
      stopRenewing();
      lease.stopKeeping = undefined;
    };
  }

  /** Takes what was left for a call that is here, and tells everybody how it stands then. */
  *#look(lease: CallLease): Operation<void> {
    const { store } = this.#parts;
    const { held } = lease.lines ?? {};
    if (!store || !held?.claim || !lease.isHere) return;
    try {
      const inbox = yield* store.take(held.claim);
      if (inbox.every(({ id }) => lease.taken.includes(id))) return;
      yield* this.#takeInbox(lease, inbox);
    } catch (error) {
      if (!isParleyError(error, 'CLAIM_LOST')) throw error;
      return yield* this.#lost(lease);
    }
    yield* lease.session.settled();
    yield* this.#write(lease);
  }

  /** Somebody else has it now: they have stopped it, or it had lapsed. */
  *#lost(lease: CallLease): Operation<void> {
    this.#remove(lease);
    const kept = yield* this.#parts.store?.read(lease.name) ?? [];
    const note = kept && callNoteIn(kept.notes);
    if (note?.end?.type === 'aborted') {
      // Whoever is attached hears of it; it is written down already.
      lease.note = note;
      lease.ending = { *[Symbol.iterator]() {} };
      yield* lease.session.abort(note.end.reason);
    }
    yield* this.#parts.manager.unload(lease.name);
  }

  /** Writes how a call stands that is here, and stays. */
  *#write(lease: CallLease): Operation<void> {
    const { session, note, lines } = lease;
    if (!lease.isHere || lease.ending || lease.stopped) return;
    const notes = callNoted(noteNow(lease, { ...note, asks: session.openAsks() }));
    yield* lines?.held?.append({ notes, taken: lease.taken.splice(0) }) ?? [];
    lease.isWatched = true;
    this.#tell(lease);
  }

  *#takeInbox(lease: CallLease, inbox: readonly InboxMessage[]): Operation<void> {
    lease.inbox = [];
    for (const { id, digest, body } of inbox) {
      if (lease.taken.includes(id)) continue;
      lease.taken.push(id);
      const { capabilities, ...said } = Object(body) as InboxBody;
      const message: CallMessage = { ...said, id, digest };
      if (judge(lease.note, message) !== 'new') continue;
      if (message.bound === undefined) yield* this.#take(lease, message);
      else this.#takeRound(lease, message, capabilities);
    }
  }

  /** A message that opens a round, brought to another process: its client is attached here, and reads there what it came to. */
  #takeRound(lease: CallLease, message: CallMessage, capabilities: ClientCapabilities = {}): void {
    const { run, report } = this.#parts;
    const can = (ask: Ask) => canAnswer(capabilities, ask);
    const client: Client = { name: 'a client elsewhere', capabilities: () => capabilities, can };
    const attachment: CallAttachment = {
      client,
      resume: () => {
        throw new CallRefused('closed');
      },
    };
    run(() => this.attach(lease.name, attachment, 'blocked', message)).catch((cause: unknown) => {
      if (!(cause instanceof CallRefused)) report('a message to a call could not be taken', cause, 'state');
    });
  }

  /** A message for a call that is here, of nobody who is attached. */
  *#take(lease: CallLease, message: CallMessage): Operation<void> {
    const { session, note } = lease;
    const { id, digest, stop, answers, seen } = message;
    if (stop !== undefined) return yield* this.#stopHere(lease, stop);
    lease.note = { ...note, taken: [...(note.taken ?? []), { id, digest }].slice(-MOST_TAKEN) };
    const wentBack = hasGoneBack(lease);
    const giving = giveAnswers(
      {
        ...{ session, give: this.#parts.give, first: false, wentBack, early: earlyOf(lease), seen },
        // What only the person in the editor may answer is answered there. What is early is for who attaches.
        takes: (ask) =>
          Object.hasOwn(answers ?? {}, ask.wireKey) && (ask.kind !== 'elicit' || ask.inEditor !== true),
      },
      answers,
    );
    giving.stop();
    for (const durable of giving.given) yield* durable;
  }

  /** Ends a call that is here: that is written before its code is halted, and stays, whatever becomes of it and of this process. */
  *#stopHere(lease: CallLease, reason: string): Operation<void> {
    const { run, report } = this.#parts;
    const { session, lines } = lease;
    if (lease.stopped || lease.ending) return yield* lease.ending ?? [];
    const end = abortedBy(reason);
    lease.stopped = end;
    const note = { ...lease.note, asks: [], end };
    try {
      if (lines?.held?.isKept)
        yield* lines.held.append({ notes: callNoted(note), taken: lease.taken.splice(0), ended: true });
    } catch (error) {
      lease.stopped = undefined;
      throw error;
    }
    lease.note = note;
    this.#tell(lease);
    run(() => session.abort(reason)).catch((cause: unknown) =>
      report('a call that was stopped did not end well', cause, 'state'),
    );
    if (lease.attached === 0) yield* this.#end(lease);
  }

  /** Ends a call that nobody here has, in one write: its cleanup ran when it was left, or runs where its claim is lost by this. */
  *#stop(name: CallName, reason: string): Operation<Sent> {
    const { store } = this.#parts;
    if (!store) return 'unknown';
    let outcome = yield* store.claim(name);
    for (let pause = BUSY; outcome.type === 'held' && pause < PATIENCE; pause *= 2) {
      yield* sleep(pause);
      outcome = yield* store.claim(name);
    }
    if (outcome.type === 'held') outcome = yield* store.claim(name, true);
    if (outcome.type !== 'claimed') return 'unknown';
    const { claim, call } = outcome;
    const note = callNoteIn(call.notes) ?? { asks: [] };
    const held = new HeldCall(store, claim, call.lineCount);
    if (note.end) yield* held.release();
    else yield* held.leave({ notes: callNoted({ ...note, asks: [], end: abortedBy(reason) }), ended: true });
    this.#tellOf(name, true);
    return note.end ? 'closed' : 'left';
  }

  /** How a call that is here stands has changed: others are told where there may be any. */
  #tell({ name, isLookedAt, isWatched, taken }: CallLease): void {
    this.#tellOf(name, isLookedAt || isWatched || taken.length > 0);
  }

  /** Nobody waits for others to hear it. */
  #tellOf(name: CallName, all: boolean): void {
    const { store, run } = this.#parts;
    this.#watchers.tell(name);
    if (all && store) run(() => store.tell(name)).catch(() => {});
  }

  #hold(lease: CallLease): CallLease {
    const { manager } = this.#parts;
    this.#stopListening ??= manager.subscribe(({ type, session }) => {
      const known = type === 'started' ? undefined : this.#bySession.get(session);
      if (!known?.pinned) return;
      // One that nobody comes back for is forgotten as it ends.
      queueMicrotask(() => {
        if (manager.get(known.name) !== session) this.#drop(known);
      });
    });
    this.#leases.set(callKey(lease.name), lease);
    this.#bySession.set(lease.session, lease);
    this.#watchers.here(lease);
    return lease;
  }

  #remove(lease: CallLease): void {
    const key = callKey(lease.name);
    if (this.#leases.get(key) === lease) this.#leases.delete(key);
    this.#over.delete(lease);
    if (this.#leases.size > 0) return;
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  #drop(lease: CallLease): void {
    this.#remove(lease);
    this.#parts.manager.forget(lease.name);
    this.#tellOf(lease.name, false);
  }
}

/** How a call stands for one who comes with a message: whether that is all, or it goes on. @throws `CallRefused` */
function isOver(note: CallNote, message: CallMessage | undefined): boolean {
  if (isExpired(note)) throw new CallRefused('unknown');
  if (!message) return note.end !== undefined;
  const judged = judge(note, message);
  if (judged !== 'new' && judged !== 'again') throw new CallRefused(judged);
  return judged === 'again';
}

function isPast({ header, notes }: StoredCall, message: CallMessage | undefined): boolean {
  if (isNewerJournal(header)) throw new CallRefused('newer');
  return isOver(callNoteIn(notes) ?? { asks: [] }, message);
}

/** A message opens the round. */
function openedBy(note: CallNote, message: CallMessage | undefined): CallNote {
  return message?.bound === undefined ? note : { ...note, opened: message.digest };
}

/** The round that a message has opened is over; the first had no name. */
function closedBy(note: CallNote, message: CallMessage | undefined, rewinds = 0): CallNote {
  const { round: _, opened: __, seen: ___, rewinds: ____, ...rest } = note;
  const closed = message?.id ? { closed: { id: message.id, digest: message.digest } } : {};
  return { ...rest, ...closed, ...(rewinds > 0 && { rewinds }) };
}

/** Whether a call has gone back since its client was answered last; then nothing counts that is early. */
function hasGoneBack(lease: CallLease): boolean {
  const { note, session } = lease;
  const rewinds = session.rewinds();
  if (rewinds === (note.rewinds ?? 0)) return false;
  earlyOf(lease).clear();
  // Who comes back by rounds hears of it with the next.
  if (note.bound === undefined) lease.note = { ...note, rewinds };
  return true;
}

function attemptsOf(asks: readonly Ask[]): NonNullable<CallNote['seen']> {
  return Object.fromEntries(asks.map(({ id, attempt }) => [id, attempt]));
}

function nameOf({ principal, id }: Session, conversation = ''): CallName {
  return { principal, conversation, callId: id };
}

/** Where those go on who come back: behind the questions that they know. */
function behindQuestions(session: Session): number {
  return session.events().findLast((event) => 'ask' in event)?.at ?? 0;
}

/** Whether it does nothing but wait for answers. One that is being checked is on its way. */
function isAtRest(session: Session, asks: readonly Ask[]): boolean {
  return !session.isAtWork(Date.now()) && asks.every(({ id }) => session.awaitsAnswer(id));
}

/** What is left in an inbox of a message: the rest of it, and what its client can do. */
type InboxBody = Omit<CallMessage, 'id' | 'digest'> & { readonly capabilities?: ClientCapabilities };

function inboxed({ id, digest, ...said }: CallMessage, client?: Client): InboxMessage {
  return { id, digest, body: json({ ...said, ...(client && { capabilities: client.capabilities() }) }) };
}

function json(value: object): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}
