import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, onTestFinished } from 'vitest';
import { test } from './fixture.ts';
import { writeFiles } from './tool-files.ts';

const source = `import assert from 'node:assert/strict';
import { test } from 'node:test';

test('adds', () => assert.equal(1 + 1, 2));
`;

describe('a file of tests that is made elsewhere, with its folder', () => {
  test('is known as soon as somebody opens it', async ({ page, workbench: { bridge }, workspace }) => {
    const folder = join(workspace, '.parley', 'tests');
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeFiles(folder, { 'adds.test.ts': source });
    await bridge.evaluate(
      async (api, path) => {
        await api.window.showTextDocument(api.Uri.file(path));
      },
      join(folder, 'adds.test.ts'),
    );
    await page.locator('.glyph-margin-widgets .testing-run-glyph').first().waitFor();
  });
});
