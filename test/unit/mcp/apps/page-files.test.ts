import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PAGE_FILES, pageFolder } from '#src/mcp/apps/page-files.ts';

test('a page that did not come along is an error that says which files are missing, and what to do', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-pages-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const lib = join(folder, 'dist', 'lib');
  const webview = join(folder, 'dist', 'webview');
  const sentence = `there is no ${PAGE_FILES.join(', ')} in ${webview}. Install parley-mcp again, or create the server with apps: false`;
  await mkdir(webview, { recursive: true });
  for (const name of PAGE_FILES) {
    expect(() => pageFolder(lib)).toThrow(sentence);
    await writeFile(join(webview, name), '');
  }
  expect(pageFolder(lib)).toBe(webview);
});
