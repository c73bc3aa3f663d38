import type { Locator, Page } from 'playwright-core';

/** How long a window on a busy machine may take to offer something, in milliseconds. */
const PATIENCE = 60_000;

/** The box at the top of the window: command palette, quick pick and input box are all this one. */
export function quickInput(page: Page): Locator {
  return page.locator('.quick-input-widget');
}

/** The rows on show, by the text of their label. */
export function quickPickRow(page: Page, label: string): Locator {
  const labelled = page.locator('.label-name').getByText(label, { exact: true });
  return quickInput(page).locator('.monaco-list-row').filter({ has: labelled }).first();
}

/** Waits for a quick pick that offers this and takes it. */
export async function pick(page: Page, label: string): Promise<void> {
  await quickPickRow(page, label).waitFor({ timeout: PATIENCE });
  await takeRow(page, label);
}

/**
 * Types into the list that is open and takes the row of this label, by keyboard: rows of a list that is still being
 * drawn move under the mouse.
 */
export async function takeRow(page: Page, label: string, typed = label): Promise<void> {
  const input = quickInput(page).locator('input');
  const row = quickPickRow(page, label);
  await input.fill(typed, { timeout: PATIENCE });
  await row.waitFor({ timeout: PATIENCE });
  await reach(input, row, label);
}

/** Takes a row that is on show, by keyboard. */
async function reach(input: Locator, row: Locator, label: string): Promise<void> {
  const focused = row.and(input.page().locator('.focused'));
  const until = Date.now() + PATIENCE;
  while (!(await focused.isVisible())) {
    if (Date.now() > until) throw new Error(`The row "${label}" cannot be reached by the keyboard.`);
    await input.press('ArrowDown', { timeout: PATIENCE });
  }
  await pressEnter(input);
}

/**
 * Presses Enter in the box of a list that is open.
 * @throws Error when the list closed before the key came: something on the page may take the focus, and with it the key
 */
async function pressEnter(input: Locator): Promise<void> {
  const came = await input.evaluateHandle((box) => {
    const key = { came: false };
    const heard = () => {
      key.came = box.checkVisibility();
    };
    box.addEventListener('keydown', heard, { capture: true, once: true });
    return key;
  });
  await input.press('Enter', { timeout: PATIENCE });
  if (!(await came.evaluate((key) => key.came))) throw new Error('The list closed before it heard Enter.');
  await came.dispose();
}

/** Waits for an input box, fills it in and confirms. */
export async function fillInputBox(page: Page, text: string): Promise<void> {
  // A list that was open before it is closed a moment later.
  await quickInput(page).locator('.quick-input-list').waitFor({ state: 'hidden', timeout: PATIENCE });
  const input = quickInput(page).locator('input');
  await input.fill(text);
  await input.press('Enter');
}

/**
 * Runs a command the way a person does: command palette, its full title (`Category: Title`), Enter. Tests have a setting that keeps the
 * palette open when something on the page takes the focus.
 */
export async function runCommand(page: Page, title: string): Promise<void> {
  await openPalette(page);
  await takeRow(page, title, `>${title}`);
}

/**
 * Opens the command palette by its key, once no webview is being loaded. VS Code gives a webview the keyboard as soon as its frame is there,
 * and until that has loaded nothing in it hears a key: it would be lost.
 */
async function openPalette(page: Page): Promise<void> {
  await page.locator('iframe.webview:not(.ready)').first().waitFor({ state: 'detached', timeout: PATIENCE });
  await page.keyboard.press('F1');
  await quickInput(page).locator('input').waitFor({ timeout: PATIENCE });
}

/** The commands the palette offers for a text, by title. Leaves the palette closed. */
export async function offeredCommands(page: Page, text: string): Promise<string[]> {
  await openPalette(page);
  await quickInput(page).locator('input').fill(`>${text}`);
  const labels = quickInput(page).locator('.monaco-list-row .label-name');
  await labels.first().waitFor();
  const titles = await labels.allTextContents();
  await page.keyboard.press('Escape');
  return titles;
}
