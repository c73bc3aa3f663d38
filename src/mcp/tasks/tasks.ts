import type { Operation } from 'effection';
import type { CallName, CallStore, Claim, StoredCall } from '../../runtime/journal/call-store.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { Caller } from '../caller.ts';
import { handOverCall, type ServerCalls } from '../era-2026/serve-call.ts';
import type { ServerParts } from '../host.ts';
import type { Result } from '../request/open-call.ts';
import { storeRefusal, workedOnElsewhere } from '../stored/refusal.ts';
import { type AttendingParts, attend } from './attending.ts';
import { CANCELLED, type KeptTask, KeptTasks } from './kept/kept-tasks.ts';
import { LiveTask } from './live-task.ts';
import { LiveTasks } from './live-tasks.ts';
import { TaskNews } from './news.ts';
import { type NewTask, nameOf, type TaskRequest, type Tasks } from './port.ts';
import {
  type Follower,
  inboxOf,
  isExpired,
  isOver,
  type Task,
  type TaskNote,
  taskNoted,
  taskNoteIn,
} from './task.ts';
import { TaskFinder } from './task-finder.ts';
import { FollowedTasks } from './telling/followed-tasks.ts';
import { cancelUnheard } from './unheard.ts';

/** What tasks need of their server. */
export interface TasksParts {
  readonly host: ServerParts;
  /** Where its call is until it becomes a task. */
  readonly calls: ServerCalls;
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
  readonly #live: LiveTasks;
  readonly #finder: TaskFinder;
  readonly #followed: FollowedTasks;
  readonly #attending: AttendingParts;

  constructor(parts: TasksParts) {
    const { host, look, pollInterval } = parts;
    const kept = parts.store && new KeptTasks(parts.store);
    const news = new TaskNews(host, parts.store);
    const live = new LiveTasks({ host, kept, news, look, again: (request) => finder.reach(request, 0) });
    const finder = new TaskFinder({ host, kept, live, news });
    this.#parts = parts;
    this.#kept = kept;
    this.#news = news;
    this.#live = live;
    this.#finder = finder;
    this.#followed = new FollowedTasks({
      ...{ host, news, pollInterval },
      // What happens here is told.
      soon: parts.store ? look : Number.POSITIVE_INFINITY,
      *look(name) {
        return (yield* finder.seen(name)).task;
      },
    });
    this.#attending = {
      news,
      seen: (name) => finder.seen(name),
      isHere: (name) => live.get(name) !== undefined,
      reach: (request) => finder.reach(request, 0),
      update: (request, responses) => this.update(request, responses),
    };
  }

  get pollInterval(): number {
    return this.#parts.pollInterval;
  }

  *begin({ call, era, brought, ttl: wanted, answer: answerWith }: NewTask): Operation<Result> {
    const { host, calls, ttl } = this.#parts;
    const { name, given } = call.callable;
    const begun = yield* handOverCall(calls, call, brought);
    if (begun.snapshot) return answerWith(yield* this.#known(begun.snapshot.name));
    const { session, held, notes } = begun;
    const now = Date.now();
    const note: TaskNote = {
      ...{ era, name, given: given as TaskNote['given'], createdAt: now, updatedAt: now, status: 'working' },
      ttl: Math.min(wanted ?? ttl, ttl),
    };
    try {
      yield* held?.append({ notes: { ...notes, ...taskNoted(note) } }) ?? [];
    } catch (error) {
      yield* host.manager.unload({ principal: session.principal, callId: session.id });
      yield* held?.release() ?? [];
      throw storeRefusal(host, error);
    }
    const live = this.#live.start({ session, callable: call.callable, client: call.absent, held, note });
    yield* cancelUnheard(host, live, call.signal);
    return answerWith({ id: session.id, ...note });
  }

  /** A task of before: the same request again. */
  *#known(name: CallName): Operation<Task> {
    return { id: name.callId, ...(yield* this.#finder.kept().read(name)).note };
  }

  *get(request: TaskRequest): Operation<Task> {
    const name = nameOf(request);
    try {
      const { task, held, newer } = yield* this.#finder.seen(name);
      if (held || newer || isOver(task)) return task;
      // Its process is gone, or is just putting it away; or it was, when somebody answered.
      if (task.status === 'working' || (yield* this.#finder.kept().wasAnswered(name)))
        yield* this.#goOnFor(request);
      const taken = this.#live.get(name);
      if (taken) return taken.task();
      // It may be over by now.
      return { id: name.callId, ...(yield* this.#finder.kept().read(name)).note };
    } catch (error) {
      throw storeRefusal(this.#parts.host, error);
    }
  }

  *update(request: TaskRequest, responses: Readonly<Record<string, unknown>>): Operation<void> {
    try {
      const send = (kept: KeptTask) => this.#send(nameOf(request), kept, responses);
      const task = yield* this.#finder.reach(request, PATIENCE, send);
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
      const live = this.#live.get(name);
      if (live?.leaving) yield* live.done;
      else if (live) yield* live.cancel(CANCELLED);
      if (!live || live.leaving) {
        yield* this.#finder.kept().cancel(name);
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
    for (const live of this.#live.of(principal)) tasks.set(live.id, live.task());
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

  *goOn(
    claim: Claim,
    kept: StoredCall,
    client: Client,
  ): Operation<{ readonly done: Operation<void> } | undefined> {
    if (!taskNoteIn(kept.notes)) return undefined;
    const live = yield* this.#finder.takeUp(claim, { caller: { name: claim.name.principal }, client });
    return { done: live?.done ?? nothing() };
  }

  *abandon(principal: string, why: string): Operation<void> {
    for (const live of this.#live.of(principal)) yield* live.cancel(why);
  }

  /** Takes it up for one who looks. What nobody here can go on with is as it was kept. */
  *#goOnFor(request: TaskRequest): Operation<void> {
    try {
      yield* this.#finder.reach(request, 0);
    } catch (error) {
      this.#parts.host.report('a task could not continue', error, 'state');
    }
  }

  *#send(name: CallName, kept: KeptTask, responses: Readonly<Record<string, unknown>>): Operation<boolean> {
    const sent = yield* this.#finder.kept().sendAnswers(name, kept, responses);
    if (sent) this.#news.tell(inboxOf(name));
    return sent;
  }
}

function* nothing(): Operation<void> {}
