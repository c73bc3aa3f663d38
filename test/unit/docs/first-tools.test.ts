import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { run, until } from 'effection';
import { expect, test } from 'vitest';
import { createNewTool, readKit, writeKit } from '#src/workspace/scaffold/index.ts';
import { useFolder } from '../workspace/folder-fixture.ts';
import { codeBlocksOf } from './code-blocks.ts';

const root = join(import.meta.dirname, '..', '..', '..');

test('the first tools and their tests compile and pass in a new `.parley`, with nothing installed', async () => {
  const pages = ['writing-a-tool.md', 'durable-tools.md'].map((name) => join(root, 'docs', name));
  const blocks = (await Promise.all(pages.map((page) => readFile(page, 'utf8')))).flatMap(codeBlocksOf);
  await run(function* () {
    const folder = yield* useFolder();
    yield* createNewTool(folder.path, 'new_tool', 'plain');
    const cwd = folder.file('.parley');
    yield* writeKit(cwd, yield* readKit(join(root, 'dist')));
    const files = blocks.filter(({ file }) => /^(tools|tests)\//.test(file));
    yield* folder.write(Object.fromEntries(files.map(({ file, code }) => [join('.parley', file), code])));

    // What runs this test may be set to run tests in its children as well.
    const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
    const node = (...args: string[]) => until(promisify(execFile)(process.execPath, args, { cwd, env }));
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    expect(yield* node(compiler, '-p', '.', '--pretty', 'false')).toEqual({ stdout: '', stderr: '' });

    const { stdout } = yield* node('--test', '--test-reporter=tap', 'tests/**/*.test.ts');
    expect(stdout).toMatch(/^# pass 4$/m);
  });
});
