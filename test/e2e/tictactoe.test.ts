// @module-tag long
import { describe } from 'vitest';
import { answerable } from '#harness';
import { expect, test } from './fixture.ts';
import * as panels from './panel.ts';

describe('a game against the model', () => {
  test('goes to and fro by keyboard, and the last position stays beside the result', async ({
    page,
    workbench,
  }) => {
    const panel = await panels.runTool(page, 'Play tic-tac-toe');
    // The panel has the keyboard when VS Code has given it to the page, some time after that is drawn.
    await panel.locator('input:focus').waitFor();
    await panels.submit(panel);
    const cells = panel.getByRole('group', { name: 'Board' }).getByRole('button');
    // The demo model always takes the first free cell.
    for (const [turn, cell] of ['a1', 'c1', 'b2', 'a3'].entries()) {
      const overline = turn === 0 ? 'Question' : `Question ${turn + 1}`;
      await panel.getByText(overline, { exact: true }).waitFor();
      await answerable(panel, `${cell}, empty`).press('Enter');
    }
    const result = await panels.resultOf(panel);
    expect(result.Outcome).toBe('user_won');
    await panel.getByText('You won', { exact: true }).waitFor();
    expect(await cells.evaluateAll((all) => all.map((cell) => cell.getAttribute('aria-label')))).toEqual([
      'a1, X',
      'b1, O',
      'c1, X',
      'a2, O',
      'b2, X',
      'c2, O',
      'a3, X',
      'b3, empty',
      'c3, empty',
    ]);
    // Each of the model's moves was asked for with the board before it, and nothing was left out.
    expect(await workbench.bridge.execute('parleyDemo.requests')).toHaveLength(4);
  });
});
