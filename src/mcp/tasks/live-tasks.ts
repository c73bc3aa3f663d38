import type { Operation } from 'effection';
import type { CallName } from '../../runtime/journal/call-store.ts';
import type { ServerParts } from '../host.ts';
import type { KeptTasks } from './kept/kept-tasks.ts';
import { LiveTask, type LiveTaskParts } from './live-task.ts';
import type { TaskNews } from './news.ts';
import type { TaskRequest } from './port.ts';
import { isExpired, isOver, type Task, taskName, unknownTask } from './task.ts';

/** What the tasks of this process need. */
export interface LiveTasksParts {
  readonly host: ServerParts;
  readonly kept: KeptTasks | undefined;
  readonly news: TaskNews;
  /** How often each looks by itself for what was said of it at other processes, milliseconds. */
  readonly look: number;
  /** Takes up one that was put away while it was given answers. */
  again(request: TaskRequest): Operation<unknown>;
}

/** The tasks whose call is in this process, and those that ended here and are kept nowhere else. */
export class LiveTasks {
  readonly #parts: LiveTasksParts;
  readonly #tasks = new Map<string, LiveTask>();

  constructor(parts: LiveTasksParts) {
    this.#parts = parts;
    parts.host.manager.subscribe(({ type, session }) => {
      if (type === 'forgotten' && this.#tasks.get(session.id)?.session === session)
        this.#forget(taskName(session.principal, session.id));
    });
  }

  get({ principal, callId }: CallName): LiveTask | undefined {
    const live = this.#tasks.get(callId);
    return live?.session.principal === principal ? live : undefined;
  }

  /** All of a principal. */
  of(principal: string): readonly LiveTask[] {
    return [...this.#tasks.values()].filter(({ session }) => session.principal === principal);
  }

  /** Runs one, in the scope of the server. */
  start(task: Pick<LiveTaskParts, 'session' | 'callable' | 'client' | 'held' | 'note'>): LiveTask {
    const { host, news, look, again } = this.#parts;
    const { session, client, held } = task;
    const name = taskName(session.principal, session.id);
    const kept = held && this.#parts.kept;
    // It lives longer than what it was given has to be kept.
    const { finish, tool } = task.callable;
    const live = new LiveTask({ ...task, callable: { finish, tool }, host, news, look, kept });
    this.#tasks.set(live.id, live);
    const gone = () => {
      if (held && this.#tasks.get(live.id) === live) this.#tasks.delete(live.id);
    };
    const running = host.run(function* () {
      yield* live.run();
      gone();
      if (!kept) return;
      if (isOver(live.task())) return yield* kept.forgetAnswers(name);
      // Given while it was being put away: whoever put it away has not heard.
      const request = { caller: { name: name.principal }, id: live.id, client };
      if (yield* kept.wasAnswered(name)) yield* again(request);
    });
    running.then(gone, (cause: unknown) => {
      gone();
      host.report('a task could not continue', cause);
    });
    return live;
  }

  /** The same task. @throws `-32602` where its time is over, and forgets it */
  fresh(task: Task): Task {
    if (!isExpired(task, Date.now())) return task;
    const live = this.#tasks.get(task.id);
    if (live) this.#forget(taskName(live.session.principal, task.id));
    throw unknownTask();
  }

  #forget(name: CallName): void {
    this.#tasks.delete(name.callId);
    this.#parts.news.tellHere(name);
  }
}
