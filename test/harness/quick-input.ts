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

/** How long a list that is open may take to look through its rows. */
const LOOK = 5_000;

/** Types into the list that is open and takes the first of its rows with this text, if there is one. */
export async function takeFirst(page: Page, text: string): Promise<boolean> {
  const input = quickInput(page).locator('input');
  await input.fill(text, { timeout: PATIENCE });
  const row = quickInput(page).locator('.monaco-list-row', { hasText: text }).first();
  const isThere = await row.waitFor({ timeout: LOOK }).then(
    () => true,
    () => false,
  );
  if (isThere) await reach(input, row, text, PATIENCE);
  return isThere;
}

/**
 * Types into the list that is open and takes the row of this label, by keyboard: rows of a list that is still being
 * drawn move under the mouse.
 */
export async function takeRow(page: Page, label: string, typed = label, timeout = PATIENCE): Promise<void> {
  const input = quickInput(page).locator('input');
  const row = quickPickRow(page, label);
  await input.fill(typed, { timeout });
  await row.waitFor({ timeout });
  await reach(input, row, label, timeout);
}

/** Takes a row that is on show, by keyboard. */
async function reach(input: Locator, row: Locator, label: string, timeout: number): Promise<void> {
  const focused = row.and(input.page().locator('.focused'));
  const until = Date.now() + timeout;
  while (!(await focused.isVisible())) {
    if (Date.now() > until) throw new Error(`The row "${label}" cannot be reached by the keyboard.`);
    await input.press('ArrowDown', { timeout });
  }
  await pressEnter(input, timeout);
}

/**
 * Presses Enter in the box of a list that is open.
 * @throws Error when the list closed before the key came: something on the page may take the focus, and with it the key
 */
async function pressEnter(input: Locator, timeout: number): Promise<void> {
  const came = await input.evaluateHandle((box) => {
    const key = { came: false };
    const heard = () => {
      key.came = box.checkVisibility();
    };
    box.addEventListener('keydown', heard, { capture: true, once: true });
    return key;
  });
  await input.press('Enter', { timeout });
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
 * Runs a command the way a person does: command palette, its full title (`Category: Title`), Enter.
 *
 * Something on the page may take the focus and with it the palette at any time, as it may from a person; then the
 * palette is opened again, a few times, and has longer each time: it may be the machine that is busy.
 * @throws Error when the palette does not offer the command
 */
export async function runCommand(page: Page, title: string): Promise<void> {
  const input = quickInput(page).locator('input');
  for (let attempt = 1; ; attempt++) {
    try {
      await page.keyboard.press('F1');
      await input.waitFor({ timeout: attempt * 10_000 });
      await takeRow(page, title, `>${title}`, attempt * 10_000);
      return;
    } catch (error) {
      if (attempt === 3) {
        throw new Error(`The command palette does not offer "${title}".`, { cause: error });
      }
      await page.keyboard.press('Escape');
    }
  }
}

/** The commands the palette offers for a text, by title. Leaves the palette closed. */
export async function offeredCommands(page: Page, text: string): Promise<string[]> {
  await page.keyboard.press('F1');
  await quickInput(page).locator('input').fill(`>${text}`);
  const labels = quickInput(page).locator('.monaco-list-row .label-name');
  await labels.first().waitFor();
  const titles = await labels.allTextContents();
  await page.keyboard.press('Escape');
  return titles;
}
