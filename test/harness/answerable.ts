import type { Locator } from 'playwright-core';

/** A button of a view that can be answered: while a question is prepared, the view before it is only shown. */
export function answerable(page: { locator(selector: string): Locator }, name: string): Locator {
  return page.locator('.card[aria-busy="false"]').getByRole('button', { name });
}
