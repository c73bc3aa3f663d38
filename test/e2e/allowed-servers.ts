import type { Locator, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { answerDialog, dialog, type Workbench } from '#harness';
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
    await dialog(page).getByText(`“${name}”`).waitFor();
    await answerDialog(page, 'Allow');
    await dialog(page).waitFor({ state: 'hidden' });
  }
}

/** The row of a server in the Tools view, as a screen reader finds it. */
export function serverRow(page: Page, server: string): Locator {
  const name = new RegExp(`^MCP server ${server}, `);
  return page.locator('.pane-body').getByRole('treeitem', { name });
}
