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
      if (list.includes(id) && isLast) return true;
    }
    return false;
  };
  await expect.poll(isThere, { timeout: 60_000 }).toBe(true);
}

/** Which conversation the chat view shows. */
export async function shownConversation({ bridge }: Workbench): Promise<string> {
  return String(await bridge.execute('_chat.voice.getCurrentSession'));
}

/**
 * Shows a conversation again, in which this was said, in place of a new one. Not from VS Code's list of conversations: on a busy machine
 * that has been without one for a minute that it had before.
 */
export async function openAgain(workbench: Workbench, conversation: string, said: string): Promise<void> {
  await useAgent(workbench);
  expect(await workbench.bridge.execute('_chat.voice.switchToSession', conversation)).toBe(true);
  const requests = workbench.page.locator('.interactive-session .interactive-request');
  await requests.filter({ hasText: said }).first().waitFor();
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
