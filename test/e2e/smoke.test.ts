import { describe } from 'vitest';
import { offeredCommands } from '#harness';
import { expect, test } from './fixture.ts';

describe('in a real VS Code window', () => {
  test('the command palette offers Run Tool…', async ({ page }) => {
    expect(await offeredCommands(page, 'Parley: Run')).toContain('Parley: Run Tool…');
  });
});
