import type { Frame, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import {
  atRest,
  quickInput,
  runCommand,
  switchTheme,
  type ThemeKind,
  takeRow,
  type Workbench,
  webviewFrame,
} from '#harness';
import { LONG } from '#test/long.ts';

/** Runs a tool as a person does, by the palette; returns the frame of its run panel. */
export async function runTool(page: Page, title: string): Promise<Frame> {
  await runCommand(page, 'Parley: Run Tool…');
  // The list draws only the rows on show.
  await quickInput(page).getByPlaceholder('Choose a tool to run').waitFor();
  // Of a tool that is run again the panel of the call before may still be there.
  const except = page.frames();
  await takeRow(page, title);
  return webviewFrame(page, { selector: withTitle(title), except, timeout: 60_000 });
}

/** The document of the run panel that is on show. Another one after the panel was hidden and shown again. */
export function panelOf(page: Page, title: string): Promise<Frame> {
  return webviewFrame(page, { selector: withTitle(title), timeout: 60_000 });
}

const withTitle = (title: string) => `.header-title:text-is("${title}")`;

/** The same, once it shows this text: of several panels with one title, the one that is meant. */
export async function panelShowing(page: Page, title: string, text: string): Promise<Frame> {
  let shown: Frame | undefined;
  await expect
    .poll(
      async () => {
        const panel = await panelOf(page, title);
        // A panel that goes away while it is looked at is not the one.
        const shows = await panel
          .getByText(text)
          .first()
          .isVisible()
          .catch(() => false);
        if (shows) shown = panel;
        return shows;
      },
      { timeout: 60_000 },
    )
    .toBe(true);
  if (!shown) throw new Error(`no panel "${title}" shows "${text}"`);
  return shown;
}

/** What the status bar says of questions that wait. */
export function waitingItem(page: Page): Locator {
  return page.locator('.statusbar-item[id="parley.waiting"], .statusbar-item[id$="parley.waiting"]');
}

/** Shows what waits for the person, once the window says that something does: one that begins learns of it in its own time. */
export async function showWaiting({ page, bridge }: Workbench, which?: 'oldest'): Promise<void> {
  await waitingItem(page).waitFor();
  await bridge.execute('parley.showWaiting', which);
}

/** The themes in which a panel is looked at. */
export const themes: readonly ThemeKind[] = LONG ? ['light', 'high-contrast'] : ['light'];

/** Shows a panel in a theme. The webview is told after the window, and colours fade over for a moment, which axe would measure. */
export async function inTheme(workbench: Workbench, panel: Frame, theme: ThemeKind): Promise<void> {
  await switchTheme(workbench, theme);
  await panel.locator(`body.vscode-${theme}`).waitFor();
  await atRest(panel);
}

/** Runs `book_flight` and fills in its parameters, up to the flight list. */
export async function searchFlights(page: Page, from: string, destination: string): Promise<Frame> {
  const panel = await runTool(page, 'Book a flight');
  await fillRoute(page, panel, from, destination);
  await flights(panel).first().waitFor();
  return panel;
}

/** Fills in the parameters by keyboard and submits them. */
export async function fillRoute(page: Page, panel: Frame, from: string, destination: string): Promise<void> {
  // What was given last time is there already.
  await field(panel, 'From').focus();
  await retype(page, from);
  await expect.poll(() => field(panel, 'From').inputValue()).toBe(from);
  await pressIn(panel, 'Tab');
  await retype(page, destination);
  await expect.poll(() => field(panel, 'Destination').inputValue()).toBe(destination);
  await submit(panel);
}

/**
 * Ctrl+Enter in what has the keyboard in a panel, once something there has it: pressed before, or while something else has it, the key
 * would be lost, or do something elsewhere.
 */
export async function submit(panel: Frame): Promise<void> {
  await pressIn(panel, 'Control+Enter');
}

/** Presses a key in what has the keyboard in a panel, as {@link submit} does. */
export async function pressIn(panel: Frame, key: string): Promise<void> {
  // Not by `Locator.press`: it gives the keyboard to the element again, and a date begins anew with its first part. Those parts alone have
  // the focus then, and not their element.
  await panel.locator(':focus-within').last().waitFor({ state: 'attached' });
  await panel.page().keyboard.press(key);
}

/** Types at the end of a field, and waits until all of it is there: what another part of the window took is seen at once. */
export async function typeInto(field: Locator, text: string): Promise<void> {
  const before = await field.inputValue();
  await field.press('End');
  await field.pressSequentially(text);
  await expect.poll(() => field.inputValue()).toBe(`${before}${text}`);
}

/**
 * Types over what is in the field that has the keyboard. Not by Ctrl+A: in a webview VS Code takes that key away and
 * sends it back as a message, which may arrive among the letters that are typed next.
 */
export async function retype(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+End');
  await page.keyboard.press('Delete');
  await page.keyboard.type(text);
}

/** The flights to choose from. */
export function flights(panel: Frame): Locator {
  return panel.getByRole('radio');
}

/** Takes the first flight of the list by keyboard, up to the seat picker. */
export async function takeFirstFlight(panel: Frame): Promise<void> {
  await flights(panel).first().press('Space');
  await panel.getByRole('button', { name: /^Choose [A-Z]{2} \d{3}$/ }).waitFor();
  await pressIn(panel, 'Enter');
  await panel.getByRole('grid').waitFor();
}

/** Takes the first free seat by keyboard and confirms it. Returns the seat. */
export async function takeFirstSeat(panel: Frame): Promise<string> {
  const seat = panel.getByRole('button', { name: /, available$/ }).first();
  const id = (await seat.getAttribute('data-seat')) ?? '';
  await seat.press('Space');
  await panel.getByRole('button', { name: `Choose seat ${id}` }).waitFor();
  await pressIn(panel, 'Tab');
  await panel.locator('button:focus', { hasText: `Choose seat ${id}` }).press('Enter');
  return id;
}

/** A text field by its label, or by how that begins. */
export function field(panel: Frame, label: string): Locator {
  return panel.getByRole('textbox', { name: new RegExp(`^${label}`) });
}

/** A button by its whole name, the key that it shows left out. */
export function button(panel: Frame, name: string): Locator {
  return panel.getByRole('button', { name: new RegExp(`^${name}( .*)?$`) });
}

/** Waits until the panel says where the call stands: `Done`, `Failed`, `Stopped`, … */
export async function status(panel: Frame, text: string): Promise<void> {
  await panel.locator('.header').getByText(text).waitFor();
}

/** Waits for the result and returns its table as a record, by the name of each row. */
export async function resultOf(panel: Frame): Promise<Record<string, string>> {
  await panel.locator('.stage-result').waitFor();
  const rows = panel.locator('.stage-result table.record tr');
  const cells = await rows.evaluateAll((all) =>
    all.map((row) => [...row.children].map((cell) => cell.textContent ?? '')),
  );
  return Object.fromEntries(cells.map(([name, value]) => [name, value ?? '']));
}

/**
 * The Parley output channel, once it has this text. Read from its document: on show are only the last lines, cut up
 * by their colours.
 */
export async function logWith(workbench: Workbench, text: string): Promise<string> {
  await runCommand(workbench.page, 'Parley: Show Log');
  const read = () =>
    workbench.bridge.evaluate(
      (api) =>
        api.workspace.textDocuments
          .filter(({ uri }) => uri.scheme === 'output' && /parley/i.test(uri.path))
          .map((document) => document.getText())
          .join('\n'),
      undefined,
    );
  await expect.poll(read, { timeout: 60_000 }).toContain(text);
  return read();
}
