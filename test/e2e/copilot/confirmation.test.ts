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
    const confirmation = page
      .locator('.chat-confirmation-widget-container, .chat-confirmation-widget2')
      .last();
    await confirmation.getByText('Run Commit Changes?').first().waitFor();
    expect(await confirmation.textContent()).toContain('feat: sell pears');
    expect(await page.locator('.tab', { hasText: 'Commit Changes' }).count()).toBe(0);
    await confirmation
      .getByRole('button', { name: /^(Allow|Continue|Run)/ })
      .first()
      .click();

    const panel = await panels.panelOf(page, 'Commit Changes');
    await panel.getByRole('checkbox', { name: 'shop.txt, modified' }).waitFor();
    await panel.getByRole('button', { name: 'Go on with 1 of 1' }).click();
    await panels.field(panel, 'Subject').waitFor();
    expect(await panels.field(panel, 'Subject').inputValue()).toBe('feat: sell pears');
    await panels.button(panel, 'Submit').click();
    const { calls } = await answer;
    expect(calls[0]?.result).toContain('"status":"committed"');
    expect(await repository.git('log', '-1', '--format=%s')).toBe('feat: sell pears');
  });

  test('does not run when the person skips it, and the agent goes on', async ({ page, workbench }) => {
    await useAgent(workbench, false);
    await using repository = await openRepository(workbench);
    await repository.write('shop.txt', 'apples\npears\n');
    await workbench.bridge.execute('parleyDemo.script', [call, { text: 'As you wish.' }]);
    const answer = askAgent(workbench, 'Commit that, please.');
    const confirmation = page
      .locator('.chat-confirmation-widget-container, .chat-confirmation-widget2')
      .last();
    await confirmation.getByText('Run Commit Changes?').first().waitFor();
    await confirmation
      .getByRole('button', { name: /^(Skip|Cancel)/ })
      .first()
      .click();
    const { text } = await answer;
    expect(text).toBe('As you wish.');
    expect(await page.locator('.tab', { hasText: 'Commit Changes' }).count()).toBe(0);
    expect(await repository.git('log', '-1', '--format=%s')).toBe('init');
  });
});
