import { SessionExistsError } from '../../core/errors/session-errors.ts';
import { ClaimLostError } from '../../core/errors/store-errors.ts';
import type {
  Append,
  CallName,
  Claim,
  ClaimOutcome,
  EventAppend,
  NewCall,
} from '../../runtime/journal/call-store.ts';
import { factsOf, newIn } from '../entries.ts';
import { callIsFull } from '../full.ts';
import { type CallFile, type FileEntry, isHeld, write } from './call-file.ts';
import { stored } from './kept-calls.ts';
import type { CallPaths } from './layout.ts';
import { appendLog, createLog, ifThere, type LogFile, readLog, replaceLog, touch } from './log-file.ts';
import { Marks } from './marks.ts';
import type { Opened } from './opened.ts';
import { thisProcess } from './owner.ts';

/** A call that this store holds: what it takes to write to it without reading it. */
interface Held {
  call: CallFile;
  events: LogFile | undefined;
  /** What was asked for last: one write at a time. */
  turn: Promise<unknown>;
}

/** More turns than two processes can be in each other's way. */
const TRIES = 20;

/** The calls that this process holds, and all that one may do only while holding one. */
export class CallsHeldInFiles {
  readonly #store: Opened;
  readonly #held = new Map<string, Held>();

  constructor(store: Opened) {
    this.#store = store;
  }

  async begin(call: NewCall): Promise<Claim> {
    const { disk, layout, marks, room, bounds } = this.#store;
    const { name } = call;
    const paths = layout.of(name);
    if (await this.#isTaken(paths)) throw new SessionExistsError(name.callId);
    const entry: FileEntry = { t: 'begin', owner: thisProcess(), ...call };
    if (!fits(entry, bounds)) throw callIsFull(name, bounds);
    await room.admit(name.principal, JSON.stringify(entry).length, (id, waits) => this.#mayGo(id, waits));
    await marks.put(Marks.nameOf('held', paths.id), JSON.stringify(entry.owner));
    await this.#markEnd(paths, call);
    await disk.mkdir(paths.folder, 0o700);
    const sealing = this.#store.sealing(paths, 'journal');
    const log = await createLog(paths.journal, sealing, [entry]).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? new SessionExistsError(name.callId) : error;
    });
    this.#keep({ paths, sealing, log, facts: factsOf([entry]) });
    return { name: { ...name }, fence: 1 };
  }

  async claim(name: CallName): Promise<ClaimOutcome> {
    const { layout, marks, lapses, now } = this.#store;
    const paths = layout.of(name);
    const owner = thisProcess();
    for (let tries = 0; tries < TRIES; tries += 1) {
      const call = await this.#store.read(paths);
      if (!call) return { type: 'unknown' };
      if (isHeld(call, lapses)) return { type: 'held' };
      const marked = marks.put(Marks.nameOf('held', paths.id), JSON.stringify(owner));
      const fence = call.facts.fence + 1;
      const [written] = await Promise.all([write(call, { t: 'claim', fence, owner }, marked), marked]);
      if (written === 'gone') return { type: 'unknown' };
      if (written !== 'written') continue;
      this.#keep(call);
      const kept = stored(this.#store, call);
      if (!kept) return { type: 'unknown' };
      const claim = { name: { ...name }, fence };
      return { type: 'claimed', claim, call: { ...kept, held: true, touched: now() } };
    }
    return { type: 'held' };
  }

  async append(claim: Claim, what: Append): Promise<void> {
    await this.#with(claim, async (held) => {
      const { marks } = this.#store;
      const { paths } = held.call;
      const before = held.call.facts.due;
      await this.#markEnd(paths, what);
      await this.#write(held, claim, () => ({ t: 'append', ...newIn(what, held.call.facts) }));
      if (before !== undefined && held.call.facts.due !== before)
        await marks.drop(Marks.nameOf('due', paths.id, before));
      // In the same turn: what was asked for meanwhile would be written between the two, and count.
      if (what.release) await this.#giveBack(held, claim).catch(unlessLost);
    });
  }

  async appendEvents(claim: Claim, { replace, events }: EventAppend): Promise<void> {
    await this.#with(claim, async (held) => {
      await this.#look(held, claim);
      const { paths } = held.call;
      const sealing = this.#store.sealing(paths, 'events');
      held.events ??= replace ? undefined : (await readLog(paths.events, sealing))?.log;
      if (held.events && !replace) {
        const appended = await appendLog(held.events, sealing, events);
        if (appended === 'written') return;
        if (appended === 'full') throw callIsFull(claim.name, this.#store.bounds);
      }
      const kept = replace ? [] : ((await readLog(paths.events, sealing))?.values ?? []);
      const all = [...kept, events];
      if (!fits(all, this.#store.bounds)) throw callIsFull(claim.name, this.#store.bounds);
      held.events = await replaceLog(paths.events, sealing, all);
    });
  }

  async renew(claim: Claim): Promise<void> {
    await this.#with(claim, async (held) => {
      await this.#look(held, claim);
      if (!(await touch(this.#store.disk, held.call.paths.journal, this.#store.now())))
        throw this.#lost(claim);
    });
  }

  async release(claim: Claim): Promise<void> {
    await this.#with(claim, (held) => this.#giveBack(held, claim)).catch(unlessLost);
  }

  async #giveBack(held: Held, claim: Claim): Promise<void> {
    const { id } = held.call.paths;
    try {
      await this.#write(held, claim, () => ({ t: 'release' }));
      await this.#store.marks.drop(Marks.nameOf('held', id));
    } finally {
      if (this.#held.get(id) === held) this.#held.delete(id);
    }
  }

  /** Runs one piece of work on a held call, behind what was asked for before. */
  async #with<T>(claim: Claim, work: (held: Held) => Promise<T>): Promise<T> {
    const paths = this.#store.layout.of(claim.name);
    let held = this.#held.get(paths.id);
    if (!held) {
      const call = await this.#store.read(paths);
      if (!call) throw this.#lost(claim);
      held = this.#held.get(paths.id) ?? { call, events: undefined, turn: Promise.resolve() };
    }
    const mine = held;
    const done = mine.turn.then(async () => {
      this.#check(mine, claim);
      return await work(mine);
    });
    mine.turn = done.catch(() => {});
    return await done;
  }

  #check({ call: { facts } }: Held, claim: Claim): void {
    if (facts.fence !== claim.fence || !facts.owner) throw this.#lost(claim);
  }

  async #write(held: Held, claim: Claim, entry: () => FileEntry): Promise<void> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const written = await write(held.call, entry());
      if (written === 'written') return;
      if (written === 'full') throw callIsFull(claim.name, this.#store.bounds);
      await this.#read(held, claim);
    }
    throw new Error(`${held.call.paths.journal} changes faster than it can be written`);
  }

  /** Sees to it that nobody has taken the call up meanwhile. */
  async #look(held: Held, claim: Claim): Promise<void> {
    const { paths, log } = held.call;
    const size = await this.#store.disk.stat(paths.journal).then(({ size }) => size, ifThere(-1));
    if (size !== log.size) await this.#read(held, claim);
  }

  async #read(held: Held, claim: Claim): Promise<void> {
    const call = await this.#store.read(held.call.paths);
    if (!call) throw this.#lost(claim);
    held.call = call;
    this.#check(held, claim);
  }

  #lost({ name }: Claim): Error {
    this.#held.delete(this.#store.layout.of(name).id);
    return new ClaimLostError(name.callId);
  }

  #keep(call: CallFile): void {
    this.#held.set(call.paths.id, { call, events: undefined, turn: Promise.resolve() });
  }

  async #markEnd({ id }: CallPaths, { due, ended }: Pick<Append, 'due' | 'ended'>): Promise<void> {
    if (typeof due === 'number') await this.#store.marks.put(Marks.nameOf('due', id, due));
    if (ended) await this.#store.marks.put(Marks.nameOf('ended', id, this.#store.now()));
  }

  /** A file whose first line was never finished is no call: who began it is dead, or still at it. */
  async #isTaken(paths: CallPaths): Promise<boolean> {
    if (await this.#store.read(paths)) return true;
    const touched = await this.#store.disk
      .stat(paths.journal)
      .then(({ mtimeMs }) => mtimeMs, ifThere(undefined));
    if (touched === undefined) return false;
    if (!this.#store.lapses.isOver(touched)) return true;
    await this.#store.disk.unlink(paths.journal).catch(ifThere(undefined));
    return false;
  }

  async #mayGo(id: string, waits: boolean): Promise<boolean> {
    const call = await this.#store.tryToRead(this.#store.layout.at(id));
    return !call || ((waits || call.facts.ended) && !isHeld(call, this.#store.lapses));
  }
}

/** What somebody else holds now need not be given back. */
function unlessLost(error: unknown): void {
  if (!(error instanceof ClaimLostError)) throw error;
}

/** Whether a value will fit into a file of its own: sealed, it is a third longer. */
function fits(value: unknown, { callBytes }: { readonly callBytes: number }): boolean {
  return JSON.stringify(value).length * 1.4 <= callBytes;
}
