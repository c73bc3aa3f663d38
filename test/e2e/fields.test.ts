import type { Frame, Page } from 'playwright-core';
import { describe } from 'vitest';
import { accessibilityProblems } from '#harness';
import { expect, test } from './fixture.ts';
import * as panels from './panel.ts';

describe('the form', () => {
  test('takes every kind of field by keyboard alone and shows what is wrong where it is', async ({
    page,
  }) => {
    const panel = await panels.runTool(page, 'Show every kind of field');
    const { press, type, tabTo } = keyboard(page, panel);

    await panels.field(panel, 'Name').focus();
    await press('Control+Enter');
    await panel.locator('.field-error').first().waitFor();
    const invalid = await panel.locator('.field-invalid .field-label').allTextContents();
    expect(await accessibilityProblems(panel)).toEqual([]);
    expect(invalid.map((label) => label.replace(/[ *]+$/, ''))).toEqual(['Name', 'Email', 'Size', 'Days']);

    // What needs another look has the keyboard, and leads to the field.
    await panel.getByRole('button', { name: 'Name is required', exact: true }).waitFor();
    await press('Tab', 'Enter');
    await tabTo('Name', 0);
    await type('Ada Lovelace');
    await tabTo('Nickname');
    await type('Countess');
    await tabTo('Email');
    await type('not an address');
    await press('Tab');
    await panel.locator('.field-invalid', { hasText: 'Email' }).locator('.field-error').waitFor();
    await press('Shift+Tab');
    await panels.retype(page, 'ada@example.com');
    await tabTo('Website');
    await type('https://example.com/ada');
    await tabTo('Birthday');
    await type('12101815');
    await tabTo('Meeting');
    await type('12102026');
    await press('ArrowRight');
    await type('0930AM');
    await tabTo('Seats');
    await panels.retype(page, '3');
    await tabTo('Budget');
    await type('12.5');
    await tabTo('Newsletter');
    await press('Space');
    await tabTo('Size');
    await press('Space', 'ArrowDown');
    await tabTo('Meal');
    await press('ArrowDown');
    await tabTo('Days');
    await press('Tab', 'Space', 'Tab', 'Tab', 'Space');
    await tabTo('Extras');
    await press('Tab', 'Space');
    await press('Control+Enter');

    expect(await panels.resultOf(panel)).toEqual({
      Answer: 'accept',
      Name: 'Ada Lovelace',
      Nickname: 'Countess',
      Email: 'ada@example.com',
      Website: 'https://example.com/ada',
      Birthday: '1815-12-10',
      Meeting: '2026-12-10T09:30:00Z',
      Seats: '3',
      Budget: '12.5',
      Newsletter: 'Yes',
      Size: 'medium',
      Meal: 'fish',
      Days: 'tue\nthu',
      Extras: 'wifi\nlounge',
    });
  });
});

/** The keyboard of a person who never touches the mouse. */
function keyboard(page: Page, panel: Frame) {
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await panels.pressIn(panel, key);
  };
  /** Whether the keyboard is in the field with this label. */
  const isIn = (label: string): Promise<boolean> =>
    panel.locator('.field:focus-within', { hasText: new RegExp(`^${label}`) }).isVisible();
  return {
    press,
    type: (text: string) => page.keyboard.type(text),
    /** Tabs on until the keyboard is in a field: a date has a stop for each of its parts. */
    async tabTo(label: string, least = 1): Promise<void> {
      for (let n = 0; n < least; n++) await press('Tab');
      for (let n = 0; n < 8 && !(await isIn(label)); n++) await press('Tab');
      expect(await isIn(label), `the keyboard is in ${label}`).toBe(true);
    },
  };
}
