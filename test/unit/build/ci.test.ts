import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };

test('what an owner can switch on runs scripts that are there, on three systems, and the VS Code of a desktop', () => {
  const workflow = readFileSync(join(import.meta.dirname, '../../../.github/workflows/ci.yml'), 'utf8');
  const scripts = [...workflow.matchAll(/npm run ([\w:]+)|default: ([\w:]+)/g)].map(
    ([, run, given]) => run ?? given ?? '',
  );
  expect(new Set(scripts)).toEqual(new Set(['test', 'test:desktop']));
  expect(scripts.filter((script) => !(script in manifest.scripts))).toEqual([]);
  expect(workflow).toContain('[ubuntu-latest, windows-latest, macos-latest]');
});
