import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, onTestFinished } from 'vitest';
import { quickInput, quickPickRow, runCommand } from '#harness';
import { test } from './fixture.ts';
import { writeTool } from './tool-files.ts';

describe('a tool of the workspace', () => {
  test('that is edited is offered as it is now', async ({ page, workbench: { bridge }, workspace }) => {
    await runCommand(page, 'Parley: Run Tool…');
    // The list draws only the rows on show.
    await quickInput(page).locator('input').fill('Count');
    await quickPickRow(page, 'Count words').waitFor();
    const file = join(workspace, '.parley', 'tools', 'word-count.ts');
    const before = await readFile(file, 'utf8');
    onTestFinished(() => writeFile(file, before));
    await writeTool(bridge, file, before.replace("'Count words'", "'Count every word'"));
    // The list is open all the while and follows.
    await quickPickRow(page, 'Count every word').waitFor();
    await writeTool(bridge, file, before);
    await quickPickRow(page, 'Count words').waitFor();
    await page.keyboard.press('Escape');
  });
});
