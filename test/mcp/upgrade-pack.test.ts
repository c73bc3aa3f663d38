// @module-tag long
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMockMcpClient, runMcpTool } from 'parley-mcp/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { upgradeDependencies } from '#examples/packs/upgrade/.parley/tools/upgrade/tool.ts';
import { folderToUpgrade, type NpmFolder } from './kit/pack-folders.ts';

let tea: NpmFolder;
let folder: string;

const run: NpmFolder['run'] = (...command) => tea.run(...command);
const read = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8'));
const versionOf = (name: string) => read(`node_modules/${name}/package.json`).version;
const accept = (content: object) => ({ action: 'accept' as const, content });
const person = (upgrades: string[], keep = 'keep') =>
  createMockMcpClient({ elicitResponses: { plan: accept({ upgrades }), keep: accept({ keep }) } as never });

beforeEach(async () => {
  tea = await folderToUpgrade();
  folder = tea.folder;
});

afterEach(() => tea[Symbol.asyncDispose]());

test('green upgrades are committed, each alone, and a red one is rolled back with what its test says', async () => {
  tea.write('more.txt', 'not committed');
  const client = person(['cup@2.0.0', 'kettle@1.1.0', 'spoon@1.0.1']);
  expect(await runMcpTool(upgradeDependencies, { folder }, client)).toMatchObject({
    status: 'upgraded',
    summary: '2 of 3 upgrades are committed.',
    red: [{ name: 'cup', red: expect.stringContaining('a cup that leaks') }],
  });
  const [asked] = client.transcript.flatMap((line) => (line.type === 'elicit' ? [line.request] : []));
  expect(asked?.context).toEqual({
    outdated: [
      expect.objectContaining({ name: 'cup', targets: [{ version: '2.0.0', step: 'major', changes: '' }] }),
      expect.objectContaining({
        name: 'kettle',
        targets: [
          { version: '1.1.0', step: 'minor', changes: '## 1.1.0\n\n- whistles\n\n### Fixed\n\n- a drip' },
        ],
      }),
      expect.objectContaining({
        name: 'spoon',
        dev: true,
        deprecated: 'use a fork',
        targets: [expect.objectContaining({ version: '1.0.1', deprecated: 'use a fork', needsNode: '19' })],
      }),
    ],
  });
  expect(run('git', 'log', '--format=%s').split('\n')).toEqual([
    'Upgrade spoon from 1.0.0 to 1.0.1',
    'Upgrade kettle from 1.0.0 to 1.1.0',
    'Begin',
  ]);
  // Each range stays as exact as it was.
  expect(read('package.json')).toMatchObject({
    dependencies: { kettle: '~1.1.0', cup: '1.0.0' },
    devDependencies: { spoon: '^1.0.1' },
  });
  expect(['cup', 'kettle', 'spoon'].map(versionOf)).toEqual(['1.0.0', '1.1.0', '1.0.1']);
  expect(run('git', 'status', '--porcelain')).toBe('?? more.txt');
});

test('an undo takes the commits and what is installed back', async () => {
  const before = run('git', 'rev-parse', 'HEAD');
  expect(
    await runMcpTool(upgradeDependencies, { folder }, person(['cup@2.0.0', 'kettle@1.1.0'], 'undo')),
  ).toMatchObject({
    status: 'undone',
  });
  expect([run('git', 'rev-parse', 'HEAD'), run('git', 'status', '--porcelain')]).toEqual([before, '']);
  expect(['cup', 'kettle'].map(versionOf)).toEqual(['1.0.0', '1.0.0']);
});

test('tests that are red before, changed files and a registry that is down are named, and nothing is changed', async () => {
  tea.write('test.js', 'throw new Error("red already")');
  const upgrade = () =>
    runMcpTool(upgradeDependencies, { folder }, person(['kettle@1.1.0'])).then(String, String);
  expect(await upgrade()).toMatch(/red before any upgrade:[\s\S]*red already/);
  tea.write('package.json', JSON.stringify({ ...read('package.json'), version: '1.0.2' }));
  expect(await upgrade()).toContain('package.json or package-lock.json has changes.');
  run('git', 'checkout', '--', 'package.json');
  tea.registry.failing = 422;
  expect(await upgrade()).toContain('this registry is down');
  expect(run('git', 'log', '--format=%s')).toBe('Begin');
}, 120_000);
