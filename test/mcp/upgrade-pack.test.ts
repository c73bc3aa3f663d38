// @module-tag long
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createMockMcpClient, runMcpTool } from 'parley-mcp/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { upgradeDependencies } from '#examples/packs/upgrade/.parley/tools/upgrade/tool.ts';
import { startRegistry, type TestRegistry } from './kit/registry.ts';

let folder: string;
let registry: TestRegistry;

const run = (program: string, ...args: string[]) =>
  execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
const read = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8'));
const versionOf = (name: string) => read(`node_modules/${name}/package.json`).version;
const accept = (content: object) => ({ action: 'accept' as const, content });
const person = (upgrades: string[], keep = 'keep') =>
  createMockMcpClient({ elicitResponses: { plan: accept({ upgrades }), keep: accept({ keep }) } as never });

beforeEach(async () => {
  registry = await startRegistry();
  const says = (word: string) => ({ 'index.js': `module.exports = '${word}';` });
  for (const name of ['kettle', 'cup', 'spoon']) registry.put({ name, version: '1.0.0' }, says(name));
  folder = mkdtempSync(join(tmpdir(), 'upgrade-'));
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({
      name: 'tea',
      version: '1.0.0',
      engines: { node: '>=18' },
      scripts: { test: 'node test.js' },
      dependencies: { kettle: '~1.0.0', cup: '1.0.0' },
      devDependencies: { spoon: '^1.0.0' },
    }),
  );
  writeFileSync(
    join(folder, 'test.js'),
    "require('kettle'); require('spoon'); if (require('cup') !== 'cup') throw new Error('a cup that leaks');",
  );
  writeFileSync(join(folder, '.npmrc'), `registry=${registry.url}\ncache=${join(folder, '.cache')}\n`);
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n.cache\n');
  // The registry is in this process: it has to have its turn.
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder });
  run('git', 'init', '-q', '-b', 'main');
  run('git', 'config', 'user.name', 'Ada');
  run('git', 'config', 'user.email', 'ada@example.com');
  run('git', 'add', '.');
  run('git', 'commit', '-q', '-m', 'Begin');
  const changelog = '# Changes\n\n## 1.1.0\n\n- whistles\n\n### Fixed\n\n- a drip\n\n## 1.0.0\n\n- boils\n';
  registry.put({ name: 'kettle', version: '1.1.0' }, { ...says('kettle'), 'CHANGELOG.md': changelog });
  registry.put({ name: 'cup', version: '2.0.0' }, says('mug'));
  // npm passes what is deprecated, unless all of it is.
  for (const version of ['1.0.0', '1.0.1'])
    registry.put(
      { name: 'spoon', version, deprecated: 'use a fork', engines: { node: '>=19' } },
      says('spoon'),
    );
});

afterEach(async () => {
  await registry[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

test('green upgrades are committed, each alone, and a red one is rolled back with what its test says', async () => {
  writeFileSync(join(folder, 'more.txt'), 'not committed');
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
  writeFileSync(join(folder, 'test.js'), 'throw new Error("red already")');
  const upgrade = () =>
    runMcpTool(upgradeDependencies, { folder }, person(['kettle@1.1.0'])).then(String, String);
  expect(await upgrade()).toMatch(/red before any upgrade:[\s\S]*red already/);
  writeFileSync(
    join(folder, 'package.json'),
    readFileSync(join(folder, 'package.json'), 'utf8').replace('1.0.0', '1.0.2'),
  );
  expect(await upgrade()).toContain('package.json or package-lock.json has changes.');
  run('git', 'checkout', '--', 'package.json');
  registry.failing = 422;
  expect(await upgrade()).toContain('this registry is down');
  expect(run('git', 'log', '--format=%s')).toBe('Begin');
}, 120_000);
