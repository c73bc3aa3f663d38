import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Locator, Page } from 'playwright-core';
import { describe } from 'vitest';
import {
  fillInputBox,
  pick,
  quickInput,
  quickPickRow,
  repoRoot,
  runCommand,
  takeRow,
  type Workbench,
} from '#harness';
import { expect, test } from './fixture.ts';
import * as panels from './panel.ts';
import { toolNames } from './tool-files.ts';

const NAME = 'greet_someone';
// It has no title of its own.
const TITLE = 'Greet someone';

describe('a tool that is made in the editor', () => {
  test('asks, is changed, broken and mended, in the palette and in parley serve', async ({
    page,
    workbench,
    workspace,
  }) => {
    const file = join(workspace, '.parley', 'tools', `${NAME}.ts`);
    await newTool(page, NAME, 'With a question');
    await page.locator('.tab', { hasText: `${NAME}.ts` }).waitFor();

    // The declarations are there: the editor knows what the tool can ask, with nothing installed.
    await expect
      .poll(() => completions(workbench, file, 'ctx.'), { timeout: 120_000 })
      .toContain('sampleSchema');

    // From the lens above it, and by its question in the panel.
    await page.locator('.codelens-decoration').getByText('Run', { exact: true }).click();
    const panel = await panels.panelOf(page, TITLE);
    await panels.field(panel, 'Name').fill('Ada');
    await panels.button(panel, 'Run').click();
    await panel.getByText('In which language shall I greet Ada?').first().waitFor();
    await panels.button(panel, 'Submit').click();
    await panel.locator('.stage-result').getByText('Hello, Ada!').waitFor();

    await runCommand(page, 'Parley: Show Transcript');
    await expect.poll(() => transcript(workbench), { timeout: 60_000 }).toContain('“language” was answered');
    expect(await transcript(workbench)).toContain('Hello, Ada!');
    // To be read, not as Markdown.
    await page.locator('.tab', { hasText: /^Preview / }).waitFor();

    await edit(workbench, file, 'Greets a person in a language that the user chooses.', 'Says hello.');
    await expect.poll(() => descriptionInPalette(page), { timeout: 60_000 }).toContain('Says hello.');
    expect(await served(workspace)).toMatchObject({ [NAME]: 'Says hello.' });

    await edit(workbench, file, `createMcpTool('${NAME}')`, `createMcpTool('${NAME}'`);
    await expect.poll(() => problems(workbench, file), { timeout: 60_000 }).not.toEqual([]);
    const [problem] = await problems(workbench, file);
    expect(problem?.text).toMatch(/Expected/);
    // The last good version is still there.
    expect(await descriptionInPalette(page)).toContain('Says hello.');

    await edit(workbench, file, `createMcpTool('${NAME}'\n`, `createMcpTool('${NAME}')\n`);
    await expect.poll(() => problems(workbench, file), { timeout: 60_000 }).toEqual([]);
  });

  test('with a view is answered in the view', async ({ page, workbench, workspace }) => {
    await newTool(page, 'pick_one', 'With a view');
    await page.locator('.tab', { hasText: 'pick_one.ts' }).waitFor();
    await expect.poll(() => loaded(workbench, 'pick_one'), { timeout: 60_000 }).toBe(true);
    const home = join(workspace, '.parley');
    expect(await readFile(join(home, '.gitignore'), 'utf8')).toContain('.generated/');
    expect(await readFile(join(home, '.generated', 'parley-mcp', 'index.d.ts'), 'utf8')).toContain('export');
    const result = workbench.bridge.execute('parley.runTool', 'pick_one', { options: ['tea', 'coffee'] });
    const panel = await panels.panelOf(page, 'Pick one');
    await panel.getByRole('button', { name: 'coffee' }).click();
    expect(await result).toBe('The user picked coffee.');

    // Its tests run in the Test Explorer, with nothing installed; one that is made to fail says why, at its line.
    const tests = join(home, 'tests', 'pick_one.test.ts');
    await workbench.bridge.execute('workbench.view.testing.focus');
    const row = (text: string) => page.locator('.part.sidebar .monaco-list-row', { hasText: text }).first();
    const said = (text: string) =>
      expect.poll(() => row(text).getAttribute('aria-label'), { timeout: 60_000 });
    await row('pick_one.test.ts').waitFor();
    await workbench.bridge.execute('testing.runAll');
    await said('pick_one.test.ts').toContain('Passed');
    await workbench.bridge.evaluate(async (api, path) => {
      await api.window.showTextDocument(api.Uri.file(path), { viewColumn: 1 });
    }, tests);
    await edit(workbench, tests, 'The user picked tea.', 'The user picked soup.');
    await workbench.bridge.execute('testing.coverageAll');
    await said('pick_one.test.ts').toContain('Failed');
    await row('pick_one.test.ts').click();
    await page.keyboard.press('ArrowRight');
    await said('says what was picked').toContain('Failed');
    await said('hands the options').toContain('Passed');
    const message = page.locator('.test-error-content-widget', {
      hasText: 'picked tea. != The user picked soup.',
    });
    const line = page.locator('.view-line', { hasText: 'assert.equal(' }).first();
    const top = async (one: Locator) => (await one.boundingBox())?.y ?? Number.NaN;
    const apart = async () => Math.abs((await top(message)) - (await top(line)));
    await expect.poll(apart, { timeout: 60_000 }).toBeLessThan(12);
    // Which of the tool's lines ran is known all the same.
    await page.locator('.test-coverage-list-item', { hasText: 'pick_one.ts' }).waitFor();
    await workbench.bridge.evaluate(
      async (api, path) => {
        await api.window.showTextDocument(api.Uri.file(path), { viewColumn: 1 });
      },
      join(home, 'tools', 'pick_one.ts'),
    );
    await page.locator('.coverage-deco-gutter.coverage-deco-hit').first().waitFor();
    await workbench.bridge.execute('testing.coverage.close');
    await workbench.bridge.execute('testing.clearTestResults');
  });

  test('of a name that is taken is refused while it is typed', async ({ page }) => {
    await runCommand(page, 'Parley: New Tool…');
    await quickInput(page).locator('input').fill('book_flight');
    await quickInput(page).getByText('A tool with this name already exists.').waitFor();
    await quickInput(page).locator('input').fill('book flight');
    await quickInput(page).getByText('Use 1 to 64 letters').waitFor();
    await page.keyboard.press('Escape');
  });
});

describe('parley.tools.include', () => {
  test('adds tool files, and takes them away again, at once', async ({ workbench, workspace }) => {
    const scripts = join(workspace, 'scripts');
    await mkdir(scripts, { recursive: true });
    await writeFile(join(scripts, 'included.tool.ts'), included);
    try {
      expect(await loaded(workbench, 'included')).toBe(false);
      await workbench.updateSettings({ 'parley.tools.include': ['scripts/*.tool.ts'] });
      // Nobody has written it in this window.
      await expect.poll(() => problemOf(workbench, 'included.tool.ts'), { timeout: 60_000 }).toBe('waiting');
      await workbench.bridge.execute('parley.reloadTools');
      expect(await loaded(workbench, 'included')).toBe(true);
      await workbench.updateSettings({ 'parley.tools.include': undefined });
      await expect.poll(() => loaded(workbench, 'included'), { timeout: 60_000 }).toBe(false);
    } finally {
      await rm(scripts, { recursive: true });
    }
  });
});

const included = `import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';
export const included = createMcpTool('included').description('Is included.').parameters(z.object({})).elicits({})
  .execute(function* () { return 1; });
`;

async function newTool(page: Page, name: string, template: string): Promise<void> {
  await runCommand(page, 'Parley: New Tool…');
  await quickInput(page)
    .getByText('Tool name (used by models and clients), for example plan_weekend')
    .waitFor();
  await fillInputBox(page, name);
  await pick(page, template);
}

/** Whether other extensions, and so everybody, find the tool. */
function loaded({ bridge }: Workbench, name: string): Promise<boolean> {
  return bridge.evaluate((api, tool) => {
    const parley = api.extensions.getExtension('parley.parley-mcp');
    return parley?.exports.getApi(1).tools().includes(tool) as boolean;
  }, name);
}

/** What kind of problem Parley has with a file of this name. */
function problemOf({ bridge }: Workbench, name: string): Promise<unknown> {
  return bridge.evaluate(
    (api, end) =>
      api.languages
        .getDiagnostics()
        .find(([{ path }]) => path.endsWith(end))?.[1]
        .find(({ source }) => source === 'parley')?.code,
    name,
  );
}

/** What the editor offers after the first of these texts in a file. */
function completions({ bridge }: Workbench, file: string, after: string): Promise<string[]> {
  return bridge.evaluate(
    async (api, [path, text]) => {
      const document = await api.workspace.openTextDocument(path as string);
      const at = document.positionAt(document.getText().indexOf(text as string) + (text as string).length);
      const list = await api.commands.executeCommand<{ items: { label: string | { label: string } }[] }>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        at,
      );
      return list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    },
    [file, after],
  );
}

function transcript({ bridge }: Workbench): Promise<string> {
  return bridge.evaluate(
    (api) =>
      api.workspace.textDocuments.find(({ uri }) => uri.scheme === 'parley-transcript')?.getText() ?? '',
    undefined,
  );
}

/** What Run Tool… says of the tool. */
async function descriptionInPalette(page: Page): Promise<string> {
  await runCommand(page, 'Parley: Run Tool…');
  await quickInput(page).locator('input').fill(NAME);
  const row = quickPickRow(page, TITLE);
  await row.waitFor();
  const text = await row.textContent();
  await page.keyboard.press('Escape');
  return text ?? '';
}

/** Replaces a text in an editor and saves, as a person does. */
async function edit({ bridge }: Workbench, file: string, before: string, after: string): Promise<void> {
  const tried = () =>
    bridge.evaluate(
      async (api, [path, from, to]) => {
        const document = await api.workspace.openTextDocument(path as string);
        const at = document.getText().indexOf(from as string);
        if (at < 0) return document.getText().includes(to as string) && (await document.save());
        const change = new api.WorkspaceEdit();
        const range = new api.Range(
          document.positionAt(at),
          document.positionAt(at + (from as string).length),
        );
        change.replace(document.uri, range, to as string);
        return (await api.workspace.applyEdit(change)) && (await document.save());
      },
      [file, before, after],
    );
  // The editor refuses an edit while it does something else to the document, as it does when it has just opened it.
  await expect.poll(tried, { timeout: 30_000 }).toBe(true);
}

/** What Parley has put into the Problems view for a file. */
function problems({ bridge }: Workbench, file: string): Promise<{ text: string; line: number }[]> {
  return bridge.evaluate(
    (api, path) =>
      api.languages
        .getDiagnostics(api.Uri.file(path))
        .filter(({ source }) => source === 'parley')
        .map(({ message, range }) => ({ text: message, line: range.start.line })),
    file,
  );
}

/** Descriptions by name of what `parley serve` of the folder lists. */
async function served(workspace: string): Promise<Record<string, string | undefined>> {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: { form: {} } } });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(repoRoot, 'dist', 'cli.js'), 'serve', '.'],
      cwd: workspace,
      stderr: 'inherit',
    }),
  );
  const { tools } = await client.listTools();
  await client.close();
  return Object.fromEntries(tools.map(({ name, description }) => [name, description]));
}

describe('Open Test', () => {
  test('begins the test of a tool that has none, and opens it from then on', async ({
    page,
    workbench: { bridge },
    workspace,
  }) => {
    const file = join(workspace, '.parley', 'tests', 'slow_count.test.ts');
    const tab = page.locator('.tab.active', { hasText: 'slow_count.test.ts' });
    try {
      const begun = bridge.execute('parley.openTest', 'slow_count');
      const offer = page.locator('.notification-toast', { hasText: '“slow_count” has no test yet.' });
      await offer.getByText('Create Test').click();
      await begun;
      await tab.waitFor();
      const text = await readFile(file, 'utf8');
      expect(text).toContain("from '../tools/slow-count.ts'");
      await bridge.execute('workbench.action.closeActiveEditor');
      await tab.waitFor({ state: 'detached' });

      await bridge.execute('parley.openTest', 'slow_count');
      await tab.waitFor();
      expect(await readFile(file, 'utf8')).toBe(text);
    } finally {
      await bridge.execute('workbench.action.closeActiveEditor');
      await rm(file, { force: true });
    }
  });
});

describe('Add Example…', () => {
  test('copies the tool that is picked, which is there at once', async ({ page, workbench, workspace }) => {
    const { bridge } = workbench;
    const file = join(workspace, '.parley', 'tools', 'slow-count.ts');
    const text = await readFile(file, 'utf8');
    await rm(file);
    await bridge.execute('parley.reloadTools');
    expect(await toolNames(bridge)).not.toContain('slow_count');
    await runCommand(page, 'Parley: Add Example…');
    await takeRow(page, 'slow_count');
    await page.locator('.tab.active', { hasText: 'slow-count.ts' }).waitFor();
    expect(await readFile(file, 'utf8')).toBe(text);
    await expect.poll(() => toolNames(bridge), { timeout: 120_000 }).toContain('slow_count');
    await bridge.execute('parley.runTool', 'slow_count', { steps: 1, interval: 0 });
    // Its panel has the keyboard before the palette is asked for.
    await panels.resultOf(await panels.panelOf(page, 'Count slowly'));
    // A second time nothing is overwritten.
    await runCommand(page, 'Parley: Add Example…');
    await takeRow(page, 'slow_count');
    await page.locator('.notification-toast', { hasText: 'nothing was written' }).waitFor();
  });
});
