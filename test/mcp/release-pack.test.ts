import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMockMcpClient, runMcpTool } from 'parley-mcp/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { release } from '#examples/packs/release/.parley/tools/release/tool.ts';
import { startRegistry, type TestRegistry } from './kit/registry.ts';

let home: string;
let folder: string;
let registry: TestRegistry;

const accept = (content: object) => ({ action: 'accept' as const, content });
const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();

beforeEach(async () => {
  registry = await startRegistry();
  home = mkdtempSync(join(tmpdir(), 'release-'));
  folder = join(home, 'tea');
  execFileSync('git', ['init', '-q', '--bare', join(home, 'remote.git')]);
  execFileSync('git', ['clone', '-q', join(home, 'remote.git'), folder], { stdio: 'ignore' });
  git('checkout', '-q', '-b', 'main');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.com');
  const published = { name: 'tea', version: '1.0.0', publishConfig: { registry: registry.url } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(published, null, 2));
  writeFileSync(join(folder, '.npmrc'), `${registry.url.replace('http:', '')}:_authToken=secret\n`);
  writeFileSync(join(folder, 'index.js'), 'export const tea = 1;\n');
  git('add', '.');
  git('commit', '-q', '-m', 'Begin');
  git('tag', 'v1.0.0');
  git('push', '-q', '-u', 'origin', 'main');
  writeFileSync(join(folder, 'pot.js'), 'export const pot = 1;\n');
  git('add', '.');
  git('commit', '-q', '-m', "feat: a pot; $(touch hacked) `touch hacked` 'quoted'");
});

afterEach(async () => {
  await registry[Symbol.asyncDispose]();
  rmSync(home, { recursive: true, force: true });
});

const person = (publish: { action: 'accept'; content: object } | { action: 'cancel' }) =>
  createMockMcpClient({
    capabilities: { elicitation: { form: true } },
    elicitResponses: { plan: accept({ version: '1.1.0', notes: '- a pot\n- "$(quotes)"' }), publish },
  });

test('a release is in the registry, in the repository and at its remote', async () => {
  expect(await runMcpTool(release, { folder }, person(accept({ push: true })))).toMatchObject({
    status: 'released',
    summary: 'tea 1.1.0 is published and pushed to origin.',
  });
  expect(Object.keys(registry.packages.get('tea')?.versions ?? {})).toEqual(['1.1.0']);
  expect(git('log', '-1', '--format=%s')).toBe('Release 1.1.0');
  expect(git('ls-remote', '--tags', 'origin')).toContain('refs/tags/v1.1.0');
  expect(git('status', '--porcelain')).toBe('');
  expect(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')).toMatch(
    /## 1\.1\.0 \(\d{4}-\d\d-\d\d\)\n\n- a pot\n/,
  );
});

test('a registry that is down leaves the repository as it was, and is named', async () => {
  registry.failing = 422;
  const before = git('rev-parse', 'HEAD');
  const running = runMcpTool(release, { folder }, person(accept({ push: true })));
  await expect(running).rejects.toThrow('npm publish failed');
  expect([git('rev-parse', 'HEAD'), git('tag'), git('status', '--porcelain')]).toEqual([
    before,
    'v1.0.0',
    '',
  ]);
});

test('a no to publishing takes commit and tag back', async () => {
  const before = git('rev-parse', 'HEAD');
  expect(await runMcpTool(release, { folder }, person({ action: 'cancel' }))).toMatchObject({
    status: 'not_released',
  });
  expect([git('rev-parse', 'HEAD'), git('tag')]).toEqual([before, 'v1.0.0']);
  expect(registry.packages.size).toBe(0);
});

test('changes that are not committed are named, and nothing is asked', async () => {
  writeFileSync(join(folder, 'more.js'), '');
  await expect(runMcpTool(release, { folder }, createMockMcpClient())).rejects.toThrow(
    /Commit or stash[\s\S]*more\.js/,
  );
});
