import type { Locator, Page } from 'playwright-core';
import { describe } from 'vitest';
import type { Workbench } from '#harness';
import { expect, test } from '../fixture.ts';
import * as panels from '../panel.ts';
import { openRepository } from '../repository.ts';
import { answers, askAgent, useAgent } from './agent.ts';

const call = { toolCalls: [{ name: 'commit_changes', input: { message: 'feat: sell pears' } }] };

describe('a tool that changes something, in agent mode', () => {
  // First, because whoever allows a tool allows it for the session.
  test('does not run when the person skips it, and the agent goes on', { tags: 'long' }, async ({
    page,
    workbench,
  }) => {
    await useAgent(workbench, false);
    await using repository = await openRepository(workbench);
    await repository.write('shop.txt', 'apples\npears\n');
    const chat = await untilAsked(page, workbench);
    await chat.getByRole('button', { name: 'Skip' }).filter({ visible: true }).first().click();
    await answers(page).last().getByText('As you wish.').waitFor();
    expect(await page.locator('.tab', { hasText: 'Commit Changes' }).count()).toBe(0);
    expect(await repository.git('log', '-1', '--format=%s')).toBe('init');
  });

  test('runs when the person allows it: files, message, commit', async ({ page, workbench }) => {
    await useAgent(workbench, false);
    await using repository = await openRepository(workbench);
    await repository.write('shop.txt', 'apples\npears\n');
    const chat = await untilAsked(page, workbench);
    await chat.getByText('Commits the files that you choose').filter({ visible: true }).first().waitFor();
    await chat.getByText('feat: sell pears').filter({ visible: true }).first().waitFor();
    expect(await page.locator('.tab', { hasText: 'Commit Changes' }).count()).toBe(0);
    await chat
      .getByRole('button', { name: /^Allow/ })
      .filter({ visible: true })
      .first()
      .click();

    const panel = await panels.panelOf(page, 'Commit Changes');
    await panel.getByRole('checkbox', { name: 'shop.txt, modified' }).waitFor();
    await panel.getByRole('button', { name: 'Continue with 1 of 1 files' }).click();
    const subject = panels.field(panel, 'Subject');
    await expect.poll(() => subject.inputValue(), { timeout: 60_000 }).toBe('feat: sell pears');
    await panels.button(panel, 'Commit').click();
    await answers(page).last().getByText('As you wish.').waitFor();
    expect(await repository.git('log', '-1', '--format=%s')).toBe('feat: sell pears');
    const requests = await workbench.bridge.execute('parleyDemo.requests');
    expect(JSON.stringify(requests)).toContain(String.raw`\"status\":\"committed\"`);
  });
});

/** Asks the agent for a commit; gives the chat once that asks whether the tool may run. */
async function untilAsked(page: Page, workbench: Workbench): Promise<Locator> {
  await workbench.bridge.execute('parleyDemo.script', [call, { text: 'As you wish.' }]);
  // Returns as soon as the person is asked.
  await askAgent(workbench, 'Commit that, please.');
  const chat = page.locator('.interactive-session');
  // It is drawn twice, and one of the two is shown.
  await chat.getByText('Run Commit Changes?').filter({ visible: true }).first().waitFor();
  return chat;
}
