import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Operation } from 'effection';
import type { SecretStorage } from 'vscode';
import { createFilesStore } from '../../stores/index.ts';
import { fromThenable } from '../bridge.ts';
import { useHome, useLog, versionOfParley } from '../contexts.ts';
import { createKeptCalls, type KeptCalls } from './kept-calls.ts';

const keyName = 'parley.calls.key';

/** Ended calls of a folder: more would be a list that nobody reads, longer ones a disk that fills. */
const bounds = { calls: 300, share: 300, callBytes: 4 * 2 ** 20, age: 30 * 86_400_000 };

/** The kept calls of this workspace: in its storage, sealed with a key that only this editor has. */
export function* openKeptCalls(): Operation<KeptCalls> {
  const home = yield* useHome();
  const log = yield* useLog();
  const store = createFilesStore({
    folder: join((home.storageUri ?? home.globalStorageUri).fsPath, 'calls'),
    keys: [yield* keyOf(home.secrets)],
    bounds,
    onProblem: (error) => log.warn('A call of the history cannot be read', error),
  });
  return createKeptCalls(store, versionOfParley(home));
}

/** Made once. Without it nothing of a call can be read, not even by us. */
function* keyOf(secrets: SecretStorage): Operation<Uint8Array> {
  const kept = yield* fromThenable(secrets.get(keyName));
  const key = kept === undefined ? undefined : Buffer.from(kept, 'base64');
  if (key?.length === 32) return key;
  const made = randomBytes(32);
  yield* fromThenable(secrets.store(keyName, made.toString('base64')));
  return made;
}
