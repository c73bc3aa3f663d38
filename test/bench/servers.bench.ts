import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  answerDialog,
  bridgeExtension,
  dialog,
  launchBrowser,
  newest,
  openWorkbench,
  startVsCodeServer,
  type Workbench,
} from '#harness';
import { activated, activationOf, showActivations } from './editor.bench.ts';
import { median } from './measure.ts';
import { type Row, ratioRow } from './report.ts';

const root = join(import.meta.dirname, '..', '..');
const SERVERS = 20;
const ROUNDS = 5;

// Never answers, and ends with its input.
const silent = { command: process.execPath, args: ['-e', 'process.stdin.resume()'] };
const names = Array.from({ length: SERVERS }, (_, at) => `silent-${at}`);
const written = Object.fromEntries(names.map((name) => [name, silent]));

/** Activation in a window with twenty servers that are allowed and never answer, against the same window without any. */
export async function serverRows(): Promise<readonly Row[]> {
  const workspace = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  const server = await startVsCodeServer({ version: newest, extensions: [root, bridgeExtension] });
  const browser = await launchBrowser();
  try {
    const workbench = await openWorkbench(browser, server.address, { workspace });
    await activated(workbench, 'parley.parley-mcp');
    await workbench.updateSettings({ 'parley.servers': written });
    await workbench.bridge.execute('parley.tools.focus');
    // A list has rows only where they can be seen.
    const calls = workbench.page.locator('.pane-header[aria-expanded="true"]', { hasText: 'Calls' });
    await calls.click();
    await calls.waitFor({ state: 'detached' });
    for (const name of names) await allow(workbench, name);
    const without: number[] = [];
    const with20: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      without.push(await activationTime(workbench, undefined));
      with20.push(await activationTime(workbench, written));
    }
    return [
      ratioRow(
        `activation with ${SERVERS} servers, against none`,
        median(with20) / median(without),
        undefined,
        `${median(with20)} ms against ${median(without)} ms, by the clock of VS Code`,
      ),
    ];
  } finally {
    await browser.close();
    await server.stop();
    await rm(workspace, { recursive: true, force: true });
  }
}

async function allow({ page, bridge }: Workbench, name: string): Promise<void> {
  const row = page.getByRole('treeitem', { name: new RegExp(`^MCP server ${name}, `) });
  await row.getByText('not allowed yet').waitFor();
  void bridge.execute('parley.startServer', name);
  await dialog(page).getByText(`“${name}”`).waitFor();
  await answerDialog(page, 'Allow');
  await dialog(page).waitFor({ state: 'hidden' });
}

async function activationTime(
  workbench: Workbench,
  servers: Readonly<Record<string, object>> | undefined,
): Promise<number> {
  await workbench.updateSettings({ 'parley.servers': servers });
  await workbench.bridge.execute('workbench.action.closeAllEditors');
  await workbench.reload();
  await activated(workbench, 'parley.parley-mcp');
  await showActivations(workbench.page);
  return await activationOf(workbench.page, 'Parley');
}
