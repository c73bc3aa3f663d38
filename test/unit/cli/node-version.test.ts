import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tooOldNode } from '#src/cli/node-version.ts';

test.each(['20.20.2', '18.0.0', '22.12.9'])('Node %s is too old, which is said at once', (version) => {
  expect(tooOldNode(version)).toContain(`this is Node ${version}`);
});

test.each(['22.13.0', '24.0.0', '26.1.0-nightly'])('Node %s is new enough', (version) => {
  expect(tooOldNode(version)).toBeUndefined();
});

test('a Node that is too old loads what says so: a name that it lacks would end it before', () => {
  const started = readFileSync(new URL('../../../src/cli/main.ts', import.meta.url), 'utf8');
  expect(started).not.toMatch(/^import \{.*\} from 'node:/m);
});

test('the package asks for the same', () => {
  const { engines } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  const [, oldest = ''] = /^>=(\d+\.\d+)$/.exec(engines.node) ?? [];
  expect(tooOldNode(`${oldest}.0`)).toBeUndefined();
  const [major = 0, minor = 0] = oldest.split('.').map(Number);
  expect(tooOldNode(`${major}.${minor - 1}.0`)).toBeDefined();
});
