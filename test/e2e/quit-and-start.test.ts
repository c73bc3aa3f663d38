import { randomUUID } from 'node:crypto';
import { describe, onTestFinished } from 'vitest';
import {
  bridgeExtension,
  newest,
  notification,
  openWorkbench,
  screenshot,
  startVsCodeServer,
} from '#harness';
import { running } from '../mcp/kit/running.ts';
import { stubborn } from '../mcp/kit/stubborn.ts';
import { allowServers, nodeProgram, serverRow } from './allowed-servers.ts';
import { expect, test } from './fixture.ts';
import { changeKeptCalls, countKeptCalls } from './kept-calls.ts';
import * as panels from './panel.ts';
import { toolNames } from './tool-files.ts';
import { openToolsView } from './tools-view.ts';
import { atRest, parleyWith } from './under-test.ts';

describe('VS Code that is quit and started again', () => {
  test('leaves no MCP server behind, however stubborn, nor does a reload', {
    tags: 'long',
  }, async ({ browser, workspace }) => {
    const mark = `parley-stubborn-${randomUUID()}`;
    onTestFinished(async () => {
      for (const line of await running(mark)) process.kill(Number.parseInt(line, 10), 'SIGKILL');
    });
    const server = await startVsCodeServer({
      version: newest,
      ...parleyWith(bridgeExtension),
      settings: atRest,
    });
    onTestFinished(() => server.stop());
    const window = await openWorkbench(browser, server.address, { workspace });
    const { page } = window;
    page.setDefaultTimeout(120_000);
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail') await screenshot(page, 'e2e-quit-and-start-servers');
      await window.close();
    });
    await window.bridge.activate('parley.parley-mcp');
    await allowServers(window, {
      one: nodeProgram('-e', stubborn, mark),
      two: nodeProgram('-e', stubborn, mark),
    });
    /** Each server with what it has started, when they are connected. */
    const started = async () => {
      for (const name of ['one', 'two']) await serverRow(page, name).getByText('connected').waitFor();
      const lines = await running(mark);
      expect(lines).toHaveLength(4);
      return lines;
    };
    const first = await started();

    await window.reload();
    await window.bridge.activate('parley.parley-mcp');
    await openToolsView(window);
    const left = async () => (await running(mark)).filter((line) => first.includes(line));
    await expect.poll(left, { timeout: 120_000 }).toEqual([]);
    await started();

    // Closed for good: the editor ends its extensions.
    await window.reopen(async () => {
      await expect.poll(() => running(mark), { timeout: 120_000 }).toEqual([]);
    });
  });

  test('has the call that waited, which goes on; one that cannot be read is told of', {
    tags: 'long',
  }, async ({ browser, workspace }) => {
    await using server = await startVsCodeServer({
      version: newest,
      ...parleyWith(bridgeExtension),
      settings: atRest,
    });
    const window = await openWorkbench(browser, server.address, { workspace });
    const { page } = window;
    page.setDefaultTimeout(120_000);
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail') await screenshot(page, 'e2e-quit-and-start');
      await window.close();
    });
    await window.bridge.activate('parley.parley-mcp');
    await expect.poll(() => toolNames(window.bridge), { timeout: 240_000 }).toContain('ask_twice');
    // One that is over: it comes to harm while VS Code is not there.
    await window.bridge.execute('parley.runTool', 'word_count', { text: 'one two' });
    await panels.panelOf(page, 'Count words');
    await window.bridge.execute('workbench.action.closeAllEditors');
    const { settingsFile } = server.address;
    await expect.poll(() => countKeptCalls(settingsFile), { timeout: 60_000 }).toBe(1);
    window.bridge.execute('parley.runTool', 'ask_twice', { name: 'Ada' }).catch(() => {});
    const panel = await panels.panelShowing(page, 'Ask twice', 'First question for Ada');
    await panels.field(panel, 'Your answer').fill('once');
    await panels.submit(panel);
    await panel.getByText('Second question for Ada').first().waitFor();

    await window.reopen(async () => {
      const harm =
        'update contents set notes = head where call in (select id from calls where ended is not null)';
      expect(await changeKeptCalls(settingsFile, harm)).toBe(1);
      await server.restart();
    });
    await notification(page, 'A call from an earlier window could not be read').waitFor();
    await window.bridge.activate('parley.parley-mcp');
    await window.bridge.execute('parley.calls.focus');
    await page.locator('.monaco-list-row', { hasText: /Ask twice.*Second question/ }).waitFor();
    await window.bridge.execute('parley.showWaiting');
    const after = await panels.panelShowing(page, 'Ask twice', 'Second question for Ada');
    await after.getByText('answered after').first().waitFor();
    await panels.field(after, 'Your answer').fill('twice');
    await panels.submit(after);
    expect(await panels.resultOf(after)).toMatchObject({ First: 'accept', Second: 'twice' });
  });
});
