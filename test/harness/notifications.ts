import type { Locator, Page } from 'playwright-core';

/** The notifications on show as toasts, newest first. */
export function notifications(page: Page): Locator {
  return page.locator('.notifications-toasts .notification-list-item');
}

/** The toast with this text (or part of it). */
export function notification(page: Page, text: string | RegExp): Locator {
  return notifications(page).filter({ hasText: text });
}

/** The modal dialog on show. */
export function dialog(page: Page): Locator {
  return page.locator('.monaco-dialog-box');
}

/** Waits for a modal dialog and presses one of its buttons. */
export async function answerDialog(page: Page, button: string): Promise<void> {
  await dialog(page).getByRole('button', { name: button, exact: true }).click();
}
