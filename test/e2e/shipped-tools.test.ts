import { describe } from 'vitest';
import { accessibilityProblems, screenshot, type Workbench } from '#harness';
import { expect, test } from './fixture.ts';
import * as panels from './panel.ts';
import { noProblemsBut, problemsIn, textOf } from './problems.ts';
import { openRepository } from './repository.ts';

const demo = { 'parley.sampling.model': 'parley-demo/demo' };

describe('commit_changes from the palette', () => {
  test('commits the ticked files with the drafted message, by keyboard alone', async ({
    page,
    workbench,
  }) => {
    await workbench.updateSettings(demo);
    await using repository = await openRepository(workbench);
    await repository.write('shop.txt', 'apples\npears\n');
    await repository.write('notes.txt', 'buy plums\n');
    await workbench.bridge.execute('parleyDemo.script', [
      { toolCalls: [{ name: '__schema__', input: { type: 'feat', summary: 'sell pears' } }] },
    ]);
    // None of its parameters has to be given: it runs at once.
    const panel = await panels.runTool(page, 'Commit Changes');
    const boxes = panel.getByRole('checkbox');
    await boxes.first().waitFor();
    expect(await boxes.evaluateAll((all) => all.map((box) => box.getAttribute('aria-label')))).toEqual([
      'notes.txt, untracked',
      'shop.txt, modified',
    ]);
    expect(await accessibilityProblems(panel)).toEqual([]);
    // What git tracks is ticked at first; the keyboard is in the list.
    await panel.locator('input:focus').press('Home');
    await panels.pressIn(panel, 'Space');
    await panel.getByRole('button', { name: 'Continue with 2 of 2 files' }).waitFor();
    await panels.pressIn(panel, 'Enter');
    const subject = panels.field(panel, 'Subject');
    await expect.poll(() => subject.inputValue(), { timeout: 60_000 }).toBe('feat: sell pears');
    await panels.typeInto(subject, ' and plums');
    await panels.submit(panel);
    await panel.locator('.stage-result').getByText('Committed 2 files to main').first().waitFor();
    expect(await repository.git('show', '--format=%s', '--name-only')).toBe(
      'feat: sell pears and plums\n\nnotes.txt\nshop.txt',
    );
    expect(await repository.git('status', '--porcelain')).toBe('');
  });
});

describe('a tool of the workspace', () => {
  test('has the same git', async ({ workbench }) => {
    await using repository = await openRepository(workbench);
    await repository.write('notes.txt', 'buy plums\n');
    expect(await workbench.bridge.execute('parley.runTool', 'changed_files', {})).toEqual([
      'untracked notes.txt',
    ]);
  });
});

describe('ask_user', () => {
  test('shows what each choice means, under the title that the agent gave, by the keyboard', async ({
    page,
    workbench,
  }) => {
    const diff = '--- a/LICENSE\n+++ b/LICENSE\n@@ -1 +1 @@\n-MIT\n+GPL';
    const result = workbench.bridge.execute('parley.runTool', 'ask_user', {
      title: 'License',
      message: 'Which **license** is it?',
      fields: [
        {
          name: 'license',
          label: 'License',
          kind: 'choice',
          note: true,
          options: [
            { value: 'mit', label: 'MIT', recommended: true, preview: { kind: 'code', text: 'MIT License' } },
            { value: 'gpl', label: 'GPL', preview: { kind: 'diff', text: diff } },
            { value: 'own', label: 'Own', preview: { kind: 'markdown', text: '**All** rights' } },
          ],
        },
      ],
    });
    const panel = await panels.panelOf(page, 'Ask the User');
    await panel.locator('.md-heading', { hasText: 'License' }).waitFor();
    await page.locator('.tab', { hasText: 'Ask the User — License, Which license is it?' }).waitFor();
    const preview = (name: string) => panel.getByRole('region', { name, exact: true });
    await panel.getByRole('radio', { name: /^MIT/ }).focus();
    expect(await preview('MIT').textContent()).toBe('MIT License');
    const below = () => panels.button(panel, 'Submit').evaluate((it) => it.getBoundingClientRect().top);
    const before = await below();
    for (const theme of panels.themes) {
      await panels.inTheme(workbench, panel, theme);
      await panel.getByRole('radio', { name: /^MIT/ }).focus();
      await panels.pressIn(panel, 'ArrowDown');
      await expect
        .poll(() =>
          preview('GPL')
            .locator('span')
            .evaluateAll((all) => all.map((line) => line.className)),
        )
        .toEqual(['diff-head', 'diff-head', 'muted', 'diff-removed', 'diff-added']);
      expect(await accessibilityProblems(panel), theme).toEqual([]);
      await screenshot(page, `ask-user-${theme}`);
    }
    await panels.pressIn(panel, 'ArrowDown');
    expect(await preview('Own').locator('strong').textContent()).toBe('All');
    expect(await below()).toBe(before);
    await panels.submit(panel);
    expect(await result).toEqual({ status: 'answered', answers: { license: 'own' } });
  });
});

describe('review_plan', () => {
  test('is commented on and edited by the keyboard, and its answer names the lines', async ({
    page,
    workbench,
  }) => {
    const plan =
      '# Move to SQLite\n\n1. Write the **schema**\n2. Move the data\n\n```sql\ncreate table a (id);\n```\n';
    const result = workbench.bridge.execute('parley.runTool', 'review_plan', {
      title: 'My plan',
      document: plan,
    });
    const panel = await panels.panelOf(page, 'Review a Plan');
    const first = panel.getByRole('group', { name: 'Line 1: # Move to SQLite' });
    await first.focus();
    await panels.pressIn(panel, 'ArrowDown');
    await panels.pressIn(panel, 'c');
    await panel.locator('textarea:focus').pressSequentially('Which one?');
    for (const theme of panels.themes) {
      await panels.inTheme(workbench, panel, theme);
      expect(await accessibilityProblems(panel), theme).toEqual([]);
      await screenshot(page, `review-plan-${theme}`);
    }
    const height = (name: string) =>
      panel.getByRole('button', { name, exact: true }).evaluate((it) => it.getBoundingClientRect().height);
    expect(await height('Send Back')).toBe(await height('Cancel'));
    await panel.getByLabel('Your comment on line 3').focus();
    await panels.submit(panel);
    await panels.pressIn(panel, 'ArrowDown');
    await panels.pressIn(panel, 'e');
    await panel.getByLabel('Text of line 4').fill('2. Copy the data');
    await panels.submit(panel);
    await panels.pressIn(panel, 'a');
    await panel.getByRole('button', { name: 'Send Back with 2 Remarks' }).click();
    expect(await result).toEqual({
      status: 'changes_requested',
      comments: [{ from: 3, to: 3, quote: '1. Write the **schema**', comment: 'Which one?' }],
      accepted: ['2. Move the data'],
      document: plan.replace('Move the data', 'Copy the data'),
    });
  });
});

describe('fix_problems from the palette', () => {
  test('shows each edit as a diff, applies what is accepted, and Undo takes it back', async ({
    page,
    workbench,
  }) => {
    await workbench.updateSettings(demo);
    const texts = { 'one.txt': 'apples\npaers\nplums\n' };
    await problemsIn(workbench, texts);
    await workbench.bridge.execute('parleyDemo.script', [
      {
        toolCalls: [
          {
            name: '__schema__',
            input: {
              edits: [
                { find: 'paers', replace: 'pears', why: 'a typo in pears' },
                { find: 'plums', replace: 'prunes', why: 'they are dried' },
              ],
            },
          },
        ],
      },
    ]);
    await showFile(workbench, 'one.txt');
    const panel = await panels.runTool(page, 'Fix Problems');
    // The file that is open and has problems is filled in.
    await expect.poll(() => panels.field(panel, 'File').inputValue()).toBe('one.txt');
    await panels.submit(panel);
    await panel.getByText('Edit 1 of 2').waitFor();
    await expect
      .poll(() => panel.locator('.edit-removed .edit-text, .edit-added .edit-text').allTextContents())
      .toEqual(['removed: paers', 'added: pears']);
    expect(await accessibilityProblems(panel)).toEqual([]);
    await panel.locator('button:focus', { hasText: 'Accept' }).press('Enter');
    await panel.getByText('Edit 2 of 2').waitFor();
    await panels.button(panel, 'Skip').click();
    await panel.locator('.stage-result').waitFor();
    expect(await textOf(workbench, 'one.txt')).toBe('apples\npears\nplums\n');

    await showFile(workbench, 'one.txt');
    await workbench.bridge.execute('undo');
    await expect.poll(() => textOf(workbench, 'one.txt')).toBe(texts['one.txt']);
  });

  test('changes several files as one step: one Undo takes all of it back', { tags: 'long' }, async ({
    page,
    workbench,
  }) => {
    await workbench.updateSettings(demo);
    const texts = { 'three.txt': 'apples\npaers\n', 'four.txt': 'kiwis\npaers\n' };
    await problemsIn(workbench, texts);
    await noProblemsBut(workbench, Object.keys(texts));
    const mended = { edits: [{ find: 'paers', replace: 'pears', why: 'a typo in pears' }] };
    const reply = { toolCalls: [{ name: '__schema__', input: mended }] };
    await workbench.bridge.execute('parleyDemo.script', [reply, reply]);
    const panel = await panels.runTool(page, 'Fix Problems');
    // What was given last time is there already.
    await panels.field(panel, 'File').fill('');
    await panels.button(panel, 'Run').click();
    await panel.getByText('Edit 1 of 2').waitFor();
    await panels.button(panel, 'Accept All 2').click();
    await panel.locator('.stage-result').getByText('Applied 2 edits in 2 files').first().waitFor();
    for (const [name, text] of Object.entries(texts)) {
      expect(await textOf(workbench, name)).toBe(text.replace('paers', 'pears'));
    }
    await showFile(workbench, 'three.txt');
    await workbench.bridge.execute('undo');
    for (const [name, text] of Object.entries(texts)) {
      await expect.poll(() => textOf(workbench, name), { timeout: 60_000 }).toBe(text);
    }
  });
});

async function showFile({ bridge }: Workbench, name: string): Promise<void> {
  await bridge.evaluate(async (api, file) => {
    const [folder] = api.workspace.workspaceFolders ?? [];
    if (!folder) throw new Error('no folder');
    await api.window.showTextDocument(api.Uri.joinPath(folder.uri, file), { viewColumn: 1 });
  }, name);
}
