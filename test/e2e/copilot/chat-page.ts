import type { Frame, Page } from 'playwright-core';
import {
  accessibilityProblems,
  screenshot,
  type ThemeKind,
  type Workbench,
  webviewFrame,
  within,
} from '#harness';
import { LONG } from '#test/long.ts';
import { expect } from '../fixture.ts';
import * as panels from '../panel.ts';
import { startMcpServer, useAgent } from './agent.ts';

/** The page of a call in the chat, once it shows this text. */
export const pageInChat = (page: Page, text: string): Promise<Frame> =>
  webviewFrame(page, { selector: `.app-call:has-text("${text}")`, timeout: 60_000 });

/** Presses it by keyboard: for a click, Playwright would scroll the page of the chat under the chat's own header. */
export const press = (frame: Frame, name: string | RegExp) =>
  frame.getByRole('button', { name, exact: true }).press('Enter');

/** Picks a choice by keyboard, one of several or some of them. */
export const pick = (frame: Frame, name: string | RegExp) =>
  frame
    .getByRole('radio', { name, exact: true })
    .or(frame.getByRole('checkbox', { name, exact: true }))
    .first()
    .press('Space');

/** Questions of the agent's calls are asked there, and its tools say so. */
export async function askIn(workbench: Workbench, place: 'chat' | 'both'): Promise<void> {
  await useAgent(workbench);
  await workbench.updateSettings({ 'parley.questions.agent': place });
  await expect.poll(() => startMcpServer(workbench), { timeout: 60_000 }).toContain('mcp_parley_ask_user');
}

/** The window as other tests find it: questions are asked in the panel, and nothing of the chat's pages is left. */
export async function askInPanel(workbench: Workbench): Promise<void> {
  await workbench.updateSettings({ 'parley.questions.agent': undefined });
  await expect
    .poll(() => startMcpServer(workbench), { timeout: 60_000 })
    .not.toContain('mcp_parley_ask_user');
}

/** The agent calls this tool with its next request; then come these answers of its model. */
export function willCall(workbench: Workbench, name: string, input: object, ...more: object[]) {
  const toolCalls = [{ name: `mcp_parley_${name}`, input }];
  return workbench.bridge.execute('parleyDemo.script', [{ toolCalls }, ...more]);
}

/** Which rule keeps a page from reaching the network. */
export const refusedBy = (frame: Frame): Promise<string> => {
  const refused = frame.evaluate(
    () =>
      new Promise<string>((resolve) => {
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
          resolve(effectiveDirective),
        );
        fetch('https://example.com/').catch(() => {});
      }),
  );
  return within(60_000, 'rule that refused a request of the page', refused);
};

const themes: readonly ThemeKind[] = LONG ? ['light', 'high-contrast', 'high-contrast-light', 'dark'] : [];

/** The page keeps nobody out, and nothing of it is cut off at a width of 250 px; in the long form in every theme. */
export async function looksRight(workbench: Workbench, frame: Frame, what: string): Promise<void> {
  // The page is transparent, and axe takes that for white: it gets the colour that the chat has behind it.
  await frame.evaluate(() => {
    document.documentElement.style.background = 'var(--vscode-sideBar-background)';
  });
  expect(await accessibilityProblems(frame), what).toEqual([]);
  for (const theme of themes) {
    await panels.inTheme(workbench, frame, theme);
    expect(await accessibilityProblems(frame), `${what} in ${theme}`).toEqual([]);
    await screenshot(workbench.page, `chat-${what}-${theme}`);
  }
  const width = await frame.evaluate(() => {
    const { style } = document.documentElement;
    style.width = '250px';
    const needed = Math.max(document.documentElement.scrollWidth, document.body.scrollWidth);
    const room = Math.max(250, window.innerWidth);
    style.width = '';
    return { needed, room };
  });
  expect(width.needed, `${what} at 250 px`).toBeLessThanOrEqual(width.room);
}
