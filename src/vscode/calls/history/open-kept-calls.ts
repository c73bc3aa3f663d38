import { ensure, type Operation, until } from 'effection';
import { isParleyError } from '../../../core/errors/errors.ts';
import { createSqliteStore } from '../../../stores/index.ts';
import { fromThenable } from '../../bridge.ts';
import { useEdge, useExtension, useLog, versionOfParley } from '../../contexts.ts';
import { createKeptCalls, KEPT_FOR, type KeptCalls } from './kept-calls.ts';
import { useCallsKey } from './place/calls-key.ts';
import { forgetOldKeys, isOtherKey } from './place/old-keys.ts';
import { callsFolder, keyName, sharedStorage } from './place/shared-storage.ts';
import { sayKeyLost, sayUnreadable } from './unreadable.ts';

/** Calls of a folder: more would be a list that nobody reads, longer ones a disk that fills. Nobody's share is all of it. */
const bounds = {
  calls: 400,
  share: 300,
  bytes: 512 * 2 ** 20,
  shareBytes: 2 ** 28,
  callBytes: 4 * 2 ** 20,
  age: KEPT_FOR,
};

/** Which key this workspace had the last time. */
const lastKey = 'parley.calls.lastKey';

/** The kept calls of this workspace, of all its windows that have the same key: sealed with that, which only this editor has. */
export function* openKeptCalls(): Operation<KeptCalls> {
  const home = yield* useExtension();
  const edge = yield* useEdge();
  const log = yield* useLog();
  const { workspaceState } = home;
  const key = yield* useCallsKey(home.secrets, home.globalStorageUri.fsPath);
  const storage = sharedStorage(home).folder;
  const own = keyName(key);
  const store = createSqliteStore({
    folder: callsFolder(storage, own),
    keys: [key],
    bounds,
    onProblem: (error) => {
      if (isParleyError(error, 'STORE_FULL')) log.warn(error.message);
      else edge.fork('a notice', () => sayUnreadable(error));
    },
  });
  yield* ensure(() => until(store.close()));
  const before: unknown = workspaceState.get(lastKey);
  if (isOtherKey(storage, before, own)) edge.fork('a notice', () => sayKeyLost());
  if (before !== own) edge.fork('a note', () => fromThenable(workspaceState.update(lastKey, own)));
  edge.fork('old keys', () => until(forgetOldKeys(storage, own, bounds.age, Date.now())));
  return createKeptCalls(store, versionOfParley(home));
}
