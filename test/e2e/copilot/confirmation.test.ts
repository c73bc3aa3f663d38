import type { Locator, Page } from 'playwright-core';
import { describe } from 'vitest';
import { expect, test } from '../fixture.ts';
import * as panels from '../panel.ts';
import { openRepository } from '../repository.ts';
import { askAgent, useAgent } from './agent.ts';

const call = { toolCalls: [{ name: 'commit_changes', input: { message: 'feat: sell pears' } }] };

describe('a tool that changes something, in agent mode', () => {
  test('runs when the person allows it: files, message, commit', async ({ page, workbench }) => {
    await useAgent(workbench, false);
    await using repository = await openRepository(workbench);
    await repository.write('shop.txt', 'apples\npears\n');
    await workbench.bridge.execute('parleyDemo.script', [call]);
    const answer = askAgent(workbench, 'Commit that, please.');
    const chat = await confirmation(page);
    await chat.getByText('"feat: sell pears"').filter({ visible: true }).first().waitFor();
    expect(await page.locator('.tab', { hasText: 'Commit Changes' }).count()).toBe(0);
    await chat
      .getByRole('button', { name: /^Allow/ })
      .filter({ visible: true })
      .first()
      .click();

    const panel = await panels.panelOf(page, 'Commit Changes');
    await panel.getByRole('checkbox', { name: 'shop.txt, modified' }).waitFor();
    await panel.getByRole('button', { name: 'Go on with 1 of 1' }).click();
    await panels.field(panel, 'Subject').waitFor();
    expect(await panels.field(panel, 'Subject').inputValue()).toBe('feat: sell pears');
    await panels.button(panel, 'Submit').click();
    const { calls, text } = await answer;
    expect({ calls, text }).toMatchObject({
      calls: [{ name: 'commit_changes', result: expect.stringContaining('"status":"committed"') }],
    });
    expect(await repository.git('log', '-1', '--format=%s')).toBe('feat: sell pears');
  });

  test('does not run when the person skips it, and the agent goes on', async ({ page, workbench }) => {
    await useAgent(workbench, false);
    await using repository = await openRepository(workbench);
    await repository.write('shop.txt', 'apples\npears\n');
    await workbench.bridge.execute('parleyDemo.script', [call, { text: 'As you wish.' }]);
    const answer = askAgent(workbench, 'Commit that, please.');
    const chat = await confirmation(page);
    await chat.getByRole('button', { name: 'Skip' }).filter({ visible: true }).first().click();
    const { text } = await answer;
    expect(text).toBe('As you wish.');
    expect(await page.locator('.tab', { hasText: 'Commit Changes' }).count()).toBe(0);
    expect(await repository.git('log', '-1', '--format=%s')).toBe('init');
  });
});

/** The chat, once it asks whether the tool may run. It draws the question twice and shows one. */
async function confirmation(page: Page): Promise<Locator> {
  const chat = page.locator('.interactive-session');
  await chat.getByText('Run Commit Changes?').filter({ visible: true }).first().waitFor();
  return chat;
}
