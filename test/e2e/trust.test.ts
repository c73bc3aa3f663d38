import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, onTestFinished } from 'vitest';
import {
  type Bridge,
  bridgeExtension,
  connectBridge,
  knownBridges,
  newest,
  openWorkbench,
  quickPickRow,
  runCommand,
  screenshot,
  startVsCodeServer,
} from '#harness';
import { expect, test } from './fixture.ts';
import { toolNames, toolSource, writeFiles } from './tool-files.ts';
import { atRest, parleyWith } from './under-test.ts';

const patience = { timeout: 120_000 };

describe('trust', () => {
  test('comes before any code of the workspace; it is granted without a reload, and nothing is left when it is revoked', async ({
    browser,
  }) => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-trust-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const ran = join(folder, 'ran.txt');
    const mark = `appendFileSync(${JSON.stringify(ran)}, 'ran ');`;
    await writeFiles(folder, {
      '.parley/tools/marker.ts': toolSource('marker', mark),
      '.parley/tsconfig.json': '{ "compilerOptions": { "paths": { "zod": ["./.generated/zod"] } } }',
      'more/more.tool.ts': toolSource('more', mark),
      '.vscode/mcp.json': JSON.stringify({
        servers: { eager: { command: process.execPath, args: ['-e', `require('node:fs').${mark}`] } },
      }),
      '.mcp.json': JSON.stringify({
        mcpServers: { agents: { command: process.execPath, args: ['-e', `require('node:fs').${mark}`] } },
      }),
      '.vscode/tasks.json': JSON.stringify({
        version: '2.0.0',
        tasks: [{ type: 'parley', tool: 'marker', runOptions: { runOn: 'folderOpen' } }],
      }),
      '.vscode/settings.json': '{ "parley.tools.include": ["more/*.tool.ts"] }',
    });
    await using server = await startVsCodeServer({
      version: newest,
      ...parleyWith(bridgeExtension),
      trustWorkspaces: false,
      settings: { ...atRest, 'security.workspace.trust.startupPrompt': 'never' },
    });
    const window = await openWorkbench(browser, server.address, { workspace: folder });
    const { page, bridge } = window;
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail') await screenshot(page, 'e2e-trust');
      await window.close();
    });

    // Restricted: what comes with Parley is there, and nothing of the workspace was so much as read.
    await bridge.activate('parley.parley-mcp');
    expect(await trusted(bridge)).toBe(false);
    await expect(bridge.execute('parley.runTool', 'marker', {})).rejects.toThrow(
      /The tool “marker” was not found.*ask_user/,
    );
    expect(existsSync(ran)).toBe(false);
    expect(existsSync(join(folder, '.parley', '.generated'))).toBe(false);
    // What needs trust is offered all the same, and says so: whether a window is trusted is known late.
    await runCommand(page, 'Parley: New Tool…');
    await page
      .locator('.notification-toast', { hasText: 'Tools run code' })
      .getByRole('button', { name: 'Manage Workspace Trust' })
      .waitFor(patience);
    await page.keyboard.press('Escape');
    await runCommand(page, 'Parley: Debug Tool…');
    const why = 'The tools of this workspace run code. Trust the workspace to use them.';
    await quickPickRow(page, why).waitFor(patience);
    await page.keyboard.press('Escape');

    // It says so, and leads to where that can be changed.
    await bridge.execute('parley.tools.focus');
    await page.locator('.pane-body .monaco-list-row', { hasText: 'Restricted Mode' }).click(patience);
    await page
      .locator('.workspace-trust-editor')
      .getByRole('button', { name: 'Trust', exact: true })
      .click(patience);
    await expect.poll(() => trusted(bridge), patience).toBe(true);
    await expect.poll(() => toolNames(bridge), patience).toEqual(expect.arrayContaining(['marker', 'more']));
    expect(await bridge.execute('parley.runTool', 'marker', {})).toBe('marker');
    await expect
      .poll(() => existsSync(join(folder, '.parley', '.generated', 'parley-mcp', 'index.d.ts')), patience)
      .toBe(true);
    // A server of the folder is listed, and is not started by trust alone.
    await page
      .getByRole('treeitem', { name: /^MCP server eager, not allowed: click Start/ })
      .waitFor(patience);
    await page
      .getByRole('treeitem', { name: /^MCP server agents, not allowed: click Start/ })
      .waitFor(patience);
    const times = await readFile(ran, 'utf8');
    // Both files to find out what they hold, and one in the worker of its tool.
    expect(times).toBe('ran ran ran ');

    // Revoked: another extension host, and of the old one no process is left.
    const old = await processesOf(bridge);
    expect(old.length).toBeGreaterThan(0);
    const before = await knownBridges(server.address.bridgeDir);
    // A notification would be above the button, which is there as long as the pointer is on its row.
    await bridge.execute('notifications.toggleDoNotDisturbMode');
    await bridge.execute('notifications.clearAll');
    await bridge.execute('workbench.trust.manage');
    const entry = page.locator('.workspace-trust-editor .monaco-list-row', { hasText: basename(folder) });
    await entry.hover(patience);
    await entry.getByRole('button', { name: 'Delete Path' }).click(patience);
    const next = await connectBridge(server.address.bridgeDir, before);
    await expect.poll(() => old.filter(isAlive), patience).toEqual([]);
    await next.activate('parley.parley-mcp');
    expect(await trusted(next)).toBe(false);
    await expect(next.execute('parley.runTool', 'marker', {})).rejects.toThrow(
      /The tool “marker” was not found/,
    );
    expect(await readFile(ran, 'utf8')).toBe(times);
  });
});

function trusted(bridge: Bridge): Promise<boolean> {
  return bridge.evaluate((api) => api.workspace.isTrusted, undefined);
}

/** The extension host, and where the system says which, the processes that it has started. */
async function processesOf(bridge: Bridge): Promise<number[]> {
  const host = await bridge.evaluate(() => process.pid, undefined);
  const children = await readFile(`/proc/${host}/task/${host}/children`, 'utf8').catch(() => '');
  return [host, ...children.split(' ').filter(Boolean).map(Number)];
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
