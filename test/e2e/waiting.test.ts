import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, onTestFinished } from 'vitest';
import { expect, killExtensions, reloadWindow, test } from './fixture.ts';
import { type Endpoint, endpoint, leg, post } from './mcp-endpoint.ts';
import * as panels from './panel.ts';
import { toolNames, writeTool } from './tool-files.ts';

describe('a call that waits for the person', () => {
  test('is there after its extension host died and after a reload, and goes on', async ({
    page,
    workbench,
  }) => {
    // Nobody is left to hear what comes of it.
    workbench.bridge.execute('parley.runTool', 'ask_twice', { name: 'Ada' }).catch(() => {});
    const panel = await panels.panelShowing(page, 'Ask twice', 'First question for Ada');
    await panels.field(panel, 'Your answer').fill('once');
    await panels.submit(panel);
    await panel.getByText('Second question for Ada').first().waitFor();

    await killExtensions(workbench);
    await expect.poll(() => panel.isDetached(), { timeout: 60_000 }).toBe(true);
    const after = await panels.panelShowing(page, 'Ask twice', 'Second question for Ada');
    // The journal has every answer; what else was said in the last moment may be lost.
    await after.getByText('answered after').first().waitFor();
    await panels.field(after, 'Your answer').fill('half');

    await reloadWindow(workbench);
    // The browser may have left before the editor had written down which tabs there are.
    await panels.showWaiting(workbench);
    const revived = await panels.panelShowing(page, 'Ask twice', 'Second question for Ada');
    // Tabs of other tests can be back as well, where the editor had not yet written down that they are closed.
    const tabs = () =>
      workbench.bridge.evaluate(
        (api, title) =>
          api.window.tabGroups.all
            .flatMap((group) => group.tabs.map(({ label }) => label))
            .filter((label) => label.includes(title)),
        'Ask twice',
      );
    // The editor says so some time after it has drawn the panel.
    await expect.poll(tabs).toEqual(['Ask twice — Ada']);
    await panels.field(revived, 'Your answer').fill('twice');
    await panels.submit(revived);
    expect(await panels.resultOf(revived)).toMatchObject({ First: 'accept', Second: 'twice' });
  });
});

describe('a call that waits for the answer of an MCP client', () => {
  test('goes on with it after a reload and after its extension host died', { tags: 'long' }, async ({
    page,
    workbench,
  }) => {
    await workbench.bridge.execute('parley.copyMcpConfiguration', 'cursor');
    const copied = await endpoint(workbench);
    const call = { name: 'ask_twice', arguments: { name: 'Ada' } };
    const text = (said: string) => ({ action: 'accept', content: { text: said } });
    const one = await leg(copied, call);
    expect(Object.keys(one.inputRequests ?? {})).toEqual(['first']);

    await reloadWindow(workbench);
    await served(copied);
    // It is listed before its client is back.
    await workbench.bridge.execute('parley.calls.focus');
    await page.locator('.monaco-list-row', { hasText: /Cursor( \d+)? · .*First question/ }).waitFor();
    const first = { requestState: one.requestState, inputResponses: { first: text('once') } };
    const two = await leg(copied, { ...call, ...first });
    expect(Object.keys(two.inputRequests ?? {})).toEqual(['second']);

    await killExtensions(workbench);
    await served(copied);
    const second = { requestState: two.requestState, inputResponses: { second: text('twice') } };
    const end = await leg(copied, { ...call, ...second });
    expect(JSON.parse(end.content?.[0]?.text ?? '')).toEqual({ first: 'accept', second: 'twice' });
    await workbench.bridge.execute('parley.clearFinishedCalls');
  });

  test('has what the editor lends to clients and no more, also when it was taken up', {
    tags: 'long',
  }, async ({ workbench, workspace }) => {
    const file = join(workspace, '.parley', 'tools', 'changer.ts');
    await writeTool(workbench.bridge, file, changer);
    onTestFinished(() => rm(file));
    await expect.poll(() => toolNames(workbench.bridge), { timeout: 120_000 }).toContain('changer');
    await workbench.bridge.execute('parley.copyMcpConfiguration', 'cursor');
    const copied = await endpoint(workbench);
    const one = await leg(copied, { name: 'changer', arguments: {} });

    await killExtensions(workbench);
    await expect.poll(() => toolNames(workbench.bridge), { timeout: 120_000 }).toContain('changer');
    await served(copied);
    const inputResponses = { sure: { action: 'accept', content: { text: 'yes' } } };
    const { requestState } = one;
    const end = await leg(copied, { name: 'changer', arguments: {}, requestState, inputResponses });
    expect(end.content?.[0]?.text).toContain('for a program outside of it');
    await workbench.bridge.execute('parley.clearFinishedCalls');
  });
});

/** Waits until a window serves a client that was there before: it does so some time after it has begun. */
async function served(copied: Endpoint): Promise<void> {
  const status = () =>
    post(copied, 'tools/list').then(
      (response) => response.status,
      () => 0,
    );
  await expect.poll(status, { timeout: 60_000 }).toBe(200);
}

/** A tool that changes something in the editor, and does not say so. */
const changer = `import { createMcpTool } from 'parley-mcp';
import { useEdits } from 'parley-mcp/editor';
import * as z from 'zod';
export const changer = createMcpTool('changer').description('Changes a file.').parameters(z.object({})).durable()
  .elicits({ sure: z.object({ text: z.string() }) })
  .execute(function* (_, ctx) {
    yield* ctx.elicit.strict('sure', { message: 'Change it?' });
    const edits = yield* useEdits();
    return yield* ctx.step('change', () => edits.apply('Change it', []));
  });
`;
