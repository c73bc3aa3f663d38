import { Err, Ok, type Operation, type Result, type Scope, scoped } from 'effection';

/** An operation that was started. */
export interface Started {
  /** Halts it; does nothing when it is over. */
  halt(): void;
}

/**
 * Starts an operation in a scope for who is no operation itself. `ended` hears once what it came to, when its cleanup is over, too; nothing
 * where it was halted and that went well.
 */
export function startIn<T>(
  scope: Scope,
  op: () => Operation<T>,
  ended: (result: Result<T> | undefined) => void,
): Started {
  let begun = false;
  let halted = false;
  const task = scope.run(function* () {
    begun = true;
    let result: Result<T> | undefined;
    try {
      if (!halted) result = Ok(yield* scoped(op));
    } catch (error) {
      result = Err(error as Error);
    } finally {
      ended(halted && result?.ok ? undefined : result);
    }
  });
  return {
    halt() {
      halted = true;
      // One that is halted before its first step would never tell of its end. A task halts when somebody waits for that.
      if (begun) task.halt().catch(() => {});
    },
  };
}
