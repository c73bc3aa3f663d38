import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { describe, onTestFinished } from 'vitest';
import { notification, quickInput, type Workbench } from '#harness';
import { expect, test } from './fixture.ts';
import * as panels from './panel.ts';

const patience = { timeout: 60_000 };

const openText = (workbench: Workbench) =>
  workbench.bridge.evaluate((api) => {
    const { document } = api.window.activeTextEditor ?? {};
    return document && { path: document.uri.path, language: document.languageId, text: document.getText() };
  }, undefined);

const take = (panel: Frame, name: string) => panel.getByRole('button', { name, exact: true }).click();

describe('a result', () => {
  test('of rows is a table; it is copied as Markdown by keyboard, opened in an editor, and saved', async ({
    page,
    workbench,
    workspace,
  }) => {
    await workbench.bridge.evaluate((api) => api.env.clipboard.writeText(''), undefined);
    await workbench.bridge.execute('parley.runTool', 'souvenirs', {});
    const panel = await panels.panelOf(page, 'List souvenirs');
    await panel.getByRole('columnheader', { name: 'Euros' }).waitFor();
    expect(await panel.getByRole('row').allTextContents()).toEqual([
      'WhatEuros',
      'Tile7',
      'Tin of sardines4',
    ]);

    await panel.getByRole('button', { name: 'Copy As…' }).focus();
    await panels.pressIn(panel, 'Enter');
    await panel.getByRole('menuitem', { name: 'Text' }).and(panel.locator(':focus')).waitFor();
    await panels.pressIn(panel, 'ArrowUp');
    await panels.pressIn(panel, 'Enter');
    await expect
      .poll(() => workbench.bridge.evaluate((api) => api.env.clipboard.readText(), undefined), patience)
      .toBe('| what | euros |\n| --- | --- |\n| Tile | 7 |\n| Tin of sardines | 4 |');

    await take(panel, 'Open in Editor');
    await expect.poll(() => openText(workbench), patience).toMatchObject({ language: 'json' });
    expect(JSON.parse((await openText(workbench))?.text ?? '')).toHaveLength(2);

    const file = join(workspace, 'souvenirs.json');
    // By the editor, whose Explorer looks for it otherwise.
    onTestFinished(() =>
      workbench.bridge.evaluate(async (api, path) => api.workspace.fs.delete(api.Uri.file(path)), file),
    );
    await take(await panels.panelOf(page, 'List souvenirs'), 'Save As…');
    await expect.poll(() => quickInput(page).locator('input').inputValue(), patience).toBe(file);
    await page.keyboard.press('Enter');
    await expect.poll(() => openText(workbench), patience).toMatchObject({ path: file });
    expect(JSON.parse(await readFile(file, 'utf8'))).toHaveLength(2);
  });

  test('leads to files of the workspace, and to no others', async ({ page, workbench, workspace }) => {
    await workbench.bridge.execute('parley.runTool', 'where_to_read', { folder: workspace });
    const panel = await panels.panelOf(page, 'Where to read');
    await take(panel, 'the other file');
    await notification(page, 'it does not lead to a file in the workspace').waitFor();
    await take(panel, 'the file');
    await expect
      .poll(() => openText(workbench), patience)
      .toMatchObject({ path: join(workspace, 'README.md') });
  });
});
