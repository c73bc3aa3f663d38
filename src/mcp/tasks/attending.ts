import { type Operation, race, scoped } from 'effection';
import { drive } from '../../runtime/drive/drive.ts';
import type { CallName } from '../../runtime/journal/call-store.ts';
import { newerRefusal } from '../stored/refusal.ts';
import { LiveTask } from './live-task.ts';
import { LATER, SOON, type TaskNews } from './news.ts';
import { nameOf, type TaskRequest } from './port.ts';
import { RelayedQuestions } from './relayed-questions.ts';
import { isOver, type Task } from './task.ts';

/** How a task stands. */
export interface SeenTask {
  readonly task: Task;
  /** Whether some process has it. */
  readonly held: boolean;
  /** Whether a newer Parley has to go on with it. */
  readonly newer: boolean;
}

/** What attending needs of the tasks of its server. */
export interface AttendingParts {
  readonly news: TaskNews;
  seen(name: CallName): Operation<SeenTask>;
  /** Whether its call is in this process. */
  isHere(name: CallName): boolean;
  /** The task, here, taken up where nobody has it; nothing where another process has it. */
  reach(request: TaskRequest): Operation<LiveTask | Task | undefined>;
  /** Gives answers to whoever has it. */
  update(request: TaskRequest, responses: Readonly<Record<string, unknown>>): Operation<void>;
}

/**
 * Waits until a task is over, wherever its call is; a client with verbs is asked meanwhile. While another process works on it, that one
 * does not give it up: its end is seen here, and its questions are relayed.
 */
export function attend(parts: AttendingParts, request: TaskRequest): Operation<Task> {
  const name = nameOf(request);
  return scoped(function* () {
    const relayed = new RelayedQuestions({
      ask: (question, key) => request.ask?.(question, `${name.callId}/${key}`),
      answer: (key, wire) => parts.update(request, { [key]: wire }),
    });
    const ear = parts.news.ear(name);
    try {
      for (let pause = SOON; ; pause = Math.min(2 * pause, LATER)) {
        const { task, held, newer } = yield* parts.seen(name);
        if (isOver(task)) return task;
        if (newer) throw newerRefusal();
        // Who is asked here is asked to the end, whoever has it by then.
        if (relayed.open > 0 || (held && !parts.isHere(name))) {
          // Most that are held are about to be given up, and are gone on with here.
          if (pause === LATER) yield* relayed.follow(task.questions ?? {});
        } else {
          const reached = yield* parts.reach(request);
          if (reached instanceof LiveTask) {
            yield* driven(reached, request);
            pause = SOON;
            continue;
          }
          if (reached) return reached;
        }
        yield* ear.next(pause);
      }
    } finally {
      ear.close();
    }
  });
}

function* driven(task: LiveTask, { client, present = client }: TaskRequest): Operation<void> {
  const leave = task.attend();
  try {
    yield* race([drivenToEnd(task, present), task.done]);
  } finally {
    leave();
  }
}

function* drivenToEnd(task: LiveTask, client: TaskRequest['client']): Operation<void> {
  yield* drive(task.session, client, 'end');
  // What came of it is known when it is written down.
  yield* task.done;
}
