import type { Page } from 'playwright-core';

/** Takes an item of the context menu that is open, by the keyboard: a menu that has just opened takes no click yet. */
export async function takeMenuItem(page: Page, label: string): Promise<void> {
  await page.locator('.monaco-menu').getByText(label).hover();
  await page.locator('.monaco-menu .action-item.focused', { hasText: label }).waitFor();
  await page.keyboard.press('Enter');
}
