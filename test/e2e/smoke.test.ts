import { describe } from 'vitest';
import { offeredCommands, shownIn } from '#harness';
import { expect, test } from './fixture.ts';
import * as panels from './panel.ts';

describe('in a real VS Code window', () => {
  test('the command palette offers Run Tool…', async ({ page }) => {
    expect(await offeredCommands(page, 'Parley: Run')).toContain('Parley: Run Tool…');
  });

  test('a failure says what can be seen, and what has the keyboard', async ({ page }) => {
    const panel = await panels.runTool(page, 'Book a flight');
    await panels.field(panel, 'Destination').focus();
    const shown = await shownIn(page);
    expect(shown).toMatch(/^tabs: .*Book a flight/m);
    expect(shown).toMatch(/^panel: .*Destination/m);
    expect(shown).toMatch(/^keyboard: (input|textarea)\S* .*Destination/m);
  });
});
