import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensure, type Operation, until } from 'effection';
import { shownToPerson } from '../../calls/person-calls.ts';
import type { ShownCalls } from '../../calls/port.ts';
import { shownTitle } from '../../core/messages/readable-name.ts';
import { ownClientName } from '../../mcp/wire/client-words.ts';
import { inboxFolder } from '../../stores/inbox-folder.ts';
import type { SqliteStore } from '../../stores/index.ts';
import { MachineTab } from '../../stores/machine-tab.ts';
import { type AskingWindow, findWindow } from '../../stores/open-windows.ts';

/** The inbox of this machine, as a server uses it. */
export interface ServersInbox {
  readonly shown: ShownCalls;
  /** Which of this person's programs has the tab in the browser. */
  readonly tab: MachineTab;
  /** The window of the server's folder that asks what calls ask; nothing where there is none. */
  window(): AskingWindow | undefined;
}

/**
 * Lists what the calls of this process ask to the person of this machine, who may answer in an editor, too. Nothing is loaded before the first question,
 * or, where a program has left an inbox, before the first call that could go on with what is there. A server whose inbox cannot be used serves all the same.
 *
 * @param wanted a folder, or `none`; where this person's programs look as a rule
 */
export function* useInbox(
  server: string,
  report: (message: string, cause?: unknown) => void,
  wanted?: string,
): Operation<ServersInbox | undefined> {
  const folder = inboxFolder(wanted);
  if (folder === undefined) return undefined;
  let store: SqliteStore | undefined;
  let isUnusable = false;
  yield* ensure(function* () {
    if (store) yield* until(store.close());
  });
  const opened = function* () {
    if (isUnusable) return undefined;
    try {
      const { openMachineInbox } = yield* until(import('../../stores/machine-inbox.ts'));
      store ??= openMachineInbox(folder, (error) => report('a waiting call could not be read', error));
      return store;
    } catch (error) {
      isUnusable = true;
      report('questions are not listed in the inbox of this machine', error);
      return undefined;
    }
  };
  const here = { server, folder: process.cwd() };
  const shown = shownToPerson(
    opened,
    randomUUID(),
    ({ tool }, client) => ({ client: ownClientName(client), ...here, title: shownTitle(tool) }),
    { ...here, hasStore: () => existsSync(join(folder, 'calls.db')) },
  );
  return {
    shown,
    tab: new MachineTab(folder),
    // What cannot be listed is not asked there.
    window: () => (isUnusable ? undefined : findWindow(folder, process.cwd())),
  };
}
