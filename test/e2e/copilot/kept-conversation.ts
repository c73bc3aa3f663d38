import { glob, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { inject } from 'vitest';
import { shownIn, takeFirst, type Workbench } from '#harness';
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
      if (list.includes(id) && isLast) return true;
    }
    return false;
  };
  await expect.poll(isThere, { timeout: 60_000 }).toBe(true);
}

/** How long the list of conversations may take to have one, in milliseconds. */
const PATIENCE = 60_000;

/**
 * Takes the conversation that began with this from the history, in place of a new one; the newest of several. It is looked for by its
 * title, which says how it began, and not by its place: the list draws its first rows only, and gets others meanwhile. It is as it was
 * when it was opened, so it is opened anew until it has the conversation.
 */
export async function openAgain(workbench: Workbench, said: string): Promise<void> {
  const { page, bridge } = workbench;
  await useAgent(workbench);
  const until = Date.now() + PATIENCE;
  for (;;) {
    await bridge.execute('workbench.action.chat.pickAgentSession');
    if (await takeFirst(page, said)) break;
    if (Date.now() > until)
      throw new Error(`No conversation in the history began with “${said}”.\n${await shownIn(page)}`);
    await bridge.execute('workbench.action.closeQuickOpen');
  }
  await page.locator('.interactive-session .interactive-request', { hasText: said }).first().waitFor();
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
