import { randomUUID } from 'node:crypto';
import { ensure, type Operation, until } from 'effection';
import { inboxFolder } from '../../../stores/inbox-folder.ts';
import type { SqliteStore } from '../../../stores/index.ts';
import { fromThenable } from '../../bridge.ts';
import { useLog } from '../../contexts.ts';
import { setting } from '../../setting.ts';

/** What waits for the person of this machine, as this window shares it. */
export interface WindowInbox {
  readonly folder: string;
  /** Names this window there. */
  readonly program: string;
  /** Opens it with its first use; nothing where that cannot be, which is logged once. */
  store(): Operation<SqliteStore | undefined>;
}

/** The inbox of this machine; nothing where it is turned off. */
export function* useWindowInbox(): Operation<WindowInbox | undefined> {
  const folder = setting('parley.inbox.enabled') ? inboxFolder() : undefined;
  if (folder === undefined) return undefined;
  const log = yield* useLog();
  let store: SqliteStore | undefined;
  let isUnusable = false;
  yield* ensure(function* () {
    if (store) yield* until(store.close());
  });
  return {
    folder,
    program: randomUUID(),
    *store() {
      if (isUnusable) return undefined;
      try {
        const { openMachineInbox } = yield* fromThenable(import('../../../stores/machine-inbox.ts'));
        store ??= openMachineInbox(folder, (error) => log.warn('A waiting call cannot be read', error));
        return store;
      } catch (error) {
        isUnusable = true;
        log.warn('Questions are not listed in other windows and programs', error);
        return undefined;
      }
    },
  };
}
