import { ensure, type Operation, spawn } from 'effection';
import { fromThenable } from '../../bridge.ts';
import { setting } from '../../setting.ts';
import { useLazy } from '../lazy.ts';
import { type CallHistory, createCallHistory } from './call-history.ts';

/** The history of this workspace. What reads and writes it is loaded beside activation: calls may wait there. */
export function* useHistory(): Operation<CallHistory> {
  const kept = yield* useLazy(function* () {
    const { openKeptCalls } = yield* fromThenable(import('./open-kept-calls.ts'));
    return yield* openKeptCalls();
  });
  yield* spawn(function* () {
    try {
      yield* kept();
    } catch {
      // Its users hear of it.
    }
  });
  const history = createCallHistory({ kept, enabled: () => setting('parley.history.enabled') });
  yield* ensure(history.written);
  return history;
}
