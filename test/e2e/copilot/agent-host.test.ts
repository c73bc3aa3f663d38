// @module-tag long
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  bridgeExtension,
  exampleWorkspace,
  launchBrowser,
  newest,
  openWorkbench,
  screenshot,
  startVsCodeServer,
  type Workbench,
} from '#harness';
import * as panels from '../panel.ts';
import { readmeStory } from '../readme-story.ts';
import { toolNames } from '../tool-files.ts';
import { atRest, parleyWith } from '../under-test.ts';
import { type CopilotService, startCopilotService } from './copilot-service.ts';

/**
 * Copilot's other harness: its agent runs in a process of the server, not in the extension host. It is the real one, runtime and all; what it
 * needs of GitHub is on this machine, by the ways that VS Code has for its own tests.
 */
describe("Copilot's agent host", () => {
  let service: CopilotService;
  let window: Workbench;
  const ends: Array<() => Promise<unknown>> = [];

  beforeAll(async () => {
    service = await startCopilotService();
    ends.unshift(() => service.stop());
    const server = await startVsCodeServer({
      version: newest,
      ...parleyWith(bridgeExtension),
      testDriver: true,
      env: {
        VSCODE_AGENT_HOST_CAPI_URL_OVERRIDE: service.origin,
        COPILOT_DEBUG_GITHUB_API_URL: service.origin,
      },
      settings: {
        ...atRest,
        'chat.agentHost.unsafeTestToken': 'a-token-of-nobody',
        'chat.agentHost.allowSignedOutWhenUsable': true,
        'chat.defaultToCopilotHarness': true,
        'chat.editor.preferCopilotHarness': true,
      },
    });
    ends.unshift(() => server.stop());
    const parent = await mkdtemp(join(tmpdir(), 'parley-agent-host-'));
    ends.unshift(() => rm(parent, { recursive: true, force: true }));
    const workspace = join(parent, 'workspace');
    await cp(exampleWorkspace, workspace, { recursive: true });
    // It only reads: a window in a browser does not always draw the question whether a tool may run.
    const { path, code } = await readmeStory();
    await writeFile(join(workspace, path), code);
    const browser = await launchBrowser();
    ends.unshift(() => browser.close());
    window = await openWorkbench(browser, server.address, { workspace });
    window.page.setDefaultTimeout(60_000);
    await ready();
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await screenshot(window.page, `e2e-agent-host-${task.name}`);
    await window.bridge.execute('workbench.action.chat.cancel');
    await window.bridge.execute('parley.abortAllCalls');
    await window.bridge.execute('workbench.action.closeAllEditors');
  });

  async function ready(): Promise<void> {
    await window.bridge.activate('parley.parley-mcp');
    // In a hook, which has no `expect.poll`.
    const loaded = async () => expect(await toolNames(window.bridge)).toContain('release_notes');
    await vi.waitFor(loaded, { timeout: 240_000, interval: 300 });
  }

  /** Says something in a new conversation. */
  async function say(query: string): Promise<void> {
    const { page, bridge } = window;
    await bridge.execute('workbench.action.chat.newChat');
    await bridge.execute('workbench.action.chat.open', { query, isPartialQuery: true });
    const input = page.locator('.interactive-input-part').first();
    await input
      .getByText('Scripted')
      .or(input.getByText('Auto', { exact: true }))
      .first()
      .waitFor();
    await input.locator('.monaco-editor').first().click();
    await page.keyboard.press('Enter');
  }

  async function letCall(tool: string, input: object): Promise<void> {
    service.calls(tool, input);
    await say(`Please call ${tool}.`);
  }

  /** The agent has a draft of notes approved; the field that they are in. */
  async function asked(version: string): Promise<Locator> {
    await letCall('release_notes', { version, draft: '- A draft' });
    const panel = await panels.panelShowing(
      window.page,
      'Release notes',
      `Publish ${version} with these notes?`,
    );
    const notes = panels.field(panel, 'Notes');
    await notes.waitFor();
    return notes;
  }

  const last = () => service.asked.at(-1)?.said;

  test('has the tools of a window, none of them named as one of its own', async () => {
    await say('Good morning.');
    const named = () => service.asked.at(-1)?.tools ?? [];
    await expect.poll(() => named().find((name) => name.endsWith('release_notes'))).toBeDefined();
    expect(named()).toEqual(expect.arrayContaining(['askWithForm', 'reviewPlan', 'commitChanges']));
    const alike = named().map((name) => name.toLowerCase().replace(/[^a-z]/g, ''));
    expect(alike.filter((name, at) => alike.indexOf(name) !== at)).toEqual([]);
  });

  test('continues with the answer that its tool was given in the panel', async () => {
    const notes = await asked('2.4.0');
    await panels.typeInto(notes, '\n- Answers survive a reload');
    await panels.button(await panels.panelOf(window.page, 'Release notes'), 'Submit').click();
    await expect.poll(last).toContain('Approved notes for 2.4.0:\n- A draft\n- Answers survive a reload');
    await window.page.locator('.interactive-session').getByText('It says:').last().waitFor();
  });

  test('asks the person by the tool that comes with Parley', async () => {
    const fields = [{ name: 'color', label: 'Color', kind: 'choice', options: ['red', 'blue'] }];
    await letCall('askWithForm', { message: 'Which color?', fields });
    const panel = await panels.panelOf(window.page, 'Ask the User');
    await panel.getByText('blue', { exact: true }).click();
    await panels.button(panel, 'Submit').click();
    await expect.poll(last).toContain('"answers":{"color":"blue"}');
  });

  test('takes the question along when it is stopped', async () => {
    await asked('2.4.1');
    await window.bridge.execute('workbench.action.chat.cancel');
    await window.page.locator('.tab', { hasText: 'Release notes' }).waitFor({ state: 'detached' });
  });

  test('is told that its window was reloaded; the question is answered there all the same', async () => {
    await asked('2.4.2');
    await window.reload();
    await ready();
    await expect.poll(last).toContain('the window of VS Code was closed or reloaded');
    await panels.showWaiting(window, 'oldest');
    const panel = await panels.panelShowing(window.page, 'Release notes', 'Publish 2.4.2 with these notes?');
    await panel.getByText('The agent started this call and is no longer connected.').waitFor();
    await panels.button(panel, 'Submit').click();
    await panel.locator('.stage-result').getByText('Approved notes for 2.4.2').waitFor();
  });
});
