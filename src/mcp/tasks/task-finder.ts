import { ensure, type Operation, scoped } from 'effection';
import type { CallName, Claim } from '../../runtime/journal/call-store.ts';
import { isNewerJournal } from '../../runtime/journal/lines.ts';
import { toolCall } from '../catalog/callable.ts';
import type { ServerParts } from '../host.ts';
import { newerRefusal } from '../stored/refusal.ts';
import type { SeenTask } from './attending.ts';
import { CANCELLED, type KeptTask, type KeptTasks } from './kept/kept-tasks.ts';
import type { LiveTask } from './live-task.ts';
import type { LiveTasks } from './live-tasks.ts';
import { type Ear, LATER, SOON, type TaskNews } from './news.ts';
import { nameOf, type TaskRequest } from './port.ts';
import { cancelled, isOver, type Task, unknownTask } from './task.ts';

/** Where tasks are looked for. */
export interface TaskFinderParts {
  readonly host: ServerParts;
  readonly kept: KeptTasks | undefined;
  readonly live: LiveTasks;
  readonly news: TaskNews;
}

/** Finds tasks, in this process or in the store, and takes up what nobody has. */
export class TaskFinder {
  readonly #parts: TaskFinderParts;

  constructor(parts: TaskFinderParts) {
    this.#parts = parts;
  }

  /** Those of the store. @throws `-32602` without one: what is not here is nowhere */
  kept(): KeptTasks {
    const { kept } = this.#parts;
    if (!kept) throw unknownTask();
    return kept;
  }

  /** How a task stands, without going on with it. */
  *seen(name: CallName): Operation<SeenTask> {
    const { live } = this.#parts;
    const here = live.get(name);
    if (here && !here.leaving) return { task: live.fresh(here.task()), held: true, newer: false };
    const { call, note } = yield* this.kept().read(name);
    const { callId: id } = name;
    const gone = !isOver(note) && (yield* this.kept().wasCancelled(name));
    const task = { id, ...(gone ? cancelled(note, CANCELLED) : note) };
    return { task, held: call.held, newer: isNewerJournal(call.header) };
  }

  /**
   * The task, here: taken up where nobody has it. Nothing while another process has it and the patience lasts no longer; how it stands
   * there, where what is to be said could be sent there.
   */
  *reach(
    request: TaskRequest,
    patience: number,
    send?: (kept: KeptTask) => Operation<boolean>,
  ): Operation<LiveTask | Task | undefined> {
    const ear = this.#parts.news.ear(nameOf(request));
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
    const { live } = this.#parts;
    const name = nameOf(request);
    const until = performance.now() + patience;
    for (let pause = SOON; ; pause = Math.min(2 * pause, LATER)) {
      const task = live.get(name);
      if (task && !task.leaving) {
        live.fresh(task.task());
        return task;
      }
      if (task) yield* task.done;
      const read = yield* this.kept().read(name);
      const { note } = read;
      if (isOver(note)) return { id: name.callId, ...note };
      if (isNewerJournal(read.call.header)) throw newerRefusal();
      const outcome = yield* this.kept().claim(name);
      if (outcome.type === 'unknown') throw unknownTask();
      if (outcome.type === 'claimed') {
        yield* this.takeUp(outcome.claim, request);
        continue;
      }
      if (live.get(name)) continue;
      if (send && (yield* send(read))) return { id: name.callId, ...note };
      if (performance.now() >= until) return undefined;
      yield* ear.next(pause);
    }
  }

  /** Takes one up that was claimed; nothing for one that is over by now. */
  *takeUp(claim: Claim, { caller, client }: Omit<TaskRequest, 'id'>): Operation<LiveTask | undefined> {
    const { host, live } = this.#parts;
    const kept = this.kept();
    let taken = false;
    return yield* scoped(function* () {
      yield* ensure(function* () {
        if (!taken) yield* kept.release(claim);
      });
      // It may have gone on before it was claimed.
      const task = yield* kept.read(claim.name);
      const held = yield* kept.hold(claim, task);
      if (!held) return undefined;
      const { era, name, given } = task.note;
      const { header, lines } = task.call;
      const callable = toolCall(host, caller, era, { name, arguments: given });
      const session = yield* host.manager.resume({
        ...{ tool: callable.served, journal: { header, lines }, sink: held.sink },
        capabilities: client.capabilities(),
      });
      taken = true;
      return live.start({ session, callable, client, held, note: task.note });
    });
  }
}
