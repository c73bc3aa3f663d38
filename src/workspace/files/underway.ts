import { type Operation, withResolvers } from 'effection';

/** Counts what has begun and is not over yet. */
export interface Underway {
  begin(): void;
  end(): void;
  readonly busy: boolean;
  /** Returns when nothing is under way. */
  over(): Operation<void>;
}

/** Nothing is under way. */
export function createUnderway(): Underway {
  let count = 0;
  let idle = withResolvers<void>();
  idle.resolve();
  return {
    begin() {
      if (count++ === 0) idle = withResolvers<void>();
    },
    end() {
      if (--count === 0) idle.resolve();
    },
    get busy() {
      return count > 0;
    },
    over: () => idle.operation,
  };
}
