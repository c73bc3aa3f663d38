import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'vitest';
import type { Bridge } from '#harness';
import { expect, test } from './fixture.ts';
import * as panels from './panel.ts';
import { writeTool } from './tool-files.ts';

/** Runs the rogue tool to its end, however that is. */
const rogue = (bridge: Bridge, how: string) =>
  bridge.execute('parley.runTool', 'rogue', { how }).catch((error: unknown) => String(error));

/** Says where tools run, and waits until they do. */
async function isolate(bridge: Bridge, isolation: 'host' | 'worker'): Promise<void> {
  await bridge.evaluate(
    (api, value) => api.workspace.getConfiguration().update('parley.tools.isolation', value, 1),
    isolation,
  );
  await expect.poll(() => rogue(bridge, 'where'), { timeout: 120_000, interval: 2_000 }).toBe(isolation);
}

/** What the Problems view says about the loading of a file. */
const problemsOf = (bridge: Bridge, file: string) =>
  bridge.evaluate(
    (api, path) =>
      api.languages
        .getDiagnostics(api.Uri.file(path))
        .map(({ message }) => message)
        .filter((message) => message.includes('while the file was loaded')),
    file,
  );

describe('a tool in a worker', () => {
  test('that loops for ever is ended while another asks and is answered, and runs again after that', {
    tags: 'long',
  }, async ({ page, workbench: { bridge, updateSettings } }) => {
    // Nobody has said so: it is the default.
    expect(await rogue(bridge, 'where')).toBe('worker');
    await updateSettings({ 'parley.tools.stuckAfter': 10 });
    const looping = rogue(bridge, 'loop');
    // A panel comes before those that are there: both at once, and either may be behind the other.
    await panels.panelOf(page, 'Go rogue');
    const ended = bridge.execute('parley.runTool', 'broken', { how: 'throws' });
    const panel = await panels.panelOf(page, 'Break');
    await panel.getByText('Use this form instead').first().waitFor();
    await panels.field(panel, 'Color').fill('green');
    await panels.submit(panel);
    expect(await ended).toEqual({ color: 'green' });
    expect(await looping).toContain("'rogue' was ended: its code did not pause for 10 s");
    await updateSettings({ 'parley.tools.stuckAfter': undefined });
    expect(await rogue(bridge, 'where')).toBe('worker');
  });

  test('runs in the extension host where the setting says so, seen by the person before it holds that up, and goes back', async ({
    page,
    workbench: { bridge },
    workspace,
  }) => {
    await isolate(bridge, 'host');
    await bridge.execute('workbench.action.closeAllEditors');
    const until = join(workspace, 'seen.txt');
    const held = bridge.execute('parley.runTool', 'rogue', { how: 'hold', until }).catch(String);
    await panels.panelOf(page, 'Go rogue');
    await writeFile(until, '');
    expect(await held).toBe('seen');
    await rm(until);
    await isolate(bridge, 'worker');
  });

  test('that ends its process ends its call; a file that does so costs no other its tools', {
    tags: 'long',
  }, async ({ workbench: { bridge }, workspace }) => {
    expect(await rogue(bridge, 'exit')).toContain('it called process.exit(7)');
    const file = join(workspace, '.parley', 'tools', 'ends.ts');
    await writeTool(
      bridge,
      file,
      "import 'parley-mcp';\nimport { isMainThread } from 'node:worker_threads';\nif (!isMainThread) process.exit(8);\n",
    );
    await expect
      .poll(() => problemsOf(bridge, file), { timeout: 120_000 })
      .toEqual([expect.stringContaining('process.exit(8)')]);
    await writeFile(file, '');
    await expect.poll(() => problemsOf(bridge, file), { timeout: 120_000 }).toEqual([]);
    expect(await rogue(bridge, 'where')).toBe('worker');
  });
});
