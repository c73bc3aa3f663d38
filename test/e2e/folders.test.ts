import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, inject, onTestFinished } from 'vitest';
import { fillInputBox, openWorkbench, pick, runCommand } from '#harness';
import { expect, test } from './fixture.ts';
import { toolNames, toolSource, writeFiles } from './tool-files.ts';

const patience = { timeout: 120_000 };

describe('a workspace of several folders', () => {
  test('has the tools of all; they follow folders that are renamed, deleted, added and removed', async ({
    browser,
  }) => {
    const home = await mkdtemp(join(tmpdir(), 'parley-folders-'));
    onTestFinished(() => rm(home, { recursive: true, force: true }));
    await writeFiles(home, {
      'a/.parley/tools/both.ts': toolSource('both'),
      'a/.parley/tools/only-a.ts': toolSource('only_a'),
      'b/.parley/tools/both.ts': toolSource('both'),
      'b/.parley/tools/only-b.ts': toolSource('only_b'),
      'c/.parley/tools/only-c.ts': toolSource('only_c'),
    });
    const file = join(home, 'all.code-workspace');
    await writeFile(file, JSON.stringify({ folders: [{ path: 'a' }, { path: 'b' }] }));
    const window = await openWorkbench(browser, inject('server'), { workspace: file });
    onTestFinished(() => window.close());
    const { page, bridge } = window;
    page.setDefaultTimeout(60_000);
    await bridge.activate('parley.parley-mcp');
    const own = async () => (await toolNames(bridge)).filter((name) => /^(both|only_|made_)/.test(name));

    await expect.poll(own, patience).toEqual(['both', 'only_a', 'only_b']);
    // The earlier folder has the name; the later one's author is told.
    const clashes = () =>
      bridge.evaluate(
        (api, path) => api.languages.getDiagnostics(api.Uri.file(path)).map(({ message }) => message),
        join(home, 'b', '.parley', 'tools', 'both.ts'),
      );
    await expect.poll(clashes, patience).toEqual([expect.stringContaining("'both' is not used")]);

    await rename(join(home, 'b', '.parley', 'tools'), join(home, 'b', '.parley', 'elsewhere'));
    await expect.poll(own, patience).toEqual(['both', 'only_a']);
    await rename(join(home, 'b', '.parley', 'elsewhere'), join(home, 'b', '.parley', 'tools'));
    await expect.poll(own, patience).toEqual(['both', 'only_a', 'only_b']);

    await bridge.evaluate(
      (api, path) => {
        api.workspace.updateWorkspaceFolders(2, 0, { uri: api.Uri.file(path) });
      },
      join(home, 'c'),
    );
    await expect.poll(own, patience).toEqual(['both', 'only_a', 'only_b', 'only_c']);

    await runCommand(page, 'Parley: New Tool…');
    await pick(page, 'c');
    await fillInputBox(page, 'made_in_c');
    await pick(page, 'Plain');
    await expect.poll(own, patience).toContain('made_in_c');
    // It is opened when everything has been written.
    await page.locator('.tab', { hasText: 'made_in_c.ts' }).waitFor();

    await rm(join(home, 'c'), { recursive: true });
    await expect.poll(own, patience).toEqual(['both', 'only_a', 'only_b']);
    await bridge.evaluate((api) => {
      api.workspace.updateWorkspaceFolders(1, 1);
    }, undefined);
    await expect.poll(own, patience).toEqual(['both', 'only_a']);
    expect(await bridge.execute('parley.runTool', 'only_a', {})).toBe('only_a');
  });
});
