import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type CodeBlock, codeBlocksOf } from './code-blocks.ts';
import { compileFolder } from './compile-folder.ts';

/*
 * What the documentation shows is compiled with the settings of the project, against the real API, and loaded, unless it is a
 * program. Its tests are run: they register themselves below.
 */

const root = join(import.meta.dirname, '..', '..', '..');
// In the repository, so that imports of packages resolve; in a folder that git ignores.
await mkdir(join(root, 'test-results'), { recursive: true });
const out = await mkdtemp(join(root, 'test-results', 'docs-examples-'));

const pages = (await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md')).sort();

/** The page whose example is a test of our own, which lies beside the fixture. */
const HARNESS = 'test/harness/README.md';
const paths = ['README.md', ...pages.map((name) => `docs/${name}`), 'media/walkthrough/write.md', HARNESS];

const documents = await Promise.all(
  paths.map(async (path) => ({
    path,
    // The editor colours a block of the walkthrough by all that its fence says: it says no name.
    blocks: codeBlocksOf((await readFile(join(root, path), 'utf8')).replace(/^```ts$/m, '```ts greet.ts')),
  })),
);

await write('canary', [{ file: 'canary.ts', code: 'export const wrong: string = 1;\n', line: 1 }]);
await write(HARNESS, [{ file: 'fixture.ts', code: "export * from '#test/e2e/fixture.ts';\n", line: 1 }]);
for (const { path, blocks } of documents) await write(path, blocks);
async function write(folder: string, blocks: readonly CodeBlock[]) {
  for (const { file, code } of blocks) {
    const path = join(out, folder, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, code);
  }
}

describe('what the documentation shows compiles', async () => {
  const complaints = compileFolder(root, out);

  test('the compiler would say so if it did not', async () => {
    expect((await complaints).get('canary/canary.ts')).toEqual([expect.stringContaining('TS2322')]);
  }, 120_000);

  for (const { path, blocks } of documents) {
    test.each(blocks)(
      `${path}:$line: $file`,
      async ({ file }) => {
        expect((await complaints).get(`${path}/${file}`) ?? []).toEqual([]);
      },
      120_000,
    );
  }
});

/** Those of Node's own runner are run where their reader has them: `first-tools.test.ts`. */
const isNodeTest = ({ code }: CodeBlock) => code.includes("from 'node:test'");
const isTest = (block: CodeBlock) => /\.test\.tsx?$/.test(block.file) && !isNodeTest(block);
/** One that exports nothing is a program: it is not run here. */
const isModule = ({ code }: CodeBlock) => /^export /m.test(code);

const shown = documents.filter(({ blocks }) => blocks.some(isModule));

describe.each(shown)('what $path shows', ({ path, blocks }) => {
  test.each(blocks.filter((block) => isModule(block) && !isTest(block)))(
    '$file defines a tool without complaint',
    async ({ file }) => {
      expect(Object.values(await import(join(out, path, file)))).toHaveLength(1);
    },
  );

  for (const { file } of blocks.filter(isTest)) {
    describe(`${file} passes`, async () => {
      await import(join(out, path, file));
    });
  }
});

afterAll(() => rm(out, { recursive: true, force: true }));
