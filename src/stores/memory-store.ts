import type { Operation } from 'effection';
import { SessionExistsError } from '../core/errors/session-errors.ts';
import { ClaimLostError } from '../core/errors/store-errors.ts';
import type { JsonValue } from '../core/messages/json.ts';
import { checkOptions } from '../core/schema/check-options.ts';
import { addLoad, crowd, type Load } from '../runtime/data/crowd.ts';
import { callKey } from '../runtime/journal/call-key.ts';
import {
  type Append,
  type CallName,
  type CallStore,
  type CallSummary,
  type Claim,
  type ClaimOutcome,
  type DueCall,
  type EventAppend,
  type InboxMessage,
  type LeaveOutcome,
  type ListOptions,
  MOST_MESSAGES,
  type NewCall,
  type StoredCall,
} from '../runtime/journal/call-store.ts';
import { type StoreBounds, storeBounds } from './bounds.ts';
import { callIsFull, storeIsFull } from './full.ts';
import { Lapses, storeClocks } from './lapses.ts';
import { Notices } from './notices.ts';
import { type CallFacts, NOTHING, noted, written } from './written.ts';

/** What `createMemoryStore` takes. */
export interface MemoryStoreOptions {
  readonly bounds?: StoreBounds;
  /** Milliseconds since the epoch; `Date.now` by default. */
  now?(): number;
}

/** All content as JSON, so that who reads it has a copy, like from any other store. */
interface Kept {
  readonly name: CallName;
  readonly header: string;
  notes: string;
  readonly lines: string[];
  facts: CallFacts;
  fence: number;
  /** A process holds it, unless its claim lapsed. */
  owned: boolean;
  events: string[];
  /** Messages by their ids, as JSON, in the order in which they came. */
  readonly inbox: Map<string, string>;
  touched: number;
  size: number;
  eventSize: number;
  inboxSize: number;
}

/** Keeps calls as long as the process lives: for tests, and where a call need not outlive it. */
export function createMemoryStore(options: MemoryStoreOptions = {}): CallStore {
  checkOptions('createMemoryStore', options, ['bounds', 'now']);
  return new MemoryStore(options);
}

class MemoryStore implements CallStore {
  /** In the order in which they were touched. */
  readonly #calls = new Map<string, Kept>();
  readonly #bounds: Required<StoreBounds>;
  readonly #now: () => number;
  readonly #lapses: Lapses;
  readonly #notices = new Notices();
  /** Of the last claim of any call. */
  #fence = 0;

  constructor({ bounds, now }: MemoryStoreOptions) {
    const clocks = storeClocks(now);
    this.#bounds = storeBounds(bounds);
    this.#now = clocks.now;
    this.#lapses = new Lapses(clocks);
  }

  *begin(call: NewCall): Operation<Claim> {
    const key = callKey(call.name);
    if (this.#calls.has(key)) throw new SessionExistsError({ callId: call.name.callId });
    const kept: Kept = {
      name: { ...call.name },
      header: JSON.stringify(call.header),
      notes: '{}',
      lines: [],
      facts: NOTHING,
      fence: ++this.#fence,
      owned: true,
      events: [],
      inbox: new Map(),
      touched: 0,
      size: 0,
      eventSize: 0,
      inboxSize: 0,
    };
    const size = this.#write(kept, { ...call, at: 0 });
    this.#makeRoom(call.name.principal, size);
    this.#touch(kept);
    return { name: { ...kept.name }, fence: kept.fence };
  }

  *append(claim: Claim, what: Append): Operation<void> {
    const kept = this.#mine(claim);
    this.#write(kept, what);
    for (const id of what.taken ?? []) {
      kept.inboxSize -= kept.inbox.get(id)?.length ?? 0;
      kept.inbox.delete(id);
    }
    if (what.release) kept.owned = false;
    this.#touch(kept);
  }

  *appendEvents(claim: Claim, { replace, events }: EventAppend): Operation<void> {
    const kept = this.#mine(claim);
    const texts = events.map((event) => JSON.stringify(event));
    const size = texts.reduce((sum, { length }) => sum + length, replace ? 0 : kept.eventSize);
    if (size > this.#bounds.callBytes) throw callIsFull(claim.name, this.#bounds);
    kept.events = replace ? texts : [...kept.events, ...texts];
    kept.eventSize = size;
  }

  *read(name: CallName): Operation<StoredCall | undefined> {
    const kept = this.#calls.get(callKey(name));
    return kept && this.#stored(kept);
  }

  *readEvents(name: CallName): Operation<readonly JsonValue[]> {
    return this.#calls.get(callKey(name))?.events.map((text): JsonValue => JSON.parse(text)) ?? [];
  }

  *claim(name: CallName, anyway?: true): Operation<ClaimOutcome> {
    const kept = this.#calls.get(callKey(name));
    if (!kept) return { type: 'unknown' };
    if (!anyway && this.#isHeld(kept)) return { type: 'held' };
    kept.fence = ++this.#fence;
    kept.owned = true;
    this.#touch(kept);
    return { type: 'claimed', claim: { name: { ...name }, fence: kept.fence }, call: this.#stored(kept) };
  }

  *renew(claim: Claim): Operation<void> {
    this.#touch(this.#mine(claim));
  }

  *release(claim: Claim): Operation<void> {
    const kept = this.#calls.get(callKey(claim.name));
    if (!kept?.owned || kept.fence !== claim.fence) return;
    kept.owned = false;
    this.#touch(kept);
  }

  *leave(name: CallName, message: InboxMessage): Operation<LeaveOutcome> {
    const kept = this.#calls.get(callKey(name));
    if (!kept) return 'unknown';
    if (kept.facts.ended) return 'closed';
    const waits = kept.inbox.get(message.id);
    if (waits !== undefined)
      return (JSON.parse(waits) as InboxMessage).digest === message.digest ? 'again' : 'other';
    const text = JSON.stringify(message);
    const isFull = kept.inbox.size >= MOST_MESSAGES || kept.inboxSize + text.length > this.#bounds.callBytes;
    if (isFull) return 'full';
    kept.inbox.set(message.id, text);
    kept.inboxSize += text.length;
    yield* this.tell(name);
    return 'left';
  }

  *take(claim: Claim): Operation<readonly InboxMessage[]> {
    return [...this.#mine(claim).inbox.values()].map((text): InboxMessage => JSON.parse(text));
  }

  *tell(name: CallName): Operation<void> {
    this.#notices.tell(callKey(name));
  }

  watch(name: CallName, look: () => void): () => void {
    return this.#notices.watch(callKey(name), look);
  }

  *due(limit = 100): Operation<readonly DueCall[]> {
    const now = this.#now();
    const found: DueCall[] = [];
    for (const [key, kept] of this.#calls) {
      const { name, facts, touched } = kept;
      if (this.#isHeld(kept)) continue;
      if (touched + this.#bounds.age <= now) this.#calls.delete(key);
      else if (facts.ended || found.length >= limit) continue;
      else if (facts.due !== null && facts.due <= now) found.push({ name, why: 'timer' });
      else if (kept.owned) found.push({ name, why: 'orphan' });
      else if (kept.inbox.size > 0) found.push({ name, why: 'message' });
    }
    return found;
  }

  *list(options: ListOptions = {}): Operation<readonly CallSummary[]> {
    const { principal, conversation, ended, limit = 100, before = Number.POSITIVE_INFINITY } = options;
    return [...this.#calls.values()]
      .filter(
        ({ name, facts, touched }) =>
          (principal === undefined || name.principal === principal) &&
          (conversation === undefined || name.conversation === conversation) &&
          (ended === undefined || facts.ended === ended) &&
          touched < before,
      )
      .toReversed()
      .slice(0, limit)
      .map((kept) => this.#summary(kept));
  }

  *forget(name: CallName): Operation<boolean> {
    return this.#calls.delete(callKey(name));
  }

  #mine({ name, fence }: Claim): Kept {
    const kept = this.#calls.get(callKey(name));
    if (!kept?.owned || kept.fence !== fence) throw new ClaimLostError({ callId: name.callId });
    return kept;
  }

  #isHeld({ owned, touched }: Kept): boolean {
    return owned && !this.#lapses.isOver(touched);
  }

  /** Gives how large the call is then. @throws `StoreFullError` */
  #write(kept: Kept, what: Append): number {
    const { added, ...facts } = written(kept.facts, what);
    const lines = added.map((line) => JSON.stringify(line));
    const notes = what.notes ? JSON.stringify(noted(JSON.parse(kept.notes), what.notes)) : kept.notes;
    const before = kept.size || kept.header.length + kept.notes.length;
    const size = lines.reduce((sum, { length }) => sum + length, before - kept.notes.length + notes.length);
    if (size > Math.max(kept.size, this.#bounds.callBytes)) throw callIsFull(kept.name, this.#bounds);
    kept.lines.push(...lines);
    Object.assign(kept, { notes, facts, size });
    return size;
  }

  #touch(kept: Kept): void {
    const key = callKey(kept.name);
    kept.touched = this.#now();
    this.#calls.delete(key);
    this.#calls.set(key, kept);
  }

  #stored(kept: Kept): StoredCall {
    return { ...this.#summary(kept), lines: kept.lines.map((text): JsonValue => JSON.parse(text)) };
  }

  #summary(kept: Kept): CallSummary {
    const { name, inbox, touched, size, facts } = kept;
    return {
      name: { ...name },
      header: JSON.parse(kept.header),
      notes: JSON.parse(kept.notes),
      lineCount: facts.lines,
      inbox: inbox.size,
      due: facts.due ?? undefined,
      ended: facts.ended,
      held: this.#isHeld(kept),
      touched,
      size,
    };
  }

  #makeRoom(principal: string, bytes: number): void {
    const loads = new Map<string, Load>();
    for (const kept of this.#calls.values()) addLoad(loads, kept.name.principal, loadOf(kept));
    for (;;) {
      const full = crowd(loads, principal, { calls: 1, bytes }, this.#bounds);
      if (!full) return;
      const ended = (kept: Kept) => kept.facts.ended && !(full.own && kept.name.principal !== principal);
      let gone = this.#drop(ended);
      for (const whose of full.most) gone ??= this.#drop((kept) => kept.name.principal === whose);
      if (!gone) throw storeIsFull(full.full);
      addLoad(loads, gone.name.principal, loadOf(gone), -1);
    }
  }

  /** Throws away the oldest of some that nobody holds. */
  #drop(which: (kept: Kept) => boolean): Kept | undefined {
    for (const [key, kept] of this.#calls) {
      if (this.#isHeld(kept) || !which(kept)) continue;
      this.#calls.delete(key);
      return kept;
    }
    return undefined;
  }
}

function loadOf({ size, eventSize, inboxSize }: Kept): Load {
  return { calls: 1, bytes: size + eventSize + inboxSize };
}
