import { glob, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { inject } from 'vitest';
import type { Workbench } from '#harness';
import { expect } from '../fixture.ts';
import { useAgent } from './agent.ts';

/**
 * Waits until VS Code has written down a conversation in which this was said, as the one that it shows again: what a reload meets
 * before is lost. `fits` gets the conversation and what the window keeps of Parley.
 */
export async function keptConversation(
  { page }: Workbench,
  said: string,
  fits: (conversation: string, parley: string) => boolean = () => true,
): Promise<void> {
  const cwd = dirname(inject('server').settingsFile);
  const isThere = async () => {
    for await (const file of glob('workspaceStorage/*/chatSessions/*.jsonl', { cwd })) {
      const text = await readFile(join(cwd, file), 'utf8').catch(() => '');
      if (!text.includes(said)) continue;
      const [list = '', last = '', parley = ''] = await storedIn(page);
      if (!fits(text, parley)) continue;
      const id = basename(file, '.jsonl');
      const isLast = last.includes(id) || last.includes(Buffer.from(id).toString('base64url'));
      return list.includes(id) && isLast;
    }
    return false;
  };
  await expect.poll(isThere, { timeout: 60_000 }).toBe(true);
}

/**
 * Takes the conversation in which this was said from the history, in place of a new one. Those that are there are all called alike, the
 * last ones first; one of them may be a draft in which nothing was said, and a long one is drawn in its own time: they are gone through
 * until the right one is there.
 */
export async function openAgain(workbench: Workbench, said: string): Promise<void> {
  const { page, bridge } = workbench;
  const requests = page.locator('.interactive-session .interactive-request');
  const isOpen = async () => (await requests.filter({ hasText: said }).count()) > 0;
  for (let at = 0; ; at++) {
    await useAgent(workbench);
    void bridge.execute('workbench.action.chat.pickAgentSession');
    const rows = page.locator('.quick-input-list .monaco-list-row');
    await rows.first().waitFor();
    await rows.nth(at % (await rows.count())).click();
    const isDrawn = requests.first().waitFor({ timeout: 5_000 });
    await isDrawn.catch(() => undefined);
    if (await isOpen()) return;
  }
}

/** What the window has written down of what Parley keeps in the workspace. */
export async function keptOfParley(page: Page): Promise<string> {
  return (await storedIn(page)).at(-1) ?? '';
}

/** What the window has written to its storage: the list of its conversations, which was shown last, and what Parley keeps. */
const storedIn = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const keys = [
      'chat.ChatSessionStore.index',
      'memento/interactive-session-view-copilot',
      'parley.parley-mcp',
    ];
    const read = (name: string) =>
      new Promise<string[]>((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const { result: database } = opening;
          if (!database.objectStoreNames.contains('ItemTable')) {
            database.close();
            return resolve([]);
          }
          const table = database.transaction('ItemTable').objectStore('ItemTable');
          const values = keys.map((key) => table.get(key));
          table.transaction.oncomplete = () => {
            database.close();
            resolve(values.map(({ result }) => String(result)));
          };
        };
      });
    const databases = await indexedDB.databases();
    const all = await Promise.all(databases.map(({ name = '' }) => read(name)));
    return keys.map((_, at) => all.map((values) => values[at] ?? '').join());
  });
