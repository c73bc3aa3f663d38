import type { Page } from 'playwright-core';
import { describe } from 'vitest';
import type { Workbench } from '../../harness/index.ts';
import { expect, test } from '../fixture.ts';
import * as panels from '../panel.ts';
import { useAgent } from './agent.ts';

const color = {
  message: 'Which color shall the door have?',
  fields: [{ name: 'color', label: 'Color', kind: 'choice', options: ['red', 'blue'] }],
};

/** Says something in the chat view; resolves when the answer is complete. */
function say(workbench: Workbench, query: string): Promise<unknown> {
  return workbench.bridge.execute('workbench.action.chat.open', {
    query,
    modelSelector: { vendor: 'parley-demo', id: 'demo' },
    blockOnResponse: true,
  });
}

function answers(page: Page) {
  return page.locator('.interactive-session .interactive-response');
}

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
    await answers(page).getByText('Show the Question').last().waitFor();
    await panel.getByText('blue', { exact: true }).click();
    await panels.button(panel, 'Submit').click();
    await said;
    await answers(page).getByText('"color":"blue"').last().waitFor();
  });

  test('goes on in the next turn with a question that was answered after the turn was stopped', async ({
    page,
    workbench,
  }) => {
    await useAgent(workbench);
    await workbench.bridge.execute('parleyDemo.script', [
      { toolCalls: [{ name: 'ask_user', input: color }] },
    ]);
    const said = say(workbench, '@parley Paint the door.');
    const panel = await panels.panelOf(page, 'Ask the User');
    await answers(page).getByText('Show the Question').last().waitFor();
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

  test('lists the tools', async ({ page, workbench }) => {
    await useAgent(workbench);
    await say(workbench, '@parley /tools');
    await answers(page).getByText('ask_user').last().waitFor();
    await answers(page).getByText('book_flight').last().waitFor();
  });
});
