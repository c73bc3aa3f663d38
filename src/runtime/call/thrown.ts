import type { Operation } from 'effection';
import { toError } from '../../core/errors/parley-error.ts';
import type { ToolSide } from './tool-side.ts';

/** Runs the code of a tool, and keeps what it throws: cleanup that comes after may throw something else. */
export function* keepThrown<T>(call: Pick<ToolSide, 'thrown'>, code: Operation<T>): Operation<T> {
  try {
    return yield* code;
  } catch (error) {
    call.thrown = toError(error);
    throw call.thrown;
  }
}

/**
 * What a call fails with once its cleanup is over, too: what its code threw, if it did. Cleanup that failed after that is
 * reported.
 */
export function firstFailure(
  { thrown }: Pick<ToolSide, 'thrown'>,
  error: Error,
  diagnose: (message: string, cause: unknown) => void,
): Error {
  if (!thrown || thrown === error) return error;
  diagnose('cleanup failed', error);
  return thrown;
}
