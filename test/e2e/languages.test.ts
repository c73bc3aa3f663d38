// @module-tag long
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Frame } from 'playwright-core';
import { describe, inject, onTestFinished } from 'vitest';
import { openWorkbench, quickInput, quickPickRow, repoRoot, screenshot, type Workbench } from '#harness';
import { expect, test } from './fixture.ts';
import * as panels from './panel.ts';

/** Texts by the English. */
type Texts = Readonly<Record<string, string>>;

const readTexts = async (file: string) => JSON.parse(await readFile(join(repoRoot, file), 'utf8')) as Texts;

describe.each(['de', 'ja'])('a window in the language %s', (language) => {
  test('says all of its own in it, whole, also in a narrow panel', async ({
    browser,
    workspace,
    workbench,
  }) => {
    const texts = await readTexts(`l10n/bundle.l10n.${language}.json`);
    const shipped = await readTexts(`package.nls.${language}.json`);
    const title = shipped['tool.review_plan'] ?? '';
    const say = (english: string) => {
      const said = texts[english];
      if (said === undefined) throw new Error(`${language} does not say "${english}"`);
      return said;
    };
    void workbench;
    const { page, bridge } = await openIn(browser, workspace, language);

    const left = bridge.execute('parley.runTool');
    await quickInput(page).getByPlaceholder(say('Choose a tool to run')).waitFor();
    await screenshot(page, `language-${language}-list`);
    // The tools that come with Parley, too.
    await quickInput(page).locator('input').fill('review_plan');
    await quickPickRow(page, title)
      .getByText(shipped['tool.review_plan.description'] ?? '')
      .waitFor();
    await page.keyboard.press('Escape');
    await left;
    void bridge.execute('parley.runTool', 'review_plan');
    const review = await panels.panelOf(page, title);
    await review.getByText(shipped['tool.review_plan.description'] ?? '').waitFor();
    await review.getByText(say('The document, as Markdown.')).waitFor();
    await panels.button(review, say('Cancel')).click();

    const ended = bridge.execute('parley.runTool', 'field_kinds', {});
    const panel = await panels.panelOf(page, 'Show every kind of field');
    expect(await panel.locator('html').getAttribute('lang')).toBe(language);
    await panels.button(panel, say('Submit')).click();
    await panel.locator('.field-error').first().waitFor();
    await bridge.execute('parley.calls.focus');
    await page.locator(`.pane-body .monaco-list-row[aria-label*="${say('waiting for you')}"]`).waitFor();
    for (const width of [1400, 900]) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => panel.evaluate('innerWidth < 700'), { timeout: 60_000 }).toBe(width === 900);
      await screenshot(page, `language-${language}-${width}`);
      expect(await cutOff(panel), `cut off at ${width}`).toEqual([]);
    }
    await page.setViewportSize({ width: 1400, height: 900 });
    // A field of this tool is called so, too.
    const english = Object.keys(texts).filter((key) => texts[key] !== key && key !== 'Name');
    expect((await textsOf(panel)).filter((text) => english.includes(text))).toEqual([]);
    await panels.button(panel, say('Cancel')).click();
    await ended;
    await panel.locator('.stage-result').waitFor();
    await screenshot(page, `language-${language}-result`);
  });
});

async function openIn(browser: Browser, workspace: string, language: string): Promise<Workbench> {
  const window = await openWorkbench(browser, inject('server'), { workspace, language });
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await screenshot(window.page, `e2e-language-${language}`);
    await window.close();
  });
  window.page.setDefaultTimeout(60_000);
  await window.bridge.activate('parley.parley-mcp');
  return window;
}

/** Every text on show that is no tool's: what stands in a field's own words is the tool's. */
const textsOf = (panel: Frame) =>
  panel.evaluate(`(() => {
    const found = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const { parentElement, data } = walk.currentNode;
      if (parentElement?.checkVisibility() && data.trim() !== '') found.push(data.trim());
    }
    return found;
  })()`) as Promise<string[]>;

/** Buttons, labels and headings of Parley's (the title is the tool's) whose text is longer than they are, and the page, if it has to be scrolled sideways. */
const cutOff = (panel: Frame) =>
  panel.evaluate(`[...document.querySelectorAll('button, vscode-button, label, h2, h3, .field-error, .field-help'), document.documentElement]
    .filter((one) => one.checkVisibility() && !one.closest('.visually-hidden') && one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline')
    .map((one) => one.tagName + ' ' + one.className + ': ' + one.textContent.slice(0, 60))`) as Promise<
    string[]
  >;
