import { describe } from 'vitest';
import { expect, test } from './fixture.ts';
import * as panels from './panel.ts';

describe('the form', () => {
  test('takes every kind of field by keyboard and shows what is wrong where it is', async ({ page }) => {
    const panel = await panels.runTool(page, 'Show every kind of field');
    await panels.field(panel, 'Name').focus();
    await page.keyboard.press('Control+Enter');
    const errors = panel.locator('.field-error');
    await errors.first().waitFor();
    const invalid = await panel.locator('.field-invalid .field-label').allTextContents();
    expect(invalid.map((label) => label.replace(/[ *]+$/, ''))).toEqual(['Name', 'Email', 'Size', 'Days']);

    await panels.field(panel, 'Name').focus();
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await page.keyboard.type('Ada Lovelace');
    await press('Tab', 'Tab');
    await page.keyboard.type('not an address');
    await press('Tab');
    await panel.locator('.field-invalid', { hasText: 'Email' }).locator('.field-error').waitFor();
    await press('Shift+Tab');
    await panels.retype(page, 'ada@example.com');
    await press('Tab');
    await page.keyboard.type('https://example.com/ada');
    await panels.field(panel, 'Budget').focus();
    await page.keyboard.type('12.5');
    await press('Tab', 'Space');
    await choose('Size', 'medium');
    await choose('Meal', 'Fish');
    await check('Days', 'tue');
    await check('Days', 'thu');
    await check('Extras', 'Lounge');
    await press('Control+Enter');

    await panel.locator('.stage-result').waitFor();
    const text = (await panel.locator('.stage-result').textContent()) ?? '';
    for (const part of [
      'Ada Lovelace',
      'ada@example.com',
      'https://example.com/ada',
      '12.5',
      'medium',
      'fish',
    ])
      expect(text).toContain(part);
    for (const part of ['tue', 'thu', 'wifi', 'lounge']) expect(text).toContain(part);

    /** Takes one of some choices. */
    async function choose(label: string, title: string): Promise<void> {
      const group = panel.getByRole('radiogroup', { name: label });
      await group.getByRole('radio', { name: title, exact: true }).focus();
      await press('Space');
    }

    /** Ticks one of several choices. */
    async function check(label: string, title: string): Promise<void> {
      const box = panel
        .getByRole('group', { name: label })
        .getByRole('checkbox', { name: title, exact: true });
      await box.focus();
      await press('Space');
    }
  });
});
