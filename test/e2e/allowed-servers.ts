import type { Locator, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { dialog, notification, type Workbench } from '#harness';
import { openToolsView } from './tools-view.ts';

/** How a server is written in the settings. */
export type Written =
  | { readonly command: string; readonly args: readonly string[] }
  | { readonly type: 'http'; readonly url: string; readonly oauth?: Readonly<Record<string, string>> };

/** A server that is a program for this Node. */
export function nodeProgram(...args: readonly string[]): Written {
  return { command: process.execPath, args };
}

/** Writes servers to the settings and allows each as a person does; they are gone when the test is over. */
export async function allowServers(
  workbench: Workbench,
  servers: Readonly<Record<string, Written>>,
): Promise<void> {
  const { page, bridge } = workbench;
  onTestFinished(() => workbench.updateSettings({ 'parley.servers': undefined }));
  await workbench.updateSettings({ 'parley.servers': servers });
  await openToolsView(workbench);
  for (const name of Object.keys(servers)) {
    await serverRow(page, name).getByText('not allowed: click Start').waitFor();
    void bridge.execute('parley.startServer', name);
    // What a dialog has no room for is shown in an editor, and a notification asks.
    const asked = dialog(page)
      .or(shownInEditor(page))
      .filter({ hasText: `“${name}”` });
    await asked.getByRole('button', { name: 'Allow', exact: true }).click();
    await asked.waitFor({ state: 'hidden' });
  }
}

/** The notification that asks about a server which is too long for a dialog. */
export function shownInEditor(page: Page): Locator {
  return notification(page, 'All that you would allow is shown in the editor.');
}

/** The row of a server in the Tools view, as a screen reader finds it. */
export function serverRow(page: Page, server: string): Locator {
  const name = new RegExp(`^MCP server ${server}, `);
  return page.locator('.pane-body').getByRole('treeitem', { name });
}
