import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { run } from 'effection';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isTestFile, patternOf, testFileOf, testsIn } from '#src/vscode/authoring/tests/find-tests.ts';
import { firstTestSource } from '#src/vscode/authoring/tests/first-test.ts';
import { nodeArguments, runTestProcess, useReportFile } from '#src/vscode/authoring/tests/test-process.ts';
import { mergeCoverage, ownFiles, readReport, stackLine } from '#src/vscode/authoring/tests/test-report.ts';
import { needsKit, readKit, writeKit, writeParleyFolderForTest } from '#src/workspace/scaffold/index.ts';
import { tempFolder } from '#test/temp-folder.ts';

const root = join(import.meta.dirname, '..', '..', '..');

const TEXT = `import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { twice } from './twice.ts';
import { Board } from './board.view.tsx';
import css from './note.md';

test('doubles (a+b)', () => assert.equal(twice(2), 4));
test("it's wrong", () => assert.equal(twice(2), 5));
describe('more', () => {
  it('has a view by its name', () => assert.equal(Board.name + css, 'Board# Hi'));
  it.skip('is not run', () => {});
  for (const n of [1, 2]) it(\`is made in a loop \${n}\`, () => {});
});
`;

describe('the test of a tool', () => {
  const files = [
    'a.test.ts',
    'greet-2.test.ts',
    'greet-10.test.ts',
    'greetings.test.ts',
    'tools.test.mjs',
    'greet.ts',
  ];

  it('is called as the tool, or as the file that it is in', () => {
    expect(testFileOf(['greet', 'tools'], [...files, 'greet.test.ts'])).toBe('greet.test.ts');
    expect(testFileOf(['wave', 'tools'], files)).toBe('tools.test.mjs');
    expect(testFileOf(['wave', 'waving'], files)).toBeUndefined();
    expect(testFileOf(['tool-3', 'x'], ['tool-3.test.ts', 'tool.test.ts'])).toBe('tool-3.test.ts');
  });

  it('is the first of those that were saved', () => {
    expect(testFileOf(['greet', 'tools'], ['greet-10.test.ts', 'greet-2.test.ts', 'tools.test.ts'])).toBe(
      'greet-2.test.ts',
    );
  });

  it('begins with a call that has what the tool needs', () => {
    const text = firstTestSource(
      'greet',
      { name: 'greet', from: '../tools/greet.ts' },
      {
        type: 'object',
        properties: {
          name: { type: 'string' },
          times: { type: 'integer', minimum: 1 },
          how: { enum: ['loud', 'soft'] },
          to: { type: 'object', properties: { x: { type: 'boolean' }, y: {} }, required: ['x'] },
          tags: { type: 'array', items: { type: 'string' } },
          more: { type: 'string' },
        },
        required: ['name', 'times', 'how', 'to', 'tags'],
      },
    );
    expect(text).toContain("import { greet } from '../tools/greet.ts';");
    expect(text).toContain("{ name: '', times: 1, how: 'loud', to: { x: false }, tags: [] }");
    expect(text).not.toContain('more');
    expect(testsIn(text)).toEqual([{ name: 'greet gives what is expected', line: 6 }]);
    expect(isTestFile(text)).toBe(true);
    const ofDefault = firstTestSource(
      'greet',
      { name: 'default', from: '../tools/greet.ts' },
      { type: 'object' },
    );
    expect(ofDefault).toContain("import tool from '../tools/greet.ts';");
    expect(ofDefault).toContain('runMcpTool(tool, {}, client)');
  });
});

describe('what a file of tests holds', () => {
  it('is found with the names and the lines of its tests', () => {
    expect(isTestFile(TEXT)).toBe(true);
    expect(isTestFile("import { test } from 'vitest';")).toBe(false);
    expect(testsIn(TEXT)).toEqual([
      { name: 'doubles (a+b)', line: 7 },
      { name: "it's wrong", line: 8 },
      { name: 'has a view by its name', line: 10 },
      { name: 'is not run', line: 11 },
    ]);
    expect(testsIn("test('it\\'s', () => {});\n// test('no')\n")).toEqual([{ name: "it's", line: 1 }]);
  });

  it('is asked for by a pattern that means these tests and no others', () => {
    const pattern = new RegExp(patternOf(['doubles (a+b)']));
    expect(pattern.test('more doubles (a+b)')).toBe(true);
    expect(pattern.test('doubles (a+b) twice')).toBe(false);
    expect(pattern.test('redoubles (a+b)')).toBe(false);
  });
});

describe('what a run reported', () => {
  it('is read line by line, and what is no line of the report is left out', () => {
    const test = { type: 'test', name: 'a', suite: false, how: 'passed' };
    const text = [JSON.stringify(test), 'noise', '{"type":"test"}', '', '{"type":"coverage"}'].join('\n');
    expect(readReport(text)).toEqual({ tests: [test], files: [], warnings: [] });
  });

  it('leads to the line of a file in a stack, however the stack writes it', () => {
    expect(stackLine('Error: x\n    at file:///a/b%20c/t.test.ts:12:3', '/a/b c/t.test.ts')).toBe(12);
    expect(stackLine('Error\n    at C:\\a\\t.test.ts:7:1', 'C:\\a\\t.test.ts')).toBe(7);
    expect(stackLine('Error\n    at /other.ts:7:1', '/a/t.test.ts')).toBeUndefined();
    expect(stackLine(undefined, '/a')).toBeUndefined();
  });

  it('is about the files that the person wrote, by the names that they know', () => {
    const files = ['.parley/tools/a.ts', 'lib/b.ts', '..c/d.ts', '.parley/tests/a.test.ts', '../e.ts'];
    const others = ['.parley/.generated/zod/index.js', '.parley/tools/a.view.tsx', 'x/node_modules/y/z.js'];
    const covered = [...files, ...others].map((file) => ({
      type: 'coverage' as const,
      file: resolve('/real/.config/ws', file),
      lines: [],
    }));
    expect(ownFiles(covered, '/ws', '/real/.config/ws').map(({ file }) => file)).toEqual(
      files.slice(0, 3).map((file) => resolve('/ws', file)),
    );
  });

  it('adds up what several runs covered', () => {
    const one = { type: 'coverage' as const, file: '/a', lines: [[1, 1]] as [number, number][] };
    const two = {
      ...one,
      lines: [
        [1, 2],
        [2, 0],
      ] as [number, number][],
    };
    expect([...(mergeCoverage([one, two]).get('/a') ?? [])]).toEqual([
      [1, 3],
      [2, 0],
    ]);
  });
});

describe('a run in a process of its own', () => {
  let dir = '';
  beforeAll(async () => {
    await mkdir(join(root, 'test-results'), { recursive: true });
    dir = await mkdtemp(join(root, 'test-results', 'tests of tools-'));
    await writeFile(join(dir, 't.test.ts'), TEXT);
    await writeFile(join(dir, 'twice.ts'), 'export const twice = (n: number): number => n * 2;\n');
    await writeFile(join(dir, 'board.view.tsx'), 'export function Board() { return <b/>; }\n');
    await writeFile(join(dir, 'note.md'), '# Hi');
    await writeFile(join(dir, 'broken.test.ts'), "import 'node:test';\nimport './gone.ts';\n");
    await writeFile(
      join(dir, 'endless.test.ts'),
      "import 'node:test';\nconsole.log('looping');\nfor (;;);\n",
    );
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  const started = (file: string, more: { pattern?: string; coverage?: boolean } = {}) =>
    run(function* () {
      const report = yield* useReportFile();
      const about = {
        file: resolve(dir, file),
        folder: dir,
        pattern: more.pattern,
        coverage: more.coverage ?? false,
      };
      const args = nodeArguments(about, join(root, 'dist'), report.path);
      const problem = yield* runTestProcess(
        { program: process.execPath, args, env: {} },
        about.file,
        () => {},
      );
      return { problem, ...readReport(yield* report.read()) };
    });

  it('says of each test how it ended, views by name and texts as texts, with nothing installed', async () => {
    const { tests, problem } = await started('t.test.ts');
    expect(tests.filter(({ suite }) => !suite).map(({ name, how }) => `${how} ${name}`)).toEqual([
      'passed doubles (a+b)',
      "failed it's wrong",
      'passed has a view by its name',
      'skipped is not run',
      'passed is made in a loop 1',
      'passed is made in a loop 2',
    ]);
    const failed = tests.find(({ how }) => how === 'failed');
    expect(failed).toMatchObject({ expected: '5', actual: '4', line: 8 });
    expect(stackLine(failed?.stack, join(dir, 't.test.ts'))).toBe(8);
    expect(problem).toBe('');
  });

  it('runs one test alone, and says which lines of which files ran', async () => {
    const pattern = patternOf(['doubles (a+b)']);
    const { tests, files } = await started('t.test.ts', { pattern, coverage: true });
    expect(tests.filter(({ suite }) => !suite).map(({ name }) => name)).toEqual(['doubles (a+b)']);
    const twice = files.find(({ file }) => file.endsWith('twice.ts'));
    expect(twice?.lines[0]).toEqual([1, expect.any(Number)]);
  });

  it('says why a file could not be loaded', async () => {
    const { tests, problem } = await started('broken.test.ts');
    expect(tests.filter(({ how }) => how === 'passed')).toEqual([]);
    expect(problem + JSON.stringify(tests)).toContain('gone.ts');
  });

  it('ends the process of a test that loops when it is stopped', async () => {
    const looping = Promise.withResolvers<string>();
    const task = run(function* () {
      const report = yield* useReportFile();
      const about = { file: join(dir, 'endless.test.ts'), folder: dir, pattern: undefined, coverage: false };
      const args = nodeArguments(about, join(root, 'dist'), report.path);
      yield* runTestProcess({ program: process.execPath, args, env: {} }, about.file, looping.resolve);
    });
    expect(await looping.promise).toContain('looping');
    await task.halt();
  });

  it('finds what Parley lends in a folder that was written by hand', async () => {
    const home = join(tempFolder(), 'by hand', '.parley');
    const file = join(home, 'tests', 'hi.test.ts');
    await mkdir(join(home, 'tools'), { recursive: true });
    await mkdir(join(home, 'tests'));
    await writeFile(
      join(home, 'tools', 'hi.ts'),
      `import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';
export const hi = createMcpTool('hi').description('Says hi.').parameters(z.object({})).elicits({}).execute(function* () { return 'hi'; });
`,
    );
    await writeFile(
      file,
      `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMockMcpClient, runMcpTool } from 'parley-mcp/testing';
import { hi } from '../tools/hi.ts';
test('says hi', async () => assert.equal(await runMcpTool(hi, {}, createMockMcpClient({})), 'hi'));
`,
    );
    await run(function* () {
      yield* writeParleyFolderForTest(home, file);
      expect(yield* needsKit(home)).toBe(true);
      yield* writeKit(home, yield* readKit(join(root, 'dist')));
    });
    const { tests, problem, files, warnings } = await started(file, { coverage: true });
    expect(problem).toBe('');
    expect(tests).toMatchObject([{ name: 'says hi', how: 'passed' }]);
    expect(warnings).toEqual([]);
    expect(ownFiles(files, dirname(home)).map((one) => one.file)).toEqual([join(home, 'tools', 'hi.ts')]);

    // Where Node has no coverage, it says why.
    await appendFile(join(home, 'tools', 'hi.ts'), '//# sourceMappingURL=gone.js.map\n');
    expect((await started(file, { coverage: true })).warnings).toEqual([
      expect.stringContaining('Could not report code coverage'),
    ]);

    // A folder that has all of it is left as it is.
    await rm(join(home, 'tsconfig.json'));
    await run(() => writeParleyFolderForTest(home, file));
    expect(await run(() => needsKit(home))).toBe(false);
    await rm(dirname(home), { recursive: true });
  });

  it('has nothing of the editor in its environment, is read up to a bound, and is told of what went wrong', async () => {
    const printed: string[] = [];
    const names = ['VSCODE_PID', 'NODE_OPTIONS', 'NODE_COMPILE_CACHE', 'OF_THE_PERSON', 'GIVEN'];
    const code = `console.error(JSON.stringify(${JSON.stringify(names)}.filter((name) => process.env[name] !== undefined)));
      for (let n = 0; n < 40; n++) process.stdout.write('x'.repeat(50_000));`;
    for (const name of names.slice(0, -1)) vi.stubEnv(name, name === 'NODE_OPTIONS' ? '--no-warnings' : '1');
    try {
      const command = { program: process.execPath, args: ['-e', code], env: { GIVEN: '1' } };
      const errors = await run(() =>
        runTestProcess(command, join(dir, 't.test.ts'), (text) => printed.push(text)),
      );
      expect(errors).toBe('["OF_THE_PERSON","GIVEN"]\n');
      const { length } = printed.join('');
      expect(length).toBeGreaterThan(900_000);
      expect(length).toBeLessThanOrEqual(1_000_000);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('says so where there is no Node', async () => {
    const nowhere = { program: join(dir, 'no-such-node'), args: [], env: {} };
    await expect(run(() => runTestProcess(nowhere, join(dir, 't.test.ts'), () => {}))).rejects.toThrow(
      'ENOENT',
    );
  });
});
