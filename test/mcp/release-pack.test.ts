import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMockMcpClient, runMcpTool } from 'parley-mcp/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { release } from '#examples/packs/release/.parley/tools/release/tool.ts';
import { folderToRelease, type NpmFolder } from './kit/pack-folders.ts';

let tea: NpmFolder;
let folder: string;

const accept = (content: object) => ({ action: 'accept' as const, content });
const git = (...args: string[]) => tea.run('git', ...args);

beforeEach(async () => {
  tea = await folderToRelease();
  folder = tea.folder;
});

afterEach(() => tea[Symbol.asyncDispose]());

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
  expect(Object.keys(tea.registry.packages.get('tea')?.versions ?? {})).toEqual(['1.1.0']);
  expect(git('log', '-1', '--format=%s')).toBe('Release 1.1.0');
  expect(git('ls-remote', '--tags', 'origin')).toContain('refs/tags/v1.1.0');
  expect(git('status', '--porcelain')).toBe('');
  expect(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')).toMatch(
    /## 1\.1\.0 \(\d{4}-\d\d-\d\d\)\n\n- a pot\n/,
  );
});

test('a registry that is down leaves the repository as it was, and is named', async () => {
  tea.registry.failing = 422;
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
  expect(tea.registry.packages.size).toBe(0);
});

test('changes that are not committed are named, and nothing is asked', async () => {
  tea.write('more.js', '');
  await expect(runMcpTool(release, { folder }, createMockMcpClient())).rejects.toThrow(
    /Commit or stash[\s\S]*more\.js/,
  );
});
