import type { Operation } from 'effection';

/** What an operation throws; what it gives, if it throws nothing. */
export function* outcome(op: Operation<unknown>): Operation<unknown> {
  try {
    return yield* op;
  } catch (error) {
    return error;
  }
}
