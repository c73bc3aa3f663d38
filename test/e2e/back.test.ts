import { describe } from 'vitest';
import { expect, test } from './fixture.ts';
import * as panels from './panel.ts';

describe('going back in a call', () => {
  test('asks the question before again; what was answered then does not count', async ({
    page,
    workbench,
  }) => {
    const ended = workbench.bridge.execute('parley.runTool', 'ask_twice', { name: 'Ada' });
    const panel = await panels.panelShowing(page, 'Ask twice', 'First question for Ada');
    expect(await panels.button(panel, 'Back').count()).toBe(0);
    await panels.button(panel, 'Decline').click();
    await panel.getByRole('heading', { name: 'Question 2' }).waitFor();
    await panels.button(panel, 'Back').click();
    await panel.getByText('changed').first().waitFor();
    await panels.field(panel, 'Your answer').fill('once more');
    await panels.submit(panel);
    await panels.button(panel, 'Decline').click();
    expect(await ended).toEqual({ first: 'accept', second: 'decline' });
  });
});
