import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, onTestFinished } from 'vitest';
import { type Workbench, webviewFrame } from '#harness';
import { expect, killExtensions, reloadWindow, test } from '../fixture.ts';
import * as panels from '../panel.ts';
import { toolSource, writeTool } from '../tool-files.ts';
import { answers, say, useAgent } from './agent.ts';
import { keptConversation, keptOfParley, openAgain, shownConversation } from './kept-conversation.ts';

const color = {
  message: 'Which color shall the door have?',
  fields: [{ name: 'color', label: 'Color', kind: 'choice', options: ['red', 'blue'] }],
};

describe('@parley', () => {
  test('answers with the chat’s model and its tools, while the panel is answered', async ({
    page,
    workbench,
  }) => {
    await useAgent(workbench);
    await workbench.bridge.execute('parleyDemo.script', [
      { toolCalls: [{ name: 'ask_user', input: color }] },
    ]);
    const said = say(workbench, '@parley Paint the door.');
    const panel = await panels.panelOf(page, 'Ask the User');
    await answers(page)
      .getByText(/^Show /)
      .last()
      .waitFor();
    await panel.getByText('blue', { exact: true }).click();
    await panels.button(panel, 'Submit').click();
    await said;
    await answers(page).getByText('"color":"blue"').last().waitFor();
  });

  test('goes on in the next turn with a question that was answered after the turn was stopped', {
    tags: 'long',
  }, async ({ page, workbench }) => {
    await useAgent(workbench);
    await workbench.bridge.execute('parleyDemo.script', [
      { toolCalls: [{ name: 'ask_user', input: color }] },
    ]);
    const said = say(workbench, '@parley Paint the door.');
    const panel = await panels.panelOf(page, 'Ask the User');
    await answers(page)
      .getByText(/^Show /)
      .last()
      .waitFor();
    await workbench.bridge.execute('workbench.action.chat.cancel');
    await said;
    await panel.getByText('red', { exact: true }).click();
    await panels.button(panel, 'Submit').click();
    await panels.status(panel, 'Done');

    await workbench.bridge.execute('parleyDemo.script', [{ text: 'So be it.' }]);
    await say(workbench, '@parley Well?');
    await answers(page).getByText('So be it.').last().waitFor();
    const requests = (await workbench.bridge.execute('parleyDemo.requests')) as { messages: unknown }[];
    const told = requests
      .map(({ messages }) => JSON.stringify(messages))
      .find((text) => text.includes('Well?'));
    expect(told).toContain(String.raw`\"color\":\"red\"`);
  });

  test('calls a tool as it was last allowed, and is told where its file changed or cannot be loaded', {
    tags: 'long',
  }, async ({ page, workbench, workspace }) => {
    const file = join(workspace, '.parley', 'tools', 'written.ts');
    onTestFinished(() => rm(file, { force: true }));
    const tool = toolSource('written').replace('.elicits', '.annotations({ readOnlyHint: true }).elicits');
    await useAgent(workbench);
    const call = async (name: string) => {
      await workbench.bridge.execute('parleyDemo.script', [{ toolCalls: [{ name, input: {} }] }]);
      await say(workbench, '@parley Call it.');
    };
    for (const text of ['as it is first', 'as it is next']) {
      await writeTool(workbench.bridge, file, tool.replace("return 'written'", `return '${text}'`));
      await call('written');
      await answers(page).last().getByText(text).waitFor();
    }
    await writeFile(file, tool);
    await call('written');
    await answers(page).last().getByText('changed outside this editor').waitFor();
    await writeFile(file, 'export const tool = ;');
    await call('written');
    await answers(page).last().getByText('its file cannot be loaded').waitFor();
  });

  test('lists the tools', { tags: 'long' }, async ({ page, workbench }) => {
    await useAgent(workbench);
    await say(workbench, '@parley /tools');
    await answers(page).getByText('ask_user').last().waitFor();
    await answers(page).getByText('book_flight').last().waitFor();
  });

  test('runs a tool by /run: with JSON at once, with nothing by its form, with a name that is none not at all', async ({
    page,
    workbench,
  }) => {
    await useAgent(workbench);
    await say(workbench, '@parley /run word_count {"text":"to be or not to be"}');
    await answers(page).last().getByText('"words":6').waitFor();

    const said = say(workbench, '@parley /run word_count');
    // Not that of the run before, which goes away meanwhile.
    const panel = await webviewFrame(page, { selector: '.stage-parameters', timeout: 60_000 });
    await panels.field(panel, 'Text').fill('one two three');
    await panels.submit(panel);
    await said;
    await answers(page).last().getByText('"words":3').waitFor();

    await say(workbench, '@parley /run no_such_tool');
    await answers(page).last().getByText('The tool “no_such_tool” was not found').waitFor();
    await answers(page).last().getByText('word_count').first().waitFor();
  });

  test('lists the calls of the window by /runs, with a button to each that waits', async ({
    page,
    workbench,
  }) => {
    await useAgent(workbench);
    const ended = workbench.bridge.execute('parley.runTool', 'ask_twice', { name: 'Ada' }).catch(String);
    await panels.panelShowing(page, 'Ask twice', 'First question for Ada');
    await say(workbench, '@parley /runs');
    await answers(page).last().getByText('Ask twice: waits for your answer').waitFor();
    await workbench.bridge.execute('workbench.action.closeActiveEditor');
    await answers(page).last().getByText('Show Ask twice').click();
    const panel = await panels.panelShowing(page, 'Ask twice', 'First question for Ada');
    await panels.button(panel, 'Stop').click();
    await ended;
    await say(workbench, '@parley /runs');
    await answers(page).last().getByText('Ask twice: stopped').waitFor();
  });

  test('asks before a tool that changes something; No is told to the model, and nothing runs', async ({
    page,
    workbench,
  }) => {
    await useAgent(workbench);
    const call = { toolCalls: [{ name: 'book_flight', input: { from: 'AMS', destination: 'LIS' } }] };
    await workbench.bridge.execute('parleyDemo.script', [call]);
    const refused = say(workbench, '@parley Take me there.');
    await answers(page).last().getByText('May “Book a flight” run with these parameters?').waitFor();
    await answers(page).last().getByText('Don’t Run', { exact: true }).click();
    await refused;
    expect(await page.locator('.tab', { hasText: 'Book a flight' }).count()).toBe(0);

    await workbench.bridge.execute('parleyDemo.script', [call]);
    const allowed = say(workbench, '@parley Take me there after all.');
    // The answer before has the same choices, which do nothing any more.
    await expect.poll(() => answers(page).count(), { timeout: 60_000 }).toBe(2);
    await answers(page).last().getByText('May “Book a flight” run with these parameters?').waitFor();
    await answers(page).last().getByRole('button', { name: 'Run', exact: true }).click();
    const panel = await panels.panelOf(page, 'Book a flight');
    await panels.flights(panel).first().waitFor();
    await panels.button(panel, 'Decline').click();
    await allowed;
    await answers(page).last().getByText('not_booked').first().waitFor();
  });

  test('calls a tool that another extension serves to the editor; the editor asks for approval', {
    tags: 'long',
  }, async ({ page, workbench }) => {
    await useAgent(workbench, false);
    await workbench.bridge.activate('parley-test.parley-test-tool-provider');
    await workbench.bridge.execute('parleyDemo.script', [
      { toolCalls: [{ name: 'mcp_sea_tide', input: { port: 'Lisbon' } }] },
    ]);
    const said = say(workbench, '@parley Can I swim?');
    const chat = page.locator('.interactive-session');
    await chat.getByText('Look at the water?').filter({ visible: true }).first().waitFor();
    await chat
      .getByRole('button', { name: /^Allow/ })
      .filter({ visible: true })
      .first()
      .click();
    await said;
    await answers(page).last().getByText('ebb in Lisbon').first().waitFor();
    expect(await answers(page).last().getByText('Running mcp_sea_tide').count()).toBe(0);
  });

  test('tells the model of a call that was stopped in its panel, and goes on', { tags: 'long' }, async ({
    page,
    workbench,
  }) => {
    await useAgent(workbench);
    await workbench.bridge.execute('parleyDemo.script', [
      { toolCalls: [{ name: 'ask_user', input: color }] },
    ]);
    const said = say(workbench, '@parley Paint the door.');
    const panel = await panels.panelOf(page, 'Ask the User');
    await panel.getByText('Which color shall the door have?').first().waitFor();
    await panels.button(panel, 'Stop').click();
    await said;
    await answers(page).last().getByText('the user stopped it.').first().waitFor();
  });

  /** What the model was told in the turn that began with a message. */
  const toldWith = async (workbench: Workbench, message: string) => {
    const requests = (await workbench.bridge.execute('parleyDemo.requests')) as {
      messages: unknown;
      tools: readonly unknown[];
    }[];
    // Those without tools are about titles and the like, and may come first.
    const turns = requests.filter(({ tools }) => tools.length > 0);
    return turns.map(({ messages }) => JSON.stringify(messages)).find((text) => text.includes(message));
  };
  const chosen = (name: string) => String.raw`\"color\":\"${name}\"`;

  test('goes on by itself after the extension host died, and the next turn knows the outcome', {
    tags: 'long',
  }, async ({ page, workbench }) => {
    await useAgent(workbench);
    await workbench.bridge.execute('parleyDemo.script', [
      { toolCalls: [{ name: 'ask_user', input: color }] },
    ]);
    const said = say(workbench, '@parley Paint the bench.').catch(() => {});
    await panels.panelShowing(page, 'Ask the User', 'Which color shall the door have?');
    await answers(page)
      .getByText(/^Show /)
      .last()
      .waitFor();
    await killExtensions(workbench);
    await said;
    await panels.showWaiting(workbench);
    // The page of before shows the question, too, until that of the new host takes its place.
    const panel = await panels.panelShowing(page, 'Ask the User', 'It gets the result');
    await panel.getByText('Which color shall the door have?').first().waitFor();
    expect(await panels.button(panel, 'Continue').count()).toBe(0);
    await panel.getByText('blue', { exact: true }).click();
    await panels.button(panel, 'Submit').click();
    await panels.status(panel, 'Done');
    await panels.button(panel, 'Add to Chat').waitFor();

    await workbench.bridge.execute('workbench.action.chat.open');
    await page.locator('.interactive-session').getByText('Paint the bench.').first().waitFor();
    await workbench.bridge.execute('parleyDemo.script', [{ text: 'Blue it is.' }]);
    await say(workbench, '@parley Well?');
    await answers(page).last().getByText('Blue it is.').waitFor();
    expect(await toldWith(workbench, 'Well?')).toContain(chosen('blue'));
    expect(await toldWith(workbench, 'Well?')).not.toContain('The call is lost');
  });

  test('is told in the next turn how a call ended that a reload cut off, also without that turn', {
    tags: 'long',
  }, async ({ page, workbench }) => {
    await useAgent(workbench);
    await workbench.bridge.execute('parleyDemo.script', [{ text: 'Good day to you.' }]);
    await say(workbench, '@parley Good day.');
    await keptConversation(workbench, 'Good day to you.');
    const conversation = await shownConversation(workbench);
    await workbench.bridge.execute('parleyDemo.script', [
      { toolCalls: [{ name: 'ask_user', input: color }] },
    ]);
    void say(workbench, '@parley Paint the fence.').catch(() => {});
    await answers(page)
      .getByText(/^Show /)
      .last()
      .waitFor();
    // Parley's note of it is there; VS Code writes down a conversation in its own time, and may or may not have done so.
    // It is written twice: before the model answers, and with the call that waits.
    await expect.poll(() => keptOfParley(page)).toMatch(/Paint the fence\..*"awaiting":\[\{"callId"/s);
    await reloadWindow(workbench);
    await panels.showWaiting(workbench);
    const panel = await panels.panelShowing(page, 'Ask the User', 'It gets the result');
    await panel.getByText('blue', { exact: true }).click();
    await panels.button(panel, 'Submit').click();
    await panels.status(panel, 'Done');

    await openAgain(workbench, conversation, 'Good day.');
    await workbench.bridge.execute('parleyDemo.script', [{ text: 'Blue it is.' }]);
    await say(workbench, '@parley And now?');
    await answers(page).last().getByText('Blue it is.').waitFor();
    expect(await toldWith(workbench, 'And now?')).toContain(chosen('blue'));
  });
});
