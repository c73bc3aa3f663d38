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
import { advance, contentOf, factsOf, newIn, type StoredEntry, type StoredFacts } from './entries.ts';
import { callIsFull, storeIsFull } from './full.ts';
import { Lapses, storeClocks } from './lapses.ts';
import { Notices } from './notices.ts';

/** What `createMemoryStore` takes. */
export interface MemoryStoreOptions {
  readonly bounds?: StoreBounds;
  /** Milliseconds since the epoch; `Date.now` by default. */
  now?(): number;
}

type MemoryEntry = StoredEntry<true>;

interface Kept {
  readonly name: CallName;
  /** As JSON, so that who reads them has a copy, like from any other store. */
  readonly entries: string[];
  facts: StoredFacts<true>;
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

  constructor({ bounds, now }: MemoryStoreOptions) {
    const clocks = storeClocks(now);
    this.#bounds = storeBounds(bounds);
    this.#now = clocks.now;
    this.#lapses = new Lapses(clocks);
  }

  *begin(call: NewCall): Operation<Claim> {
    const key = callKey(call.name);
    if (this.#calls.has(key)) throw new SessionExistsError(call.name.callId);
    const entry: MemoryEntry = { t: 'begin', owner: true, ...call };
    const text = JSON.stringify(entry);
    if (text.length > this.#bounds.callBytes) throw callIsFull(call.name, this.#bounds);
    this.#makeRoom(call.name.principal, text.length);
    this.#calls.set(key, {
      name: { ...call.name },
      entries: [text],
      facts: factsOf([entry]),
      events: [],
      inbox: new Map(),
      touched: this.#now(),
      size: text.length,
      eventSize: 0,
      inboxSize: 0,
    });
    return { name: { ...call.name }, fence: 1 };
  }

  *append(claim: Claim, what: Append): Operation<void> {
    const kept = this.#mine(claim);
    this.#write(kept, { t: 'append', ...newIn(what, kept.facts) });
    for (const id of what.taken ?? []) {
      kept.inboxSize -= kept.inbox.get(id)?.length ?? 0;
      kept.inbox.delete(id);
    }
    if (what.release) this.#write(kept, { t: 'release' });
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

  *claim(name: CallName): Operation<ClaimOutcome> {
    const kept = this.#calls.get(callKey(name));
    if (!kept) return { type: 'unknown' };
    if (this.#isHeld(kept)) return { type: 'held' };
    const fence = kept.facts.fence + 1;
    this.#write(kept, { t: 'claim', fence, owner: true });
    const call = this.#stored(kept);
    if (!call) return { type: 'unknown' };
    return { type: 'claimed', claim: { name: kept.name, fence }, call };
  }

  *renew(claim: Claim): Operation<void> {
    this.#touch(this.#mine(claim));
  }

  *release(claim: Claim): Operation<void> {
    const kept = this.#calls.get(callKey(claim.name));
    if (kept?.facts.fence === claim.fence && kept.facts.owner) this.#write(kept, { t: 'release' });
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
      else if (facts.due !== undefined && facts.due <= now) found.push({ name, why: 'timer' });
      else if (facts.owner) found.push({ name, why: 'orphan' });
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
      .flatMap((kept) => {
        const { lines: _, ...summary } = this.#stored(kept) ?? { lines: [] };
        return 'name' in summary ? [summary] : [];
      });
  }

  *forget(name: CallName): Operation<boolean> {
    return this.#calls.delete(callKey(name));
  }

  #mine({ name, fence }: Claim): Kept {
    const kept = this.#calls.get(callKey(name));
    if (!kept || kept.facts.fence !== fence || !kept.facts.owner) throw new ClaimLostError(name.callId);
    return kept;
  }

  #isHeld({ facts, touched }: Kept): boolean {
    return facts.owner !== undefined && !this.#lapses.isOver(touched);
  }

  #write(kept: Kept, entry: MemoryEntry): void {
    const text = JSON.stringify(entry);
    if (entry.t === 'append' && kept.size + text.length > this.#bounds.callBytes) {
      throw callIsFull(kept.name, this.#bounds);
    }
    kept.entries.push(text);
    kept.size += text.length;
    kept.facts = advance(kept.facts, entry);
    this.#touch(kept);
  }

  #touch(kept: Kept): void {
    const key = callKey(kept.name);
    kept.touched = this.#now();
    this.#calls.delete(key);
    this.#calls.set(key, kept);
  }

  #stored(kept: Kept): StoredCall | undefined {
    const content = contentOf(kept.entries.map((text): MemoryEntry => JSON.parse(text)));
    if (!content) return undefined;
    const { facts, inbox, touched, size } = kept;
    const { lineCount, due, ended } = facts;
    return { ...content, lineCount, inbox: inbox.size, due, ended, held: this.#isHeld(kept), touched, size };
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
