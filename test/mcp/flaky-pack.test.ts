import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMockMcpClient, runMcpTool } from 'parley-mcp/testing';
import { expect, test } from 'vitest';
import { findFlakyTests } from '#examples/packs/flaky/.parley/tools/flaky/tool.ts';
import { root } from '../root.ts';

test('a test that fails every second time is found by Vitest itself, and quarantined', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'flaky-'));
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(
      join(folder, 'odd.test.js'),
      `import { readFileSync, writeFileSync } from 'node:fs';
      import { expect, test } from 'vitest';
      test('is even', () => {
        let runs = 0;
        try { runs = Number(readFileSync('runs', 'utf8')); } catch {}
        writeFileSync('runs', String(runs + 1));
        expect(runs % 2).toBe(0);
      });
      test('is fine', () => {});
      test('is broken', () => expect(1).toBe(2));`,
    );
    const client = createMockMcpClient({
      elicitResponses: [({ context }) => ({ action: 'accept', content: { tests: names(context) } })],
    });
    expect(await runMcpTool(findFlakyTests, { runs: 2, folder }, client)).toMatchObject({
      flaky: [{ test: 'odd.test.js > is even', failed: 1, runs: 2 }],
      broken: ['odd.test.js > is broken'],
      quarantined: ['odd.test.js > is even'],
    });
    expect(readFileSync(join(folder, '.flaky-tests'), 'utf8')).toContain('odd.test.js > is even\t');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function names(context: object | undefined): string[] {
  return (Reflect.get(context ?? {}, 'flaky') as { test: string }[]).map(({ test: name }) => name);
}
