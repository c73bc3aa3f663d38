import { join } from 'node:path';
import type { Operation } from 'effection';
import { useSwitchingRealm } from '../../../isolation/host-side/realms/switching-realm.ts';
import { useWorkers } from '../../../isolation/host-side/realms/use-workers.ts';
import type { UseRealm } from '../../../workspace/load/tool-realm.ts';
import { useExtension, useLog } from '../../contexts.ts';
import { setting } from '../../setting.ts';

/**
 * Where the tools of folders run: as the setting says at each load. Workers live as long as the caller, not as long as a
 * folder: a call finishes where it began.
 */
export function* useIsolation(): Operation<UseRealm> {
  const log = yield* useLog();
  const { extensionUri } = yield* useExtension();
  const workers = yield* useWorkers({
    entry: join(extensionUri.fsPath, 'dist', 'tool-worker.js'),
    limits: { silence: () => setting('parley.tools.stuckAfter') * 1000 },
    diagnose: (message, cause) => log.warn(`a tool in a worker: ${message}`, cause),
  });
  return useSwitchingRealm(() => setting('parley.tools.isolation'), workers);
}
