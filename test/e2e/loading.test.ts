import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { describe, inject, onTestFinished } from 'vitest';
import {
  type Bridge,
  fillInputBox,
  notification,
  openWorkbench,
  pick,
  runCommand,
  screenshot,
  type Workbench,
} from '#harness';
import { expect, test } from './fixture.ts';
import * as panels from './panel.ts';
import { toolNames, toolSource, writeFiles } from './tool-files.ts';

const patience = { timeout: 120_000 };

describe('a folder whose watcher hears nothing', () => {
  test('follows what the editor does to its files, and on Reload Tools what others did', {
    tags: 'long',
  }, async ({ browser }) => {
    const { window, folder } = await openFolder(browser, {
      '.vscode/settings.json': '{ "files.watcherExclude": { "**": true }, "files.autoSave": "off" }',
    });
    const { page, bridge } = window;
    const names = () => toolNames(bridge);
    await runCommand(page, 'Parley: New Tool…');
    await fillInputBox(page, 'made_here');
    await pick(page, 'Plain');
    await expect.poll(names, patience).toContain('made_here');

    const file = join(folder, '.parley', 'tools', 'made_here.ts');
    await type(bridge, file, "createMcpTool('made_here')", "createMcpTool('changed_here')");
    await save(bridge, file);
    await expect.poll(names, patience).toContain('changed_here');
    const renamed = join(folder, '.parley', 'tools', 'other.ts');
    await bridge.evaluate(
      async (api, [from, to]) => {
        const edit = new api.WorkspaceEdit();
        edit.renameFile(api.Uri.file(from as string), api.Uri.file(to as string));
        await api.workspace.applyEdit(edit);
      },
      [file, renamed],
    );
    await expect.poll(() => placesOf(bridge), patience).toContain(renamed);
    await bridge.evaluate(async (api, path) => {
      const edit = new api.WorkspaceEdit();
      edit.deleteFile(api.Uri.file(path));
      await api.workspace.applyEdit(edit);
    }, renamed);
    await expect.poll(names, patience).not.toContain('changed_here');

    await writeFiles(folder, { '.parley/tools/elsewhere.ts': toolSource('made_elsewhere') });
    await bridge.execute('parley.reloadTools');
    expect(await names()).toContain('made_elsewhere');
  });
});

describe('a tool that is run while its file is edited', () => {
  test('runs as it stands in the editor; where that does not build, it says which version runs', {
    tags: 'long',
  }, async ({ browser }) => {
    const { window, folder } = await openFolder(browser, {
      '.parley/tools/sum.ts': sum('1'),
      // The editor would save what is typed after a second, on a busy machine before anybody runs it.
      '.vscode/settings.json': '{ "files.autoSave": "off" }',
    });
    const { page, bridge } = window;
    const file = join(folder, '.parley', 'tools', 'sum.ts');
    await expect.poll(() => toolNames(bridge), patience).toContain('sum');
    expect(await bridge.execute('parley.runTool', 'sum', { to: 1 })).toBe(2);
    await type(bridge, file, 'to + 1;', 'to + 10;');
    expect(await bridge.execute('parley.runTool', 'sum', { to: 1 })).toBe(11);

    await type(bridge, file, 'to + 10;', 'to + (;');
    const running = bridge.execute('parley.runTool', 'sum');
    const panel = await panels.panelShowing(page, 'Sum', 'Using the version from');
    await panel
      .getByText(/^Using the version from .+: the file has 1 error\. \.parley\/tools\/sum\.ts:\d+: /)
      .waitFor();
    await panel.getByLabel('To').fill('5');
    await panels.button(panel, 'Run').click();
    expect(await running).toBe(15);
    // Where there is no form, the call itself says it.
    expect(await bridge.execute('parley.runTool', 'sum', { to: 1 })).toBe(11);
    const called = await panels.panelShowing(page, 'Sum', '11');
    await called.getByText(/^Using the version from .+: the file has 1 error\./).waitFor();

    await type(bridge, file, "createMcpTool('sum')", "createMcpTool('total')");
    await type(bridge, file, 'to + (;', 'to + 20;');
    const gone = bridge.execute('parley.runTool', 'sum', { to: 1 });
    await expect(gone).rejects.toThrow('The tool “sum” was not found');
    expect(await bridge.execute('parley.runTool', 'total', { to: 1 })).toBe(21);
  });
});

describe('a tool file that is made by hand', () => {
  test('gets its types from a quick fix, with nothing installed', { tags: 'long' }, async ({ browser }) => {
    const { window, folder } = await openFolder(browser, { '.parley/tools/sum.ts': sum('1') });
    const { bridge } = window;
    const file = join(folder, '.parley', 'tools', 'sum.ts');
    const errors = () =>
      bridge.evaluate(async (api, path) => {
        const { uri } = await api.workspace.openTextDocument(path);
        return api.languages.getDiagnostics(uri).map(({ message }) => message);
      }, file);
    await bridge.evaluate(
      (api, path) => api.window.showTextDocument(api.Uri.file(path)).then(() => {}),
      file,
    );
    await expect
      .poll(errors, patience)
      .toContainEqual(expect.stringContaining("Cannot find module 'parley-mcp'"));
    const fixes = await bridge.evaluate(async (api, path) => {
      const uri = api.Uri.file(path);
      const range = new api.Range(0, 0, 1, 30);
      const actions = await api.commands.executeCommand<{ title: string; command?: { command: string } }[]>(
        'vscode.executeCodeActionProvider',
        uri,
        range,
      );
      const ours = actions.find(({ title }) => title === 'Set up types for Parley tools');
      if (ours?.command) await api.commands.executeCommand(ours.command.command, uri);
      return ours?.title;
    }, file);
    expect(fixes).toBe('Set up types for Parley tools');
    await expect.poll(errors, patience).toEqual([]);
  });
});

describe('two tools of one name', () => {
  test('are one that is used and one that is not, also after a reload', { tags: 'long' }, async ({
    browser,
  }) => {
    const { window } = await openFolder(browser, {
      '.parley/tools/first.ts': toolSource('twin'),
      '.parley/tools/second.ts': toolSource('twin'),
    });
    const { page, bridge } = window;
    await bridge.execute('parley.tools.focus');
    const rows = page.locator('.pane-body .monaco-list-row', { hasText: 'twin' });
    const unused = rows.filter({ hasText: 'not used' });
    for (let reload = 0; reload < 3; reload++) {
      await bridge.execute('parley.reloadTools');
      await expect.poll(() => rows.count(), patience).toBe(2);
      await expect.poll(() => unused.count(), patience).toBe(1);
    }
  });
});

describe('a tool file that an agent writes', () => {
  test('runs nothing of it before the person has seen what is different and allows it', {
    tags: 'long',
  }, async ({ browser }) => {
    const outside = await realpath(await mkdtemp(join(tmpdir(), 'parley-ran-')));
    onTestFinished(() => rm(outside, { recursive: true, force: true }));
    const ran = join(outside, 'ran.txt');
    const { window, folder } = await openFolder(browser, { '.parley/tools/one.ts': toolSource('one') });
    const { page, bridge } = window;
    await expect.poll(() => toolNames(bridge), patience).toContain('one');
    const theirs = toolSource('two', `appendFileSync(${JSON.stringify(ran)}, 'ran ');`);
    await writeFiles(folder, { '.parley/tools/two.ts': theirs });
    await writeFiles(folder, { '.parley/tools/one.ts': theirs.replaceAll('two', 'one') });
    // Looks whether its file is another, as a watcher would tell.
    expect(await bridge.execute('parley.runTool', 'one', {})).toBe('one');
    const asked = notification(page, 'were changed outside this editor');
    await asked.waitFor(patience);
    expect(existsSync(ran)).toBe(false);
    await asked.getByRole('button', { name: 'Show Changes' }).click();
    await page.locator('.tab', { hasText: 'Changes Made Outside This Editor' }).waitFor(patience);
    await notification(page, 'Run changes made outside this editor?')
      .getByRole('button', { name: 'Once' })
      .click();
    await expect.poll(() => toolNames(bridge), patience).toContain('two');
    expect(existsSync(ran)).toBe(true);
  });
});

describe('a branch that is checked out', () => {
  test('runs nothing of its tools before somebody runs one; the Tools view says that they wait', {
    tags: 'long',
  }, async ({ browser }) => {
    const outside = await realpath(await mkdtemp(join(tmpdir(), 'parley-ran-')));
    onTestFinished(() => rm(outside, { recursive: true, force: true }));
    const ran = join(outside, 'ran.txt');
    const theirs = (name: string) => toolSource(name, `appendFileSync(${JSON.stringify(ran)}, 'ran ');`);
    const { window, folder } = await openFolder(
      browser,
      { '.parley/tools/one.ts': toolSource('one'), '.gitignore': '.vscode/\n.parley/.generated\n' },
      async (git, write) => {
        await git('checkout', '--quiet', '-b', 'theirs');
        await write({ '.parley/tools/one.ts': theirs('one'), '.parley/tools/two.ts': theirs('two') });
        await git('add', '.');
        await git('commit', '--quiet', '-m', 'theirs');
        await git('checkout', '--quiet', 'main');
      },
    );
    const { page, bridge } = window;
    await expect.poll(() => toolNames(bridge), patience).toContain('one');
    await gitIn(folder)('checkout', '--quiet', 'theirs');
    const waiting = () =>
      bridge.evaluate(
        (api) =>
          api.languages
            .getDiagnostics()
            .flatMap(([uri, found]) => (found.some(({ code }) => code === 'waiting') ? [uri.path] : []))
            .map((path) => path.split('/').at(-1))
            .sort(),
        undefined,
      );
    await expect.poll(waiting, patience).toEqual(['one.ts', 'two.ts']);
    await bridge.execute('parley.tools.focus');
    await page
      .locator('.pane-body .monaco-list-row', { hasText: 'two.ts' })
      .getByText('Git has changed this file, and it is not loaded yet')
      .waitFor(patience);
    expect(await toolNames(bridge)).not.toContain('two');
    expect(existsSync(ran)).toBe(false);

    expect(await bridge.execute('parley.runTool', 'one', {})).toBe('one');
    expect(existsSync(ran)).toBe(true);
    await expect.poll(waiting, patience).toEqual(['two.ts']);
    await bridge.execute('parley.reloadTools');
    await expect.poll(waiting, patience).toEqual([]);
    expect(await toolNames(bridge)).toContain('two');
  });
});

type Git = (...args: string[]) => Promise<unknown>;

function gitIn(folder: string): Git {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  return (...args) => promisify(execFile)('git', [...who, ...args], { cwd: folder });
}

/** A window on a folder of its own, with Parley active. With `history` it is a repository with one commit, and more. */
async function openFolder(
  browser: Browser,
  files: Readonly<Record<string, string>>,
  history?: (git: Git, write: (files: Readonly<Record<string, string>>) => Promise<void>) => Promise<void>,
): Promise<{ window: Workbench; folder: string }> {
  // VS Code with its extensions watches the folder around it instead: one as full as that of all temporary files makes it hear nothing.
  const around = await realpath(await mkdtemp(join(tmpdir(), 'parley-loading-')));
  onTestFinished(() => rm(around, { recursive: true, force: true }));
  const folder = join(around, 'parley 100% #1 ü [x] {y}');
  await writeFiles(folder, files);
  if (history) {
    const git = gitIn(folder);
    await git('init', '--quiet', '--initial-branch=main');
    await git('add', '.');
    await git('commit', '--quiet', '-m', 'ours');
    await history(git, (more) => writeFiles(folder, more));
  }
  const window = await openWorkbench(browser, inject('server'), { workspace: folder });
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await screenshot(window.page, `e2e-${task.name.slice(0, 40)}`);
    await window.close();
  });
  window.page.setDefaultTimeout(60_000);
  await window.bridge.activate('parley.parley-mcp');
  return { window, folder };
}

function sum(add: string): string {
  return `import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';
export const tool = createMcpTool('sum').description('Adds.').parameters(z.object({ to: z.number() })).elicits({})
  .execute(function* ({ to }) { return to + ${add}; });
`;
}

/** Replaces a text in an editor without saving it. */
async function type(bridge: Bridge, file: string, before: string, after: string): Promise<void> {
  const tried = () =>
    bridge.evaluate(
      async (api, [path, from, to]) => {
        const document = await api.workspace.openTextDocument(path as string);
        const at = document.getText().indexOf(from as string);
        if (at < 0) return document.isDirty && document.getText().includes(to as string);
        const change = new api.WorkspaceEdit();
        const end = document.positionAt(at + (from as string).length);
        change.replace(document.uri, new api.Range(document.positionAt(at), end), to as string);
        return (await api.workspace.applyEdit(change)) && document.isDirty;
      },
      [file, before, after],
    );
  await expect.poll(tried, { timeout: 30_000 }).toBe(true);
}

function save(bridge: Bridge, file: string): Promise<boolean> {
  return bridge.evaluate(async (api, path) => (await api.workspace.openTextDocument(path)).save(), file);
}

/** Files that have a lens: where tools are defined as they are loaded. */
function placesOf(bridge: Bridge): Promise<string[]> {
  return bridge.evaluate(async (api) => {
    const found = await api.workspace.findFiles('.parley/tools/*.ts');
    const lenses = await Promise.all(
      found.map((uri) =>
        api.commands
          .executeCommand<unknown[]>('vscode.executeCodeLensProvider', uri)
          .then((list) => list.length),
      ),
    );
    return found.flatMap((uri, index) => (lenses[index] ? [uri.fsPath] : []));
  }, undefined);
}
