import { describe } from 'vitest';
import { dialog, notification, pick, runCommand } from '#harness';
import { expect, reloadWindow, test } from './fixture.ts';
import { type Endpoint, endpoint, post, toolsOf } from './mcp-endpoint.ts';
import * as panels from './panel.ts';

describe('the MCP server of a window, for other clients', () => {
  test('is found by a copied configuration, also after a reload, until the token is reset', async ({
    page,
    workbench,
  }) => {
    await runCommand(page, 'Parley: Copy MCP Client Configuration…');
    await pick(page, 'Cursor');
    await notification(page, 'Copied for Cursor.').waitFor();
    const copied = await endpoint(workbench);
    expect(copied.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    expect(await toolsOf(copied)).toEqual(
      expect.arrayContaining(['ask_user', 'book_flight', 'commit_changes']),
    );
    expect(await status({ ...copied, token: 'guessed' })).toBe(401);
    // The editor lends its abilities to calls of other clients, too.
    const mended = await post(copied, 'tools/call', {
      name: 'fix_problems',
      arguments: { file: 'README.md', severity: 'error' },
    });
    expect(await mended.text()).toContain('The editor shows no such problem in README.md.');

    // Who asks is told by the name that was copied; what the client says of itself stands beside it.
    const called = post(copied, 'tools/call', { name: 'ask_twice', arguments: { name: 'Ada' } });
    const panel = await panels.panelShowing(page, 'Ask twice', 'First question for Ada');
    // Numbered where an earlier test has copied one.
    await panel.getByText(/^Asked for by Cursor( \d+)?$/).waitFor();
    await panel.getByText('(it says: test 1)').waitFor();
    await workbench.bridge.execute('parley.calls.focus');
    await page
      .locator('.monaco-list-row', { hasText: /Cursor( \d+)? · waiting for you: First question/ })
      .waitFor();
    await panels.button(panel, 'Cancel').click();
    await panel.getByText('Second question for Ada').first().waitFor();
    await panels.button(panel, 'Cancel').click();
    expect(await (await called).text()).toContain('cancel');

    await reloadWindow(workbench);
    // Nobody asked for the address in this window, and it is served all the same.
    await expect.poll(() => status(copied).catch(() => 0), { timeout: 60_000 }).toBe(200);
    expect(await toolsOf(copied)).toContain('ask_user');

    // There is more than one to choose from, whatever earlier tests have copied.
    await workbench.bridge.execute('parley.copyMcpConfiguration', 'cursor');
    // A page of an earlier test that VS Code has brought back takes the keyboard when it is drawn, and the list would close.
    await workbench.bridge.execute('workbench.action.closeAllEditors');
    await runCommand(page, 'Parley: Reset MCP Token');
    await pick(page, 'All clients');
    await notification(page, 'are shut out').waitFor();
    expect(await status(copied)).toBe(401);
    await workbench.bridge.execute('parley.copyMcpConfiguration', 'cursor');
    const fresh = await endpoint(workbench);
    expect(fresh.url).toBe(copied.url);
    expect(fresh.token).not.toBe(copied.token);
    expect(await status(fresh)).toBe(200);
    expect(await dialog(page).count()).toBe(0);
  });
});

async function status(endpoint: Endpoint): Promise<number> {
  const response = await post(endpoint, 'tools/list');
  await response.body?.cancel();
  return response.status;
}
