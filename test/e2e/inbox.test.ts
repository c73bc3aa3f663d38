import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'effection';
import { describe, onTestFinished } from 'vitest';
import {
  bridgeExtension,
  newest,
  openWorkbench,
  screenshot,
  startVsCodeServer,
  switchTheme,
  type ThemeKind,
} from '#harness';
import { PersonCalls } from '#src/calls/person-calls.ts';
import { openMachineInbox } from '#src/stores/machine-inbox.ts';
import { startTerminalAgent, startTerminalClient } from '../mcp/kit/terminal-agent.ts';
import { callRow } from './calls-view.ts';
import { expect, test } from './fixture.ts';
import * as panels from './panel.ts';
import { atRest, parleyWith } from './under-test.ts';

const themes: readonly ThemeKind[] = ['light', 'dark', 'high-contrast'];

describe('a question that an agent asks in a terminal', () => {
  test('is listed in the window of its folder; the first answer counts, and the other place closes', async ({
    browser,
    workspace,
  }) => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-inbox-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const env = { PARLEY_INBOX: join(folder, 'inbox') };
    const server = await startVsCodeServer({
      version: newest,
      ...parleyWith(bridgeExtension),
      settings: atRest,
      env,
    });
    onTestFinished(() => server.stop());
    const window = await openWorkbench(browser, server.address, { workspace });
    const { page, bridge } = window;
    page.setDefaultTimeout(60_000);
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail') await screenshot(page, 'e2e-inbox');
      await window.close();
    });
    await bridge.activate('parley.parley-mcp');
    await bridge.execute('parley.calls.focus');

    const agent = await startTerminalAgent(
      join(workspace, '.parley/tools/fixtures/ask-twice.ts'),
      { name: 'ask_twice', arguments: { name: 'Ada' } },
      { env, cwd: workspace },
    );
    onTestFinished(() => agent.kill());
    const row = callRow(page, 'Ask twice');
    await row.getByText('claude-code · workspace · since').waitFor();
    await page.locator('.monaco-list-row', { hasText: 'Waiting' }).first().waitFor();
    await expect.poll(() => panels.waitingItem(page).textContent()).toContain('1');
    // Nothing opens by itself.
    const tabs = () =>
      bridge.evaluate((api, _) => api.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, undefined);
    const before = await tabs();
    for (const theme of themes) {
      await switchTheme(window, theme);
      await screenshot(page, `inbox-listed-${theme}`);
    }
    expect(await page.locator('.notification-toast').count()).toBe(0);

    await row.click();
    const panel = await panels.panelShowing(page, 'Ask twice', 'First question for Ada');
    expect(await tabs()).toBe(before + 1);
    await panels.field(panel, 'Your answer').fill('from the window');
    for (const theme of themes) {
      await switchTheme(window, theme);
      await screenshot(page, `inbox-panel-${theme}`);
    }
    await panels.submit(panel);
    await agent.hears(
      ({ method, params }) => method === 'notifications/cancelled' && params.requestId === agent.asked.id,
    );
    const second = await agent.hears(
      ({ method, params }) => method === 'elicitation/create' && params.message.includes('Second'),
    );
    await panels.panelShowing(page, 'Ask twice', 'Second question for Ada');

    const said = performance.now();
    agent.say({ id: second.id, result: { action: 'accept', content: { text: 'in the terminal' } } });
    await expect.poll(tabs).toBe(before);
    console.log(
      `the panel closed ${Math.round(performance.now() - said)} ms after the answer in the terminal`,
    );
    const { result } = await agent.hears(({ id, method }) => id === 1 && method === undefined);
    expect(JSON.parse(result.content[0].text)).toEqual({ first: 'accept', second: 'in the terminal' });
    await row.waitFor({ state: 'detached' });

    // An agent that draws no forms asks here: its panel opens by itself, and no browser does.
    const formless = await startTerminalClient(
      join(workspace, '.parley/tools/fixtures/ask-twice.ts'),
      { name: 'ask_twice', arguments: { name: 'Bob' } },
      { env: { ...env, PARLEY_OPENER: 'false' }, cwd: workspace },
    );
    onTestFinished(() => formless.kill());
    const asking = await panels.panelShowing(page, 'Ask twice', 'First question for Bob');
    expect(await tabs()).toBe(before + 1);
    await panels.field(asking, 'Your answer').fill('one');
    await panels.submit(asking);
    const next = await panels.panelShowing(page, 'Ask twice', 'Second question for Bob');
    await panels.field(next, 'Your answer').fill('two');
    await panels.submit(next);
    await formless.hears(({ id, method }) => id === 1 && method === undefined);
    await expect.poll(tabs).toBe(before);

    // One that is killed behind an answer is listed once, until it is stopped.
    const killed = await startTerminalAgent(
      join(workspace, '.parley/tools/fixtures/ask-twice.ts'),
      { name: 'ask_twice', arguments: { name: 'Eve' } },
      { env, cwd: workspace },
    );
    onTestFinished(() => killed.kill());
    killed.say({ id: killed.asked.id, result: { action: 'accept', content: { text: 'one' } } });
    await row.getByText('Second question for Eve').waitFor();
    await killed.kill();
    await row.getByText('interrupted').first().waitFor();
    expect(await page.locator('.monaco-list-row', { hasText: 'interrupted' }).count()).toBe(1);
    await row.hover();
    await row.getByRole('button', { name: /^Stop Call/ }).click();
    await row.waitFor({ state: 'detached' });

    // The other way round: what this window asks is listed to others, and may be answered or stopped there.
    const store = openMachineInbox(env.PARLEY_INBOX, () => {});
    onTestFinished(() => store.close());
    const people = new PersonCalls(store, 'another window');
    const listed = async () => (await run(() => people.list()))[0];
    const own = await panels.runTool(page, 'Ask twice');
    await panels.submit(own);
    await panels.panelShowing(page, 'Ask twice', 'First question');
    await expect.poll(listed).toMatchObject({ title: 'Ask twice', folder: workspace, tool: 'ask_twice' });
    const first = await listed();
    if (!first) throw new Error('nothing is listed');
    const answers = { first: { action: 'accept', content: { text: 'from elsewhere' } } };
    await run(() => people.send(first.name, { id: '1', digest: '1', answers }));
    const shown = await panels.panelShowing(page, 'Ask twice', 'Second question');
    await expect.poll(async () => (await listed())?.asks[0]?.wireKey).toBe('second');
    await run(() => people.send(first.name, { id: '2', digest: '2', stop: 'the user stopped it' }));
    await panels.status(shown, 'Stopped');
    await expect.poll(listed).toBeUndefined();
  });
});
