import { type Operation, suspend, useScope, type WithResolvers, withResolvers } from 'effection';
import { start } from '../bridge.ts';

/** Gives a thing that is made with its first use. */
export type Lazy<T> = () => Operation<T>;

/**
 * A resource that is made when it is first asked for, and lives as long as the caller of `useLazy`. When making it fails, whoever
 * asked hears of it, and the next use tries again.
 *
 * @example
 * const desk = yield* useLazy(function* () {
 *   const { useDesk } = yield* fromThenable(import('./desk.ts'));
 *   return yield* useDesk(parts);
 * });
 * yield* (yield* desk()).run(request);
 */
export function* useLazy<T>(make: () => Operation<T>): Operation<Lazy<T>> {
  const scope = yield* useScope();
  let made: WithResolvers<T> | undefined;
  return function* () {
    if (!made) {
      const mine = withResolvers<T>();
      made = mine;
      start(scope, function* () {
        try {
          mine.resolve(yield* make());
        } catch (error) {
          made = undefined;
          mine.reject(error instanceof Error ? error : new Error(String(error)));
          return;
        }
        yield* suspend();
      });
    }
    return yield* made.operation;
  };
}
