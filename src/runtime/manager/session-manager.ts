import { createScope, ensure, type Operation, resource, type Scope } from 'effection';
import { CallEndedError } from '../../core/errors/call-errors.ts';
import { SessionExistsError, SessionLimitError } from '../../core/errors/session-errors.ts';
import { MAKE_AGAIN } from '../../core/messages/stopped-text.ts';
import { toolOf } from '../../core/plugin/offer.ts';
import { defined } from '../../core/schema/defined.ts';
import { ClockContext } from '../../core/world/clock.ts';
import { codeVersionOf } from '../../core/world/code-version.ts';
import { type Ids, IdsContext } from '../../core/world/ids.ts';
import { allWritten } from '../call/all-written.ts';
import { Call } from '../call/call.ts';
import type { CallKeeper } from '../call/call-options.ts';
import { sizeOf } from '../data/size-of.ts';
import { readJournal, takeUp } from '../journal/take-up.ts';
import { RELEASED } from '../session/events.ts';
import { FaultsContext, type ReportFault } from '../session/faults.ts';
import type { Session } from '../session/session.ts';
import type { TimeSource } from '../time/machine-clock.ts';
import { Timers } from '../time/timers.ts';
import { callBounds, SHARE, TOTAL } from './bounds.ts';
import { CallCache } from './call-cache.ts';
import { checkedCall } from './checked-call.ts';
import { type Entry, entryKey, type Starting } from './entry.ts';
import { Expiring } from './expiring.ts';
import { headerOf } from './journal-header.ts';
import type {
  CachedCall,
  CreateSession,
  ManagerOptions,
  NewVersion,
  ResumeSession,
  SessionChange,
  SessionManager,
  SessionName,
} from './manager.ts';
import { continueWith } from './new-version.ts';
import { Shares } from './shares.ts';
import { startCall } from './start-call.ts';
import { takenUpCall } from './taken-up-call.ts';

const HOUR = 3_600_000;
/** What a call that has ended may keep with its journal, bytes: more, and only its end is there to fetch. */
const SMALL = 65_536;

/**
 * Makes the manager of all calls. A resource: when its scope ends, its calls are aborted, and their cleanup is waited
 * for no longer than the grace.
 *
 * @example
 * const manager = yield* createSessionManager();
 * const session = yield* manager.create({ tool: greet, params: { greeting: 'Hello' } });
 * const end = yield* drive(session, client, 'end');
 */
export function createSessionManager(options: ManagerOptions = {}): Operation<SessionManager> {
  return resource(function* (provide) {
    // A root scope: a failing call must not take its siblings or its manager down. Contexts come with each call.
    const [scope, destroy] = createScope();
    const clock = yield* ClockContext.expect();
    const manager = new Manager(options, {
      scope,
      time: new Timers(scope, clock),
      ids: yield* IdsContext.expect(),
      diagnose: yield* FaultsContext.expect(),
    });
    yield* ensure(function* () {
      const stuck = yield* manager.close();
      const gone = destroy();
      // A stuck cleanup must not keep whoever closes the manager.
      if (stuck) gone.catch(() => {});
      else yield* gone;
    });
    yield* provide(manager);
  });
}

interface World {
  readonly scope: Scope;
  readonly time: TimeSource;
  readonly ids: Ids;
  readonly diagnose: ReportFault;
}

class Manager implements SessionManager {
  readonly #options: ManagerOptions;
  readonly #world: World;
  readonly #expiring: Expiring<Entry>;
  readonly #shares: Shares<Entry>;
  readonly #cache: CallCache;
  /** Sizes are counted no further than this. */
  readonly #most: number;
  readonly #entries = new Map<string, Entry>();
  /** Calls whose code has not come to rest, also when they have ended. */
  readonly #awake = new Set<Call>();
  readonly #listeners = new Set<(change: SessionChange) => void>();
  readonly #keeper: CallKeeper<Call>;
  #closed = false;

  constructor(options: ManagerOptions, world: World) {
    const { limits = {}, own = [] } = options;
    const { waitingTtl = HOUR, cleanupGrace = 3_000, maxLogEvents = 1_000 } = limits;
    this.#options = options;
    this.#world = world;
    this.#expiring = new Expiring(world.time, waitingTtl, (entry) => this.#expire(entry));
    const share = callBounds(limits.share, SHARE);
    this.#most = share.bytes;
    this.#shares = new Shares({
      total: callBounds(limits, TOTAL),
      share,
      own,
      giveWay: (entry, reason) => this.#drop(entry, `it made room for newer calls: ${reason}. ${MAKE_AGAIN}`),
      refuse: (entry, error) => this.#drop(entry, error),
    });
    this.#cache = new CallCache(this.#shares, world.time);
    const isClosed = () => this.#closed;
    this.#keeper = {
      ...world,
      get closing() {
        return isClosed();
      },
      cleanupGrace,
      maxLogEvents,
      changed: (call) => this.#changed(call),
      rested: (call) => this.#awake.delete(call),
      ended: (call) => {
        const entry = this.#entries.get(call.key);
        if (entry?.retain && entry.call === call) this.#keepEnd(entry);
        this.#tell({ type: 'ended', session: call });
      },
    };
  }

  *create(options: CreateSession): Operation<Session> {
    const { principal = '' } = options;
    const bytes = this.#shares.counts(principal) ? sizeOf(options.params, this.#most) : 0;
    this.#admit(principal, bytes);
    const checked = yield* checkedCall(options, this.#options.limits?.call);
    const id = options.callId ?? this.#world.ids.next('call');
    const header = headerOf(options, id, this.#world.time.now());
    const keep = options.keep ?? this.#options.keep;
    const sink = keep && (yield* keep(header));
    return (yield* this.#start({ checked, journal: { header, ...defined({ sink }) }, options, bytes })).call;
  }

  *resume(options: ResumeSession): Operation<Session> {
    const { header, lines } = readJournal(options.journal);
    const { up, undo } = takeUp(toolOf(options.tool), lines, options.replay);
    const bytes = this.#shares.counts(header.principal) ? sizeOf(header.params, this.#most) : 0;
    this.#admit(header.principal, bytes);
    const checked = yield* takenUpCall(options, header, this.#options.limits?.call);
    const code = codeVersionOf(toolOf(options.tool));
    const changed = header.code && code ? header.code !== code : undefined;
    const { sink } = options;
    const entry = yield* this.#start({
      checked: { ...checked, capabilities: options.capabilities },
      journal: { header, lines, ...defined({ sink }) },
      options: { ...header, ...defined({ retain: options.retain }) },
      bytes,
      up: { ...up, ...defined({ changed }) },
      ...defined({ events: options.events }),
    });
    const { call } = entry;
    yield* call.takenUp();
    entry.coming = false;
    if (undo && !call.over) yield* call.runs.goOnGoingBack(undo);
    return call;
  }

  *release(name: SessionName): Operation<boolean> {
    const entry = this.#entries.get(entryKey(name));
    if (!entry || entry.call.over) return false;
    const { call } = entry;
    call.release(RELEASED);
    yield* call.rest();
    yield* call.history.flushed();
    this.#forget(entry);
    return true;
  }

  cache(name: SessionName, gone: () => void): CachedCall | undefined {
    const entry = this.#entries.get(entryKey(name));
    if (!entry || entry.call.over || !entry.call.history.isIdle) return undefined;
    return this.#cache.add(entry, {
      gone,
      admit: (bytes) => this.#admit(entry.principal, bytes),
      back: () => this.#changed(entry.call),
    });
  }

  *continueWith(session: Session, options: NewVersion): Operation<void> {
    const call = [...this.#awake].find((one) => one === session);
    if (!call || call.over) throw new CallEndedError({ verb: 'continueWith' });
    yield* continueWith(call, this.#keeper, options, this.#options.limits?.call);
  }

  *#start({ checked, journal, options, bytes, up, events }: Starting): Operation<Entry> {
    const { callId: id, principal } = journal.header;
    const key = entryKey(journal.header);
    const twin = this.#entries.get(key);
    if (twin && this.#cache.has(twin)) yield* this.release(journal.header);
    else if (twin && !twin.call.over) throw new SessionExistsError({ callId: id });
    // Checking may have taken a while.
    this.#admit(principal, bytes);

    const call = new Call(this.#keeper, { ...checked, id, key, principal, journal });
    if (events) call.restoreEvents(events);
    const entry: Entry = {
      call,
      principal,
      retain: options.retain ?? false,
      coming: up !== undefined,
      status: 'running',
      given: bytes,
      bytes,
    };
    if (twin) this.#forget(twin);
    this.#entries.set(key, entry);
    this.#awake.add(call);
    this.#shares.begin(entry);
    this.#tell({ type: 'started', session: call });
    yield* startCall(call, up);
    return entry;
  }

  get(name: SessionName): Session | undefined {
    const { call, coming } = this.#entries.get(entryKey(name)) ?? {};
    return coming && call?.over === false ? undefined : call;
  }

  *abort(name: SessionName, reason?: string): Operation<boolean> {
    const entry = this.#entries.get(entryKey(name));
    if (!entry || entry.call.over) return false;
    yield* entry.call.abort(reason);
    return true;
  }

  forget(name: SessionName): void {
    const entry = this.#entries.get(entryKey(name));
    if (entry?.call.over) this.#forget(entry);
  }

  listActive(): readonly Session[] {
    const entries = [...this.#entries.values()].filter((entry) => !this.#cache.has(entry));
    return entries.map(({ call }) => call).filter((call) => !call.over);
  }

  subscribe(listener: (change: SessionChange) => void): () => void {
    const own = (change: SessionChange) => listener(change);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  /** Aborts all calls and waits for their cleanup; true when one is stuck. */
  *close(): Operation<boolean> {
    this.#closed = true;
    this.#expiring.close();
    this.#shares.close();
    this.#cache.close();
    // All at once, so that they clean up side by side.
    const kept = [...this.#awake].filter(({ history }) => history.kept);
    const { closed = 'the session manager was closed' } = this.#options;
    for (const call of [...this.#awake]) call.close(closed);
    for (const call of [...this.#awake]) yield* call.rest();
    if (kept.length > 0) yield* allWritten(kept, this.#keeper);
    return this.#awake.size > 0;
  }

  #admit(principal: string, bytes: number): void {
    if (this.#closed) throw new SessionLimitError('the session manager is closed: it starts no more calls.');
    this.#shares.admit(principal, bytes);
  }

  #changed(call: Call): void {
    const entry = this.#entries.get(call.key);
    if (entry?.call !== call) return;
    const status = call.status();
    if (status !== entry.status) {
      entry.status = status;
      if (call.over) this.#ended(entry);
    }
    if (this.#cache.has(entry)) return;
    if (!call.over) this.#shares.grow(entry, entry.given + call.holds);
    this.#wait(entry, call.unattended && (call.over ? entry.retain : call.waits));
  }

  #wait(entry: Entry, waits: boolean): void {
    if (waits && entry.call.ended()) this.#keepEnd(entry);
    this.#expiring.set(entry, waits);
    if (!waits) this.#shares.wait(entry, undefined);
    else this.#shares.wait(entry, entry.call.over ? 'fetch' : 'answer');
  }

  #drop(entry: Entry, why: string | Error): void {
    if (entry.call.over) {
      this.#forget(entry);
      return;
    }
    entry.call.giveWay(why);
    this.#shares.hold(entry, 0);
  }

  #ended(entry: Entry): void {
    if (this.#cache.has(entry)) this.#cache.ended(entry);
    else this.#shares.end(entry);
    if (!entry.retain) this.#forget(entry);
  }

  /** A call that waits to be fetched keeps its journal only where that is small; who attends to it fetches it at once. */
  #keepEnd(entry: Entry): void {
    const { call, principal, given } = entry;
    const bytes = sizeOf(call.ended(), this.#most);
    if (call.unattended && this.#shares.counts(principal)) {
      const isSmall = given + call.holds + bytes <= SMALL;
      if (!isSmall) call.forget();
      this.#shares.grow(entry, bytes + call.holds + (isSmall ? given : 0));
    } else this.#shares.hold(entry, bytes);
  }

  #forget(entry: Entry): void {
    const { key } = entry.call;
    if (this.#entries.get(key) !== entry) return;
    this.#entries.delete(key);
    this.#expiring.set(entry, false);
    this.#shares.forget(entry);
    if (entry.retain) this.#tell({ type: 'forgotten', session: entry.call });
  }

  #expire(entry: Entry): void {
    if (entry.call.over) this.#forget(entry);
    else entry.call.kill('no answer arrived in time');
  }

  #tell(change: SessionChange): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(change);
      } catch (cause) {
        this.#world.diagnose({
          callId: change.session.id,
          message: 'a listener of the manager threw',
          cause,
        });
      }
    }
  }
}
