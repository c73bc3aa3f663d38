// @module-tag long
import { createRequire } from 'node:module';
import type { Frame } from 'playwright-core';
import { describe, onTestFinished } from 'vitest';
import { answerDialog, pick, runCommand } from '#harness';
import { LONG } from '#test/long.ts';
import { allowServers, nodeProgram, serverRow } from './allowed-servers.ts';
import { expect, test } from './fixture.ts';
import * as panels from './panel.ts';
import { toolNames } from './tool-files.ts';

const program = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);

/** What a tool takes, and a part of what it gives. */
type Given = readonly [params: object | undefined, said: string];

/** All tools that answer without a word from anybody, by their titles. */
const tools: Readonly<Record<string, Given>> = {
  'Echo Tool': [{ message: 'Hello' }, 'Echo: Hello'],
  'Get Annotated Message Tool': [{ messageType: 'error', includeImage: true }, 'Error: Operation failed'],
  'Print Environment Tool': [undefined, '"PATH"'],
  'Get Resource Links Tool': [{ count: 2 }, 'Here are 2 resource links'],
  'Get Resource Reference Tool': [{ resourceType: 'Text', resourceId: 2 }, 'Resource 2'],
  'Get Roots List Tool': [undefined, 'Current MCP Roots (1 total)'],
  'Get Structured Content Tool': [{ location: 'Chicago' }, 'temperature'],
  'Get Sum Tool': [{ a: 20, b: 22 }, 'The sum of 20 and 22 is 42.'],
  'Get Tiny Image Tool': [undefined, 'The image above is the MCP logo.'],
  'GZip File as Resource Tool': [
    { name: 'a.gz', data: 'data:text/plain,hello', outputType: 'resourceLink' },
    'a.gz',
  ],
  // Its server runs it as a task, and not otherwise.
  'Simulate Research Query': [{ topic: 'tea', ambiguous: false }, 'Research Report: tea'],
  'Toggle Simulated Logging': [undefined, 'Started simulated, random-leveled logging'],
  'Toggle Subscriber Updates': [undefined, 'Started simulated resource updated notifications'],
  'Trigger Long Running Operation Tool': [{ duration: 0.2, steps: 2 }, 'Long running operation completed.'],
};

/** One of each kind, where not all are tried. */
const some = [
  'Get Annotated Message Tool',
  'Get Resource Links Tool',
  'Get Structured Content Tool',
  'Get Tiny Image Tool',
  'Simulate Research Query',
  'Trigger Long Running Operation Tool',
  'Simple Prompt',
  'Dynamic Text Resource',
];

const isTried = ([title]: readonly [string, Given]) => LONG || some.includes(title);

/** All prompts by their titles, and the two templates and two of the files. */
const offers: Readonly<Record<string, Given>> = {
  'Simple Prompt': [undefined, 'This is a simple prompt'],
  'Arguments Prompt': [{ city: 'Lisbon', state: 'Portugal' }, 'weather in Lisbon, Portugal'],
  'Team Management': [{ department: 'Engineering', name: 'Alice' }, 'Please promote Alice'],
  'Resource Prompt': [{ resourceType: 'Text', resourceId: '1' }, 'This prompt includes'],
  'Dynamic Text Resource': [{ resourceId: '3' }, 'Resource 3: This is a plaintext resource'],
  'Dynamic Blob Resource': [{ resourceId: '3' }, 'demo://resource/dynamic/blob/3'],
};

describe('server-everything in a window', () => {
  test('runs its tools, prompts and resources; it asks, opens pages and uses the editor’s model', async ({
    page,
    workbench,
  }) => {
    const { bridge } = workbench;
    await allowServers(workbench, { everything: nodeProgram(program) });
    await serverRow(page, 'everything').getByText('connected').waitFor();
    await expect.poll(async () => (await theirs(bridge)).length, { timeout: 60_000 }).toBeGreaterThan(12);

    for (const [title, [params, said]] of Object.entries(tools).filter(isTried)) {
      const panel = await panels.runTool(page, title);
      await give(panel, params);
      await panel.locator('.stage-result').getByText(said).first().waitFor();
      await bridge.execute('workbench.action.closeAllEditors');
    }

    const asking = await panels.runTool(page, 'Trigger Elicitation Request Tool');
    await panels.field(asking, 'String').first().fill('Ada');
    await panels.submit(asking);
    await asking.locator('.stage-result').getByText('Ada').first().waitFor();
    await bridge.execute('workbench.action.closeAllEditors');

    const sending = await panels.runTool(page, 'Trigger URL Elicitation Tool');
    await give(sending, { url: 'https://example.com/pay?id=7' });
    await sending.locator('.page-address').getByText('example.com').waitFor();
    const window = page.context();
    await window.route('https://example.com/**', (route) => route.fulfill({ body: 'Paid.' }));
    onTestFinished(() => window.unroute('https://example.com/**'));
    const opened = window.waitForEvent('page');
    await panels.button(sending, 'Open Page').click();
    await answerDialog(page, 'Open');
    const paying = await opened;
    await paying.getByText('Paid.').waitFor();
    expect(paying.url()).toBe('https://example.com/pay?id=7');
    await paying.close();
    await sending.locator('.stage-result').getByText('User completed the URL elicitation flow').waitFor();
    await bridge.execute('workbench.action.closeAllEditors');

    await bridge.execute('parleyDemo.script', { text: 'Take the ferry to Barreiro.' });
    const sampling = await panels.runTool(page, 'Trigger Sampling Request Tool');
    await give(sampling, { prompt: 'Where to go from Lisbon?' });
    await sampling
      .getByText('wants to use your model. Allow it until the server reconnects?')
      .first()
      .waitFor();
    await sampling.getByText('Where to go from Lisbon?').first().waitFor();
    await panels.button(sampling, 'Submit').click();
    await sampling.locator('.stage-result').getByText('Take the ferry to Barreiro.').first().waitFor();
    await bridge.execute('workbench.action.closeAllEditors');

    for (const [title, [params, said]] of Object.entries(offers).filter(isTried)) {
      await runCommand(page, 'Parley: Use MCP Prompt or Resource…');
      await pick(page, 'everything');
      await pick(page, title);
      const panel = await panels.panelOf(page, `everything/${title}`);
      await give(panel, params);
      await panel.locator('.stage-result').getByText(said).first().waitFor();
      await bridge.execute('workbench.action.closeAllEditors');
    }

    // Nothing of it was left out here by mistake.
    const titled = Object.keys(tools).length + 3;
    expect(await theirs(bridge)).toHaveLength(titled);
  });
});

type Bridge = Parameters<typeof toolNames>[0];

async function theirs(bridge: Bridge): Promise<readonly string[]> {
  return (await toolNames(bridge)).filter((name) => name.startsWith('everything__'));
}

/** Fills in the parameters of a tool as JSON and runs it; a tool without any has begun already. */
async function give(panel: Frame, params: object | undefined): Promise<void> {
  if (!params) return;
  await panel.getByRole('button', { name: 'Edit as JSON' }).click();
  await panel.getByRole('textbox').first().fill(JSON.stringify(params));
  await panels.submit(panel);
}
