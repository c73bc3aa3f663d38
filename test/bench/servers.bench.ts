import { setTimeout as delay } from 'node:timers/promises';
import { answerDialog, dialog, type Workbench } from '#harness';
import { running } from '../mcp/kit/running.ts';
import { type Row, ratioRow, spread } from './report.ts';
import { activated, activationOf, inVsCode, showActivations } from './window.ts';

const SERVERS = 20;
const ROUNDS = 7;

// Never answers, and ends with its input.
const mark = `parley-bench-${process.pid}`;
const silent = { command: process.execPath, args: ['-e', 'process.stdin.resume()', mark] };
const names = Array.from({ length: SERVERS }, (_, at) => `silent-${at}`);
const written = Object.fromEntries(names.map((name) => [name, silent]));

/** Activation in a window with twenty servers that are allowed and never answer, against the same window without any. */
export function serverRows(): Promise<readonly Row[]> {
  return inVsCode({}, async ({ open }) => {
    const workbench = await open();
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
    const measured = [
      [without, undefined],
      [with20, written],
    ] as const;
    for (let round = -1; round < ROUNDS; round++) {
      // Each comes first in turn, so that neither always has the warmer caches.
      for (const [times, servers] of round % 2 === 0 ? measured : measured.toReversed()) {
        const time = await activationTime(workbench, servers);
        if (round >= 0) times.push(time);
      }
    }
    return [
      ratioRow(`activation with ${SERVERS} servers, against none`, with20, without, {
        target: 1.1,
        note: `${spread(with20)} ms against ${spread(without)} ms, by the clock of VS Code`,
      }),
    ];
  });
}

async function allow({ page, bridge }: Workbench, name: string): Promise<void> {
  const row = page.getByRole('treeitem', { name: new RegExp(`^MCP server ${name}, `) });
  await row.getByText('not allowed: click Start').waitFor();
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
  // The servers of the window before would use the machine while this one starts.
  await workbench.reopen(async () => {
    while ((await running(mark)).length > 0) await delay(200);
  });
  await activated(workbench, 'parley.parley-mcp');
  await showActivations(workbench.page);
  return await activationOf(workbench.page, 'Parley');
}
