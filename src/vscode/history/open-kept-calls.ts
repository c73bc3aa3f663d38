import { join } from 'node:path';
import type { Operation } from 'effection';
import { createFilesStore } from '../../stores/index.ts';
import { useEdge, useHome, versionOfParley } from '../contexts.ts';
import { useCallsKey } from './calls-key.ts';
import { createKeptCalls, type KeptCalls } from './kept-calls.ts';
import { sayUnreadable } from './unreadable.ts';

/** Ended calls of a folder: more would be a list that nobody reads, longer ones a disk that fills. */
const bounds = { calls: 300, share: 300, callBytes: 4 * 2 ** 20, age: 30 * 86_400_000 };

/** The kept calls of this workspace: in its storage, sealed with a key that only this editor has. */
export function* openKeptCalls(): Operation<KeptCalls> {
  const home = yield* useHome();
  const edge = yield* useEdge();
  const store = createFilesStore({
    folder: join((home.storageUri ?? home.globalStorageUri).fsPath, 'calls'),
    keys: [yield* useCallsKey(home.secrets, home.globalStorageUri.fsPath)],
    bounds,
    onProblem: (error) => edge.fork('a notice', () => sayUnreadable(error)),
  });
  return createKeptCalls(store, versionOfParley(home));
}
