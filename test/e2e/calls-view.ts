import type { Locator, Page } from 'playwright-core';

/** The newest row of a tool in the Calls view: the Tools view above has rows of the same name. */
export function callRow(page: Page, title: string): Locator {
  const calls = page.locator('.pane', { has: page.locator('.pane-header', { hasText: 'Calls' }) });
  return calls.locator('.monaco-list-row', { hasText: title }).first();
}
