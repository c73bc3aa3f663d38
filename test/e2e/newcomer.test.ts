// @module-tag long
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { describe, onTestFinished } from 'vitest';
import { repoRoot, screenshot } from '#harness';
import { stopWithParent } from '../harness/process-group.ts';
import { expect, test } from './fixture.ts';
import * as panels from './panel.ts';
import { readmeStory } from './readme-story.ts';

/** As a person chooses them; the first is what VS Code wears by itself. */
const themes = {
  light: undefined,
  dark: 'VS Code Dark',
  'high-contrast': 'Default High Contrast',
  'high-contrast-light': 'Default High Contrast Light',
};

describe('a newcomer with the README alone', () => {
  for (const [theme, id] of Object.entries(themes))
    test(`saves its tool, has Copilot call it and answers in its panel, ${theme}`, async ({ browser }) => {
      const { code, path, prompt } = await readmeStory();
      const clone = await checkout();
      await useTheme(clone, id);
      const begun = performance.now();
      const address = await start(clone);

      const context = await browser.newContext({
        viewport: { width: 1400, height: 900 },
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      onTestFinished(() => context.close());
      const page = await context.newPage();
      page.setDefaultTimeout(120_000);
      let stations = 0;
      const see = (station: string) => screenshot(page, `newcomer-${theme}-${++stations}-${station}`);
      onTestFinished(async ({ task }) => {
        if (task.result?.state === 'fail') await see('failed');
      });

      await page.goto(address);
      await page.getByText('Get Started with Parley').first().waitFor();
      const said = page.locator('.interactive-input-part');
      await said.getByText('Agent', { exact: true }).waitFor();
      await see('opened');

      await saveFile(page, path, code);
      await page.locator('.codelens-decoration').getByText('Run').first().waitFor();
      await see('saved');

      await said.locator('.monaco-editor').first().click();
      await page.keyboard.type(prompt);
      await said.getByText(prompt.split(' ').at(-1) ?? '').waitFor();
      await page.keyboard.press('Enter');
      const panel = await panels.panelOf(page, 'Release notes');
      const notes = panels.field(panel, 'Notes');
      await notes.waitFor();
      const answer = page.locator('.interactive-session .interactive-response').last();
      await answer.getByText('Waiting for your answer in the Parley panel').waitFor();
      await see('asked');
      // Nothing is wrong with what was pasted, and nobody asks whose it is.
      expect(await page.locator('.squiggly-error').count()).toBe(0);
      expect(await page.locator('.notification-toast').allInnerTexts()).toEqual([]);

      await notes.click();
      await page.keyboard.press('Control+End');
      await page.keyboard.type('\n- Answers survive a reload');
      await expect.poll(() => notes.inputValue()).toMatch(/\n- Answers survive a reload$/);
      await see('edited');
      await panels.button(panel, 'Submit').click();
      await panels.status(panel, 'Done');
      await answer.getByText('Answers survive a reload').last().waitFor();
      await see('answered');
      console.log(`From npm start to the answer: ${Math.round((performance.now() - begun) / 1000)} s`);
    });
});

/** The files of this checkout in a folder of their own, with what `npm install` puts there: as a clone has them, and as they are now. */
async function checkout(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-clone-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const { stdout } = await promisify(execFile)('git', list, { cwd: repoRoot, maxBuffer: 2 ** 26 });
  for (const file of stdout.split('\0').filter(Boolean)) await cp(join(repoRoot, file), join(folder, file));
  for (const installed of ['node_modules', '.vscode-test'])
    await symlink(join(repoRoot, installed), join(folder, installed));
  return folder;
}

/** As a person whose VS Code has it. */
async function useTheme(clone: string, id: string | undefined): Promise<void> {
  const folder = join(clone, 'examples', 'workspace', '.vscode');
  await mkdir(folder);
  await writeFile(join(folder, 'settings.json'), JSON.stringify({ 'workbench.colorTheme': id }));
}

/** Runs `npm start` until the test is over; the address that it prints. */
async function start(clone: string): Promise<string> {
  const child = spawn('npm', ['start'], {
    cwd: clone,
    // Beside whatever runs at the usual port, and with nothing remembered.
    env: { ...process.env, PARLEY_PORT: '0' },
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const group = stopWithParent(child);
  const closed = once(child, 'close');
  onTestFinished(async () => {
    // As Ctrl+C. npm itself is gone before what it has started, which has a server to end.
    process.kill(-Number(child.pid), 'SIGINT');
    await closed;
    await group.stop();
  });
  let printed = '';
  return await new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      printed += String(chunk);
      const [, address] = /Open (http:\S+)/.exec(printed) ?? [];
      if (address !== undefined) resolve(address);
    });
    child.once('exit', () => reject(new Error(`npm start ended:\n${printed}`)));
  });
}

/** By mouse and keys alone: a new file in the Explorer, its text from the clipboard, a save. */
async function saveFile(page: Page, path: string, text: string): Promise<void> {
  const explorer = page.locator('.explorer-folders-view');
  await explorer.getByText('README.md').waitFor();
  const header = page.locator('.pane-header', { hasText: 'workspace' });
  await header.hover();
  await header.getByRole('button', { name: 'New File...' }).click();
  await explorer.locator('.monaco-inputbox input').waitFor();
  await page.keyboard.type(path);
  await page.keyboard.press('Enter');
  const name = path.slice(path.lastIndexOf('/') + 1);
  await page.locator('.tab.active', { hasText: name }).waitFor();
  await page.evaluate((code) => navigator.clipboard.writeText(code), text);
  const editor = page.locator('.editor-instance .monaco-editor').first();
  await editor.click();
  await page.keyboard.press('Control+V');
  await editor.getByText('createMcpTool').first().waitFor();
  await page.keyboard.press('Control+S');
  await page.locator('.tab.active.dirty').waitFor({ state: 'detached' });
}
