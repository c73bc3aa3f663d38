import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe } from 'vitest';
import type { Workbench } from '#harness';
import { expect, test } from '../fixture.ts';
import * as panels from '../panel.ts';
import { writeTool } from '../tool-files.ts';
import { askAgent, startMcpServer, useAgent } from './agent.ts';

const color = {
  message: 'Which color shall the door have?',
  fields: [{ name: 'color', label: 'Color', kind: 'choice', options: ['red', 'blue'] }],
};

const rollDice = `
import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

export const rollDice = createMcpTool('roll_dice')
  .description('Rolls a die.')
  .parameters(z.object({}))
  .annotations({ readOnlyHint: true })
  .elicits({})
  .execute(function* () {
    return 'it shows a six';
  });
`;

/**
 * Lets the agent run where Parley's own tools are not over MCP: the window of a test before may have had them so. Which of them the agent
 * may use is known from what it hands to its model, and from nothing before.
 */
async function useAgentWithOwnTools(workbench: Workbench): Promise<void> {
  await useAgent(workbench);
  const { bridge } = workbench;
  const handed = async () => {
    await bridge.execute('parleyDemo.reset');
    await askAgent(workbench, 'Hello.');
    const requests = (await bridge.execute('parleyDemo.requests')) as { tools: { name: string }[] }[];
    return requests.flatMap(({ tools }) => tools.map(({ name }) => name));
  };
  await expect.poll(handed, { timeout: 60_000 }).toContain('ask_user');
  await bridge.execute('parleyDemo.reset');
}

/** VS Code tells extensions of tools, Copilot's agent too, most of a second after it has them. */
async function bookFlightKnown(workbench: Workbench): Promise<void> {
  await expect.poll(() => startMcpServer(workbench), { timeout: 60_000 }).toContain('mcp_parley_book_flight');
}

describe("Copilot's agent mode", () => {
  test('asks the person with ask_user, leaves them the keyboard, and goes on with the answer', async ({
    page,
    workbench,
  }) => {
    await useAgentWithOwnTools(workbench);
    await workbench.bridge.execute('parleyDemo.script', [
      { toolCalls: [{ name: 'ask_user', input: color }] },
    ]);
    const answer = askAgent(workbench, 'Paint the door.');
    const panel = await panels.panelOf(page, 'Ask the User');
    await panel.getByText('Which color shall the door have?').first().waitFor();
    await expect.poll(() => page.locator('.interactive-session :focus').count()).toBe(1);
    await panel.getByText('blue', { exact: true }).click();
    await panels.button(panel, 'Submit').click();

    const { calls, text } = await answer;
    expect(calls).toEqual([
      { name: 'ask_user', input: color, result: '{"status":"answered","answers":{"color":"blue"}}' },
    ]);
    expect(text).toContain('"color":"blue"');
  });

  for (const [name, status] of [
    ['Decline', 'declined'],
    ['Cancel', 'cancelled'],
  ] as const) {
    test(`hears of ${name} as a status, and goes on`, { tags: 'long' }, async ({ page, workbench }) => {
      await useAgentWithOwnTools(workbench);
      await workbench.bridge.execute('parleyDemo.script', [
        { toolCalls: [{ name: 'ask_user', input: color }] },
      ]);
      const answer = askAgent(workbench, 'Paint the door.');
      const panel = await panels.panelOf(page, 'Ask the User');
      await panels.button(panel, name).click();
      expect((await answer).calls).toMatchObject([{ result: `{"status":"${status}"}` }]);
    });
  }

  test('takes a question along that is stopped before anybody has looked at it', { tags: 'long' }, async ({
    page,
    workbench,
  }) => {
    await useAgentWithOwnTools(workbench);
    await workbench.bridge.execute('parleyDemo.script', [
      { toolCalls: [{ name: 'ask_user', input: color }] },
    ]);
    const answer = askAgent(workbench, 'Paint the door.');
    const panel = await panels.panelOf(page, 'Ask the User');
    await panel.getByText('Which color shall the door have?').first().waitFor();
    await workbench.bridge.execute('workbench.action.chat.cancel');
    await answer;
    await page.locator('.tab', { hasText: 'Ask the User' }).waitFor({ state: 'detached' });
  });

  test('reads what was wrong with its call, when nobody was asked', { tags: 'long' }, async ({
    workbench,
  }) => {
    await useAgentWithOwnTools(workbench);
    // Copilot itself checks the schema; that a choice has options, the schema cannot say.
    const fields = [{ name: 'color', label: 'Color', kind: 'choice' }];
    await workbench.bridge.execute('parleyDemo.script', [
      { toolCalls: [{ name: 'ask_user', input: { message: 'Well?', fields } }] },
    ]);
    const { calls, text } = await askAgent(workbench, 'Paint the door.');
    expect(calls).toHaveLength(1);
    expect(text).toContain('is a choice without options');
    expect(text).toContain('call ask_user again');
  });

  test('books a flight with the tool of the workspace, over MCP', async ({ page, workbench }) => {
    await useAgent(workbench);
    await bookFlightKnown(workbench);
    const answer = askAgent(workbench, 'Book me a flight from AMS to LIS');
    const panel = await panels.panelOf(page, 'Book a flight');
    await panels.flights(panel).first().waitFor();
    await panels.takeFirstFlight(panel);
    const seat = await panels.takeFirstSeat(panel);

    const { calls, text } = await answer;
    expect(calls).toMatchObject([
      { name: 'mcp_parley_book_flight', input: { from: 'AMS', destination: 'LIS' } },
    ]);
    expect(text).toMatch(/PAR-[A-Z2-9]{6}/);
    expect(text).toContain(`"seat":"${seat}"`);
    expect(text).toContain('In Lisbon, ride tram 28');
  });

  test('keeps its open calls when tools change, come and go', { tags: 'long' }, async ({
    page,
    workbench,
    workspace,
  }) => {
    await useAgent(workbench);
    await bookFlightKnown(workbench);
    const answer = askAgent(workbench, 'Book me a flight from AMS to LIS');
    const panel = await panels.panelOf(page, 'Book a flight');
    await panels.flights(panel).first().waitFor();

    const file = join(workspace, '.parley', 'tools', 'comes-and-goes.ts');
    const tools = () => workbench.bridge.evaluate((api) => api.lm.tools.map(({ name }) => name), undefined);
    await writeTool(workbench.bridge, file, rollDice.replace('roll_dice', 'comes_and_goes'));
    await expect.poll(tools, { timeout: 60_000 }).toContain('mcp_parley_comes_and_goes');
    await rm(file);
    await expect.poll(tools, { timeout: 60_000 }).not.toContain('mcp_parley_comes_and_goes');
    // Were the server stopped, VS Code would decide so half a second after its definition changed, and give the call up 5 s later.
    // Of neither can a test hear before it is over: that nothing happens takes as long as it would take to happen.
    const given = Promise.race([answer.then(() => 'the call was given up'), sleep(6_000, 'it waits')]);
    expect(await given).toBe('it waits');

    await panels.takeFirstFlight(panel);
    await panels.takeFirstSeat(panel);
    const { calls } = await answer;
    expect(calls).toMatchObject([{ name: 'mcp_parley_book_flight', result: expect.stringMatching(/PAR-/) }]);
  });

  test('has no shipped tool twice, and calls a tool in the turn after it was written', {
    tags: 'long',
  }, async ({ workbench, workspace }) => {
    await useAgent(workbench);
    const before = await startMcpServer(workbench);
    expect(before).toContain('ask_user');
    expect(before).not.toContain('mcp_parley_ask_user');
    expect(before).not.toContain('mcp_parley_roll_dice');
    await askAgent(workbench, 'Hello.');
    const folder = join(workspace, '.parley', 'tools');
    await mkdir(folder, { recursive: true });
    await writeTool(workbench.bridge, join(folder, 'roll-dice.ts'), rollDice);
    await expect.poll(() => startMcpServer(workbench), { timeout: 60_000 }).toContain('mcp_parley_roll_dice');
    const { calls } = await askAgent(workbench, 'Roll the dice.');
    expect(calls).toMatchObject([{ name: 'mcp_parley_roll_dice', result: 'it shows a six' }]);
  });
});
