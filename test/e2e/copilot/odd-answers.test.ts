// @module-tag long
import { describe } from 'vitest';
import { expect, test } from '../fixture.ts';
import { answers, say, useAgent } from './agent.ts';

interface Asked {
  readonly messages: ReadonlyArray<{ readonly role: string; readonly content: readonly { text?: string }[] }>;
}

describe('@parley, with a model that answers oddly', () => {
  test('says that there was no answer, and the next turn is one that every provider takes', async ({
    page,
    workbench,
  }) => {
    await useAgent(workbench);
    await workbench.bridge.execute('parleyDemo.script', [{ text: '' }, { text: 'Here again.' }]);
    await say(workbench, '@parley Are you there?');
    await answers(page).last().getByText('The model returned no answer.').waitFor();
    await say(workbench, '@parley And now?');
    await answers(page).last().getByText('Here again.').waitFor();
    const requests = (await workbench.bridge.execute('parleyDemo.requests')) as Asked[];
    const last = requests.filter(({ messages }) => JSON.stringify(messages).includes('And now?')).at(-1);
    for (const { content } of last?.messages ?? []) {
      expect(content.map(({ text }) => text?.trim()).join('')).not.toBe('');
    }
  });

  test('shows what a call was given as text, and one press allows all calls of a tool', async ({
    page,
    workbench,
  }) => {
    await useAgent(workbench);
    const evil =
      '```\n[press](command:workbench.action.closeAllEditors) <img src=x onerror=alert(1)> www.evil.example\n';
    const calls = [1, 2, 3].map((at) => ({
      name: 'book_flight',
      input: { from: `${evil}${at}`, destination: 'x'.repeat(at * 1000), 'no such': evil },
    }));
    await workbench.bridge.execute('parleyDemo.script', [{ toolCalls: calls }, { text: 'All done.' }]);
    const said = say(workbench, '@parley Book three.');
    const shown = answers(page).last();
    await expect.poll(() => shown.getByText('May “Book a flight” run').count()).toBe(3);
    expect(
      await shown.locator('a[href*="evil"], a[data-href*="command:workbench"], img[src="x"]').count(),
    ).toBe(0);
    await shown.getByText('Always in This Chat', { exact: true }).last().click();
    await said;
    await shown.getByText('All done.').waitFor();
  });
});
