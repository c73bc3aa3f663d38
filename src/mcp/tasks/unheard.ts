import type { Operation } from 'effection';
import { eventLoopTurn } from '../../runtime/time/event-loop.ts';
import type { ServerParts } from '../host.ts';
import { CANCELLED } from './kept/kept-tasks.ts';
import type { LiveTask } from './live-task.ts';

/**
 * Cancels a task whose request is cancelled before it can be answered, in the turn in which it came or while it began: there is no answer
 * then, so its client never knows of it.
 */
export function* cancelUnheard(
  host: Pick<ServerParts, 'report'>,
  task: LiveTask,
  signal: AbortSignal,
): Operation<void> {
  yield* eventLoopTurn();
  if (!signal.aborted) return;
  try {
    yield* task.cancel(CANCELLED);
  } catch (error) {
    host.report('an unknown task could not be cancelled', error, 'state');
  }
}
