import { describe, onTestFinished } from 'vitest';
import { screenshot, takeMenuItem, type Workbench } from '#harness';
import { expect, test } from './fixture.ts';
import * as panels from './panel.ts';
import { openToolsView } from './tools-view.ts';

const patience = { timeout: 60_000 };

/** What is read out of the rows on show, from the top. */
const spokenRows = (workbench: Workbench): Promise<readonly (string | null)[]> =>
  workbench.page
    .locator('.pane-body .monaco-list-row')
    .evaluateAll((rows) =>
      rows
        .toSorted((a, b) => Number(a.getAttribute('data-index')) - Number(b.getAttribute('data-index')))
        .map((row) => row.getAttribute('aria-label')),
    );

describe('the Tools view', () => {
  test('is worked by keyboard alone: a tool is found by its first letters, pinned, moved and run', async ({
    page,
    workbench,
  }) => {
    const { bridge } = workbench;
    onTestFinished(async () => {
      for (const name of ['book_flight', 'word_count']) await bridge.execute('parley.unpinTool', name);
    });
    await openToolsView(workbench);
    /** Moves to the first row of a tool from wherever the keyboard is. */
    const goTo = async (name: string) => {
      await bridge.execute('parley.tools.focus');
      await page.keyboard.press('Home');
      const row = page.locator('.pane-body .monaco-list-row.focused');
      for (let moves = 0; moves < 40; moves++) {
        if ((await row.getAttribute('aria-label'))?.startsWith(name)) return;
        await page.keyboard.press('ArrowDown');
      }
      throw new Error(`the keyboard does not come to ${name}`);
    };
    const take = async (name: string, item: string) => {
      await goTo(name);
      await page.keyboard.press('Shift+F10');
      await takeMenuItem(page, item);
    };
    const pinned = async () => {
      const rows = await spokenRows(workbench);
      const [from, to] = [rows.indexOf('Pinned'), rows.indexOf('workspace')];
      return rows.slice(from, to === -1 ? 3 : to);
    };
    await take('Book a flight', 'Pin');
    await expect.poll(pinned, patience).toEqual(['Pinned', 'Book a flight, book_flight']);
    await take('Count words', 'Pin');
    const both = ['Pinned', 'Book a flight, book_flight', 'Count words, word_count'];
    await expect.poll(pinned, patience).toEqual(both);
    await take('Count words', 'Move Up');
    await expect.poll(pinned, patience).toEqual([both[0], both[2], both[1]]);
    await screenshot(page, 'pinned');
    await take('Count words', 'Run…');
    const panel = await panels.panelOf(page, 'Count words');
    await panels.field(panel, 'Text').waitFor();
  });
});
