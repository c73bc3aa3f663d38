import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMockMcpClient, runMcpTool } from 'parley-mcp/testing';
import { expect, test } from 'vitest';
import { findFlakyTests } from '#examples/packs/flaky/.parley/tools/flaky/tool.ts';
import { folderWithFlakyTests } from './kit/pack-folders.ts';

test('a test that fails every second time is found by Vitest itself, and quarantined', async () => {
  await using tea = folderWithFlakyTests();
  const { folder } = tea;
  const client = createMockMcpClient({
    elicitResponses: [({ context }) => ({ action: 'accept', content: { tests: names(context) } })],
  });
  expect(await runMcpTool(findFlakyTests, { runs: 2, folder }, client)).toMatchObject({
    flaky: [{ test: 'odd.test.js > is even', failed: 1, runs: 2 }],
    broken: ['odd.test.js > is broken'],
    quarantined: ['odd.test.js > is even'],
  });
  expect(readFileSync(join(folder, '.flaky-tests'), 'utf8')).toContain('odd.test.js > is even\t');
});

function names(context: object | undefined): string[] {
  return (Reflect.get(context ?? {}, 'flaky') as { test: string }[]).map(({ test: name }) => name);
}
