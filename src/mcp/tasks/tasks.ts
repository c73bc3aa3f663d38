import { ensure, type Operation, scoped } from 'effection';
import type { CallName, CallStore, Claim, StoredCall } from '../../runtime/journal/call-store.ts';
import { isNewerJournal } from '../../runtime/journal/lines.ts';
import type { HeldCall } from '../../runtime/manager/held-call.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { Caller } from '../caller.ts';
import { toolCall } from '../catalog/callable.ts';
import { type CallHome, isLeg } from '../era-2026/call-home.ts';
import { answer } from '../era-2026/serve-leg.ts';
import type { ServerParts } from '../host.ts';
import type { Callable, Result } from '../request/open-call.ts';
import { newerRefusal, storeRefusal, workedOnElsewhere } from '../stored/refusal.ts';
import { RPC, RpcError } from '../wire/rpc/rpc-error.ts';
import { digestOf } from '../wire/state/state.ts';
import { type AttendingParts, attend, type SeenTask } from './attending.ts';
import { CANCELLED, type KeptTask, KeptTasks } from './kept/kept-tasks.ts';
import { LiveTask } from './live-task.ts';
import { type Ear, LATER, SOON, TaskNews } from './news.ts';
import { type NewTask, nameOf, type TaskRequest, type Tasks } from './port.ts';
import {
  cancelled,
  type Follower,
  inboxOf,
  isExpired,
  isOver,
  type Task,
  type TaskNote,
  taskName,
  taskNoted,
  taskNoteIn,
  unknownTask,
} from './task.ts';
import { FollowedTasks } from './telling/followed-tasks.ts';
import { cancelUnheard } from './unheard.ts';

/** What tasks need of their server. */
export interface TasksParts {
  readonly host: ServerParts;
  /** Where its call is until it becomes a task. */
  readonly home: CallHome;
  readonly store: CallStore | undefined;
  /** How long a task can be looked at after its creation, unless its client wants it shorter, milliseconds. */
  readonly ttl: number;
  /** How often a client should look, milliseconds. */
  readonly pollInterval: number;
  /** How often a process looks by itself for what was said of a task at another, milliseconds. */
  readonly look: number;
}

/** How long an answer waits for it, milliseconds. */
const PATIENCE = 10_000;

/** The tasks of a server, in its memory and in its store. */
export class ServerTasks implements Tasks {
  readonly #parts: TasksParts;
  readonly #kept: KeptTasks | undefined;
  readonly #news: TaskNews;
  readonly #followed: FollowedTasks;
  readonly #attending: AttendingParts;
  /** Those whose call is in this process, and those that ended here and are kept nowhere else. */
  readonly #live = new Map<string, LiveTask>();

  constructor(parts: TasksParts) {
    const self = this;
    this.#parts = parts;
    this.#kept = parts.store && new KeptTasks(parts.store);
    this.#news = new TaskNews(parts.host, parts.store);
    const { host, look, pollInterval } = parts;
    this.#followed = new FollowedTasks({
      ...{ host, news: this.#news, pollInterval },
      // What happens here is told.
      soon: parts.store ? look : Number.POSITIVE_INFINITY,
      *look(name) {
        return (yield* self.#seen(name)).task;
      },
    });
    this.#attending = {
      news: this.#news,
      seen: (name) => this.#seen(name),
      isHere: (name) => this.#liveOf(name) !== undefined,
      reach: (request) => this.#reach(request, 0),
      update: (request, responses) => this.update(request, responses),
    };
    parts.host.manager.subscribe(({ type, session }) => {
      if (type === 'forgotten' && this.#live.get(session.id)?.session === session)
        this.#forget(taskName(session.principal, session.id));
    });
  }

  get pollInterval(): number {
    return this.#parts.pollInterval;
  }

  *begin({ call, era, brought, ttl: wanted, answer: answerWith }: NewTask): Operation<Result> {
    const { home, ttl } = this.#parts;
    const { callable, principal } = call;
    const { method, name, given } = callable;
    const leg = yield* home.open(call, brought, { principal, method, name, digest: digestOf(given) });
    if (!isLeg(leg)) return leg;
    try {
      answer(leg, call.rest, brought)();
      const now = Date.now();
      const note: TaskNote = {
        ...{
          era,
          name,
          given: given as TaskNote['given'],
          createdAt: now,
          updatedAt: now,
          status: 'working',
        },
        ttl: Math.min(wanted ?? ttl, ttl),
      };
      const result = answerWith({ id: leg.session.id, ...note });
      if (!leg.letGo) throw new RpcError(RPC.refused, 'This server has no tasks');
      const held = yield* leg.letGo(result, taskNoted(note));
      const live = this.#start(leg.session, callable, call.absent, held, note);
      yield* cancelUnheard(this.#parts.host, live, call.signal);
      return result;
    } catch (error) {
      yield* leg.fail();
      throw storeRefusal(this.#parts.host, error);
    }
  }

  *get(request: TaskRequest): Operation<Task> {
    const name = nameOf(request);
    try {
      const { task, held, newer } = yield* this.#seen(name);
      if (held || newer || isOver(task)) return task;
      // Its process is gone, or is just putting it away; or it was, when somebody answered.
      if (task.status === 'working' || (yield* this.#store().wasAnswered(name)))
        yield* this.#goOnFor(request);
      const taken = this.#liveOf(name);
      if (taken) return taken.task();
      // It may be over by now.
      return { id: name.callId, ...(yield* this.#store().read(name)).note };
    } catch (error) {
      throw storeRefusal(this.#parts.host, error);
    }
  }

  *update(request: TaskRequest, responses: Readonly<Record<string, unknown>>): Operation<void> {
    try {
      const send = (kept: KeptTask) => this.#send(nameOf(request), kept, responses);
      const task = yield* this.#reach(request, PATIENCE, send);
      if (!task) throw workedOnElsewhere();
      if (task instanceof LiveTask) yield* task.answer(responses);
    } catch (error) {
      throw storeRefusal(this.#parts.host, error);
    }
  }

  *cancel(request: TaskRequest): Operation<Task> {
    const name = nameOf(request);
    const before = yield* this.get(request);
    if (isOver(before)) return before;
    try {
      const live = this.#liveOf(name);
      if (live?.leaving) yield* live.done;
      else if (live) yield* live.cancel(CANCELLED);
      if (!live || live.leaving) {
        yield* this.#store().cancel(name);
        this.#news.tell(inboxOf(name));
        this.#news.tell(name);
      }
      return before;
    } catch (error) {
      throw storeRefusal(this.#parts.host, error);
    }
  }

  *list({ name: principal }: Caller): Operation<readonly Task[]> {
    const tasks = new Map<string, Task>();
    if (this.#kept) for (const task of yield* this.#kept.list(principal)) tasks.set(task.id, task);
    for (const live of this.#live.values()) {
      if (live.session.principal === principal) tasks.set(live.id, live.task());
    }
    const now = Date.now();
    return [...tasks.values()].filter((task) => !isExpired(task, now));
  }

  *attend(request: TaskRequest): Operation<Task> {
    try {
      return yield* attend(this.#attending, request);
    } catch (error) {
      throw storeRefusal(this.#parts.host, error);
    }
  }

  *follow(request: Pick<TaskRequest, 'caller' | 'id'>, follower: Follower): Operation<() => void> {
    try {
      return yield* this.#followed.follow(nameOf(request), follower);
    } catch (error) {
      throw storeRefusal(this.#parts.host, error);
    }
  }

  *goOn(claim: Claim, kept: StoredCall, client: Client): Operation<boolean> {
    if (!taskNoteIn(kept.notes)) return false;
    yield* this.#takeUp(claim, { caller: { name: claim.name.principal }, client });
    return true;
  }

  *abandon(principal: string, why: string): Operation<void> {
    for (const live of [...this.#live.values()]) {
      if (live.session.principal === principal) yield* live.cancel(why);
    }
  }

  /** Takes it up for one who looks. What nobody here can go on with is as it was kept. */
  *#goOnFor(request: TaskRequest): Operation<void> {
    try {
      yield* this.#reach(request, 0);
    } catch (error) {
      this.#parts.host.report('a task could not go on', error, 'state');
    }
  }

  *#send(name: CallName, kept: KeptTask, responses: Readonly<Record<string, unknown>>): Operation<boolean> {
    const sent = yield* this.#store().sendAnswers(name, kept, responses);
    if (sent) this.#news.tell(inboxOf(name));
    return sent;
  }

  /**
   * The task, here: taken up where nobody has it. Nothing while another process has it and the patience lasts no longer; how it stands
   * there, where what is to be said could be sent there.
   */
  *#reach(
    request: TaskRequest,
    patience: number,
    send?: (kept: KeptTask) => Operation<boolean>,
  ): Operation<LiveTask | Task | undefined> {
    const ear = this.#news.ear(nameOf(request));
    try {
      return yield* this.#reachBy(ear, request, patience, send);
    } finally {
      ear.close();
    }
  }

  *#reachBy(
    ear: Ear,
    request: TaskRequest,
    patience: number,
    send: ((kept: KeptTask) => Operation<boolean>) | undefined,
  ): Operation<LiveTask | Task | undefined> {
    const name = nameOf(request);
    const until = Date.now() + patience;
    for (let pause = SOON; ; pause = Math.min(2 * pause, LATER)) {
      const live = this.#liveOf(name);
      if (live && !live.leaving) {
        this.#fresh(live.task());
        return live;
      }
      if (live) yield* live.done;
      const kept = yield* this.#store().read(name);
      const { note } = kept;
      if (isOver(note)) return { id: name.callId, ...note };
      if (isNewerJournal(kept.call.header)) throw newerRefusal();
      const outcome = yield* this.#store().claim(name);
      if (outcome.type === 'unknown') throw unknownTask();
      if (outcome.type === 'claimed') {
        yield* this.#takeUp(outcome.claim, request);
        continue;
      }
      if (this.#liveOf(name)) continue;
      if (send && (yield* send(kept))) return { id: name.callId, ...note };
      if (Date.now() >= until) return undefined;
      yield* ear.next(pause);
    }
  }

  *#takeUp(claim: Claim, { caller, client }: Omit<TaskRequest, 'id'>): Operation<void> {
    const { host } = this.#parts;
    const kept = this.#store();
    const self = this;
    let taken = false;
    yield* scoped(function* () {
      yield* ensure(function* () {
        if (!taken) yield* kept.release(claim);
      });
      // It may have gone on before it was claimed.
      const task = yield* kept.read(claim.name);
      const held = yield* kept.hold(claim, task);
      if (!held) return;
      const { era, name, given } = task.note;
      const { header, lines } = task.call;
      const callable = toolCall(host, caller, era, { name, arguments: given });
      const session = yield* host.manager.resume({
        ...{ tool: callable.served, journal: { header, lines }, sink: held.sink },
        capabilities: client.capabilities(),
      });
      taken = true;
      self.#start(session, callable, client, held, task.note);
    });
  }

  #start(
    session: LiveTask['session'],
    callable: Callable,
    client: Client,
    held: HeldCall | undefined,
    note: TaskNote,
  ): LiveTask {
    const { host } = this.#parts;
    const name = taskName(session.principal, session.id);
    const { look } = this.#parts;
    const kept = held && this.#kept;
    const live = new LiveTask({
      ...{ host, session, callable, client, held, note, look, kept, news: this.#news },
    });
    this.#live.set(live.id, live);
    const gone = () => {
      if (held && this.#live.get(live.id) === live) this.#live.delete(live.id);
    };
    const self = this;
    const running = host.run(function* () {
      yield* live.run();
      gone();
      if (!kept) return;
      if (isOver(live.task())) return yield* kept.forgetAnswers(name);
      // Given while it was being put away: whoever put it away has not heard.
      const request = { caller: { name: name.principal }, id: live.id, client };
      if (yield* kept.wasAnswered(name)) yield* self.#reach(request, 0);
    });
    running.then(gone, (cause: unknown) => {
      gone();
      host.report('a task could not go on', cause);
    });
    return live;
  }

  #liveOf({ principal, callId }: CallName): LiveTask | undefined {
    const live = this.#live.get(callId);
    return live?.session.principal === principal ? live : undefined;
  }

  /** How a task stands, without going on with it. */
  *#seen(name: CallName): Operation<SeenTask> {
    const live = this.#liveOf(name);
    if (live && !live.leaving) return { task: this.#fresh(live.task()), held: true, newer: false };
    const { call, note } = yield* this.#store().read(name);
    const { callId: id } = name;
    const gone = !isOver(note) && (yield* this.#store().wasCancelled(name));
    const task = { id, ...(gone ? cancelled(note, CANCELLED) : note) };
    return { task, held: call.held, newer: isNewerJournal(call.header) };
  }

  #fresh(task: Task): Task {
    if (!isExpired(task, Date.now())) return task;
    const live = this.#live.get(task.id);
    if (live) this.#forget(taskName(live.session.principal, task.id));
    throw unknownTask();
  }

  #forget(name: CallName): void {
    this.#live.delete(name.callId);
    this.#news.tellHere(name);
  }

  #store(): KeptTasks {
    if (!this.#kept) throw unknownTask();
    return this.#kept;
  }
}
