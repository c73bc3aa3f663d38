import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { FormJsonSchema } from '#src/core/form/form-schema.ts';
import { patch, refused } from '#src/panel-port/index.ts';
import { inBrowser } from './served-page.ts';
import { formStage, question, snapshotOf } from './stages.ts';

/* Where the keyboard is, which only a browser can tell: it takes it from what goes away or is switched off. */
const { show: opened } = inBrowser();

/** Waits until what matches has the keyboard. */
const held = (page: Page, selector: string) =>
  expect
    .poll(() => page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`), {
      timeout: 60_000,
    })
    .toBe(true);

const more = (page: Page) => page.getByRole('button', { name: /more/ });

/** Presses a button as who has only the keyboard does. */
async function press(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name }).focus();
  await page.keyboard.press('Enter');
}

describe('the keyboard stays in the panel', { timeout: 180_000 }, () => {
  it('where a choice has come to the top of an order', async () => {
    const schema: FormJsonSchema = {
      type: 'object',
      properties: {
        wishes: { type: 'array', ordered: true, items: { type: 'string', enum: ['a', 'b', 'c'] } },
      },
    };
    await using panel = await opened(question({ kind: 'form', schema }));
    const { page } = panel;
    for (const name of ['a', 'b', 'c']) await page.getByRole('checkbox', { name, exact: true }).check();
    await press(page, 'c: prefer more');
    await page.keyboard.press('Enter');
    const place = page.locator('.rank [aria-live="polite"]');
    await expect.poll(() => place.innerText()).toBe('No. 1');
    await held(page, '[aria-label="c: prefer more"]');
    // At the top it does nothing more.
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await held(page, '[aria-label="c: prefer less"]');
    expect(await place.innerText()).toBe('No. 1');
  });

  it('where all of a table, of a tree and of a long text is drawn', async () => {
    const rows = Array.from({ length: 250 }, (_, at) => ({ at, word: 'x' }));
    const tree = Object.fromEntries(rows.map(({ at }) => [`name ${at}`, at === 0 ? [[1]] : at]));
    for (const [value, selector] of [
      [rows, 'tr:nth-child(200)'],
      ['word '.repeat(10_000), '.result'],
      [{ tree }, 'li:nth-child(200)'],
    ] as const) {
      await using panel = await opened({ kind: 'result', value });
      while ((await more(panel.page).count()) > 0) await press(panel.page, /more/);
      await held(panel.page, selector);
    }
  });

  it('where what is not sent any more is dismissed, and where a pause ends', async () => {
    await using panel = await opened(formStage);
    const { page } = panel;
    await page.getByLabel('Name').fill('Ada');
    const next = question({ kind: 'form', schema: { type: 'object', properties: {} } }, { id: 'q2' });
    const { head } = snapshotOf(next);
    const pause = { message: 'Gone.', actions: [{ id: 'go', label: 'Continue' }] };
    await panel.hear(patch({ from: 1, version: 2, head: { ...head, pause } }));
    const dismiss = page.getByRole('button', { name: 'Dismiss' });
    await dismiss.focus();
    // What was on its way to a question that took another's place is dropped: a person takes their time.
    await expect
      .poll(
        async () => {
          for (const button of await dismiss.all()) await button.dispatchEvent('click');
          return dismiss.count();
        },
        { timeout: 60_000 },
      )
      .toBe(0);
    await held(page, '.stage');
    await page.getByRole('button', { name: 'Continue' }).focus();
    await panel.hear(patch({ from: 2, version: 3, head }));
    await held(page, '.stage');
  });

  it('where an answer was refused', async () => {
    await using panel = await opened(formStage);
    const { page } = panel;
    await page.getByLabel('Notes').focus();
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Notes').focus();
    await page.keyboard.press('Control+Enter');
    await held(page, 'body');
    await panel.hear(refused({ target: 'q1', message: 'It is too long.' }));
    await held(page, 'textarea[id$="notes"]');
  });

  it('where the person has clicked beside all controls, nowhere', async () => {
    await using panel = await opened(formStage);
    const { page } = panel;
    await page.getByLabel('Seats').fill('12');
    await page.locator('.header-title').click();
    await page.getByText('Enter 9 or less.').waitFor();
    await held(page, 'body');
    // What is drawn at the moment in which a field is left is no reason to go back to it.
    await page.getByLabel('Seats').focus();
    await page.evaluate('document.activeElement.blur(); document.querySelector("main").append("")');
    await held(page, 'body');
    await panel.hear(patch({ from: 1, version: 2, rows: [] }));
    await page.getByLabel('Name').evaluate((name) => name.toggleAttribute('disabled'));
    await held(page, 'body');
  });
});
