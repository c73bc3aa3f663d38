// @module-tag long
import { describe, onTestFinished } from 'vitest';
import { runCommand } from '#harness';
import { serverRow, shownInEditor } from '../allowed-servers.ts';
import { expect, test } from '../fixture.ts';
import { only2026 } from '../only-2026.ts';
import * as panels from '../panel.ts';
import { openToolsView } from '../tools-view.ts';
import { askAgent, startMcpServer, useAgent } from './agent.ts';

describe('the gateway for Copilot’s agent', () => {
  test('lets it call a server of 2026-07-28 alone, whose three questions are asked in one panel', async ({
    page,
    workbench,
  }) => {
    const { bridge } = workbench;
    onTestFinished(() =>
      workbench.updateSettings({ 'parley.gateway.servers': undefined, 'parley.servers': undefined }),
    );
    await workbench.updateSettings({
      'parley.servers': { kitchen: { command: process.execPath, args: ['-e', only2026] } },
      'parley.gateway.servers': ['kitchen'],
    });
    await openToolsView(workbench);
    await page.getByRole('treeitem', { name: /^MCP server kitchen, not allowed: click Start/ }).waitFor();
    void bridge.execute('parley.startServer', 'kitchen');
    // Its program is too long for a dialog: all of it can be read, and is allowed without the mouse.
    await page.locator('.tab.active', { hasText: 'mcp-server.txt' }).waitFor();
    const read = () =>
      bridge.evaluate((api) => api.window.activeTextEditor?.document.getText() ?? '', undefined);
    expect((await read()).replaceAll('\n    ', '')).toContain(JSON.stringify(only2026));
    await shownInEditor(page).waitFor();
    await runCommand(page, 'Notifications: Accept Notification Primary Action');
    await serverRow(page, 'kitchen').getByText('connected').waitFor();

    await useAgent(workbench);
    await expect
      .poll(() => startMcpServer(workbench), { timeout: 60_000 })
      .toContain('mcp_parley_kitchen__order');
    await bridge.execute('parleyDemo.script', [
      { toolCalls: [{ name: 'mcp_parley_kitchen__order', input: {} }] },
    ]);
    const answer = askAgent(workbench, 'Order something to eat.');
    for (const [question, given] of [
      ['starter', 'soup'],
      ['dish', 'pie'],
      ['drink', 'tea'],
    ] as const) {
      const panel = await panels.panelShowing(page, 'kitchen/order', `Which ${question}?`);
      await panels
        .field(
          panel,
          question.replace(/^./, (letter) => letter.toUpperCase()),
        )
        .fill(given);
      await panels.button(panel, 'Submit').click();
    }
    const { calls } = await answer;
    expect(calls).toMatchObject([{ result: expect.stringContaining('Coming: soup, pie, tea') }]);
    await expect.poll(() => page.locator('.tab', { hasText: 'kitchen/order' }).count()).toBe(1);
  });
});
