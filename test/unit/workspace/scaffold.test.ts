import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Operation, run, until } from 'effection';
import { describe, expect, test } from 'vitest';
import {
  addExample,
  createNewTool,
  EXAMPLES,
  type ExampleName,
  hasKit,
  LinkedPathError,
  namesOf,
  needsKit,
  readKit,
  readKitVersion,
  TEMPLATES,
  ToolFileExistsError,
  templateFiles,
  writeKit,
} from '#src/workspace/scaffold/index.ts';
import { useFolder } from './folder-fixture.ts';
import { sharedEsbuild, useLoadedFolder } from './workspace-fixture.ts';

const root = join(import.meta.dirname, '../../..');
const dist = join(root, 'dist');
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

/** Runs a script of Node's and gives all it said, whether it failed or not. */
async function node(args: readonly string[], cwd: string): Promise<{ code: number; output: string }> {
  // What runs this test may be set to run tests in its children as well.
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd, env });
    return { code: 0, output: stdout + stderr };
  } catch (failed) {
    const { code, stdout, stderr } = failed as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
}

/** What an operation fails with. */
function* attempt(work: () => Operation<unknown>): Operation<unknown> {
  try {
    return yield* work();
  } catch (error) {
    return error;
  }
}

describe('an empty folder', () => {
  test('with a tool of each template compiles, and its tests pass, with nothing installed', async () => {
    await run(function* () {
      const { path } = yield* useFolder();
      const home = join(path, '.parley');
      for (const template of TEMPLATES) yield* createNewTool(path, `my_${template}`, template);
      yield* writeKit(home, yield* readKit(dist));
      const views = 'const A = () => <p />;\nexport { A as Shown, A };\nexport default A;\n';
      yield* until(writeFile(join(home, 'tools', 'listed.view.tsx'), views));
      const listed = `import { test } from 'node:test';
import whole, { A, Shown } from '../tools/listed.view.tsx';
test([whole, A, Shown].map(({ name }) => name).join(), () => {});\n`;
      yield* until(writeFile(join(home, 'tests', 'listed.test.ts'), listed));
      expect(yield* until(node([compiler, '-p', home, '--pretty', 'false'], path))).toEqual({
        code: 0,
        output: '',
      });

      const { scripts } = JSON.parse(yield* until(readFile(join(home, 'package.json'), 'utf8')));
      const [, ...script] = scripts.test.replaceAll('"', '').split(' ');
      const tests = yield* until(node(['--test-reporter=tap', ...script], home));
      expect(tests.output).toContain('ok 1 - default,A,Shown');
      expect(tests.output).toMatch(/^# pass 8$/m);
      expect(tests.code).toBe(0);
    });
  });

  test('with every example added compiles; an example that is there is not overwritten', async () => {
    await run(function* () {
      const { path } = yield* useFolder();
      const home = join(path, '.parley');
      const names = Object.keys(EXAMPLES) as ExampleName[];
      for (const name of names) {
        const { file } = yield* addExample(root, path, name);
        expect(yield* until(readFile(file, 'utf8'))).toContain(`createMcpTool('${name}')`);
      }
      yield* writeKit(home, yield* readKit(dist));
      expect(yield* until(node([compiler, '-p', home, '--pretty', 'false'], path))).toEqual({
        code: 0,
        output: '',
      });
      for (const name of names) {
        const again = yield* attempt(() => addExample(root, path, name));
        expect(again).toBeInstanceOf(ToolFileExistsError);
      }
    });
  });

  test('has declarations that know what is wrong', async () => {
    await run(function* () {
      const folder = yield* useFolder();
      const home = folder.file('.parley');
      yield* createNewTool(folder.path, 'greet', 'view');
      yield* writeKit(home, yield* readKit(dist));
      yield* until(
        writeFile(
          join(home, 'tools', 'wrong.tsx'),
          [
            `import { readFile } from 'node:fs/promises';`,
            `import { sleep } from 'effection';`,
            `import { createMcpTool } from 'parley-mcp';`,
            `import * as z from 'zod';`,
            `export const a: number = createMcpTool('x');`,
            `export const b: number = z.string();`,
            `export const c: number = sleep(1);`,
            `export const d: number = readFile('x');`,
            `export const e = <p id={1} />;`,
          ].join('\n'),
        ),
      );
      const { output } = yield* until(node([compiler, '-p', home, '--pretty', 'false'], folder.path));
      const lines = [...output.matchAll(/^\S*wrong\.tsx\((\d+),\d+\): error TS2322/gm)];
      expect(lines.map(([, line]) => line)).toEqual(['5', '6', '7', '8', '9']);
    });
  });
});

describe.each(TEMPLATES)('the template “%s”', (template) => {
  test('makes one tool that loads without a problem', async () => {
    await run(function* () {
      const { path } = yield* useFolder();
      const made = yield* createNewTool(path, 'my-tool_1', template);
      const text = yield* until(readFile(made.file, 'utf8'));
      expect(text.slice(made.select.from, made.select.to)).toMatch(/^[A-Z].*\.$/);

      const files: Record<string, string> = {};
      for (const entry of yield* until(readdir(path, { recursive: true, withFileTypes: true }))) {
        if (!entry.isFile()) continue;
        const file = join(entry.parentPath, entry.name);
        files[file.slice(path.length + 1)] = yield* until(readFile(file, 'utf8'));
      }
      const { registry } = yield* useLoadedFolder(sharedEsbuild(), files);
      expect(registry.problems()).toEqual([]);
      expect(registry.list().map(({ name, plugin }) => [name, plugin !== undefined])).toEqual([
        ['my-tool_1', template === 'view'],
      ]);
    });
  });
});

test.each(TEMPLATES)(
  'a call of a new tool (%s) is there again after a reload of the window',
  async (template) => {
    await run(function* () {
      const [file] = templateFiles(template, namesOf('greet'));
      const { registry } = yield* useLoadedFolder(sharedEsbuild(), {
        '.parley/tools/greet.ts': file?.text ?? '',
      });
      expect(registry.get('greet')?.tool.def.annotations).toEqual({ readOnlyHint: true });
    });
  },
);

describe('a folder that has files of its own', () => {
  test('keeps them: a tool of the same name is refused before anything is written', async () => {
    await run(function* () {
      const folder = yield* useFolder({ '.parley/tools/greet.view.tsx': 'mine' });
      const error = yield* failureOf(() => createNewTool(folder.path, 'greet', 'view'));
      expect(error).toBeInstanceOf(ToolFileExistsError);
      expect(yield* until(readdir(folder.file('.parley'), { recursive: true }))).toEqual([
        'tools',
        join('tools', 'greet.view.tsx'),
      ]);
    });
  });

  test('keeps its settings, and its ignored files are added to', async () => {
    await run(function* () {
      const folder = yield* useFolder({
        '.parley/tsconfig.json': '{}',
        '.parley/.gitignore': 'secrets',
        '.parley/tools/old.js': 'module.exports = {};',
      });
      yield* createNewTool(folder.path, 'greet', 'plain');
      const text = (path: string) => until(readFile(folder.file(path), 'utf8'));
      expect(yield* text('.parley/tsconfig.json')).toBe('{}');
      expect(yield* text('.parley/.gitignore')).toBe('secrets\n.generated/\nnode_modules/\n');
      expect(yield* until(readdir(folder.file('.parley')))).not.toContain('package.json');
      expect(yield* needsKit(folder.file('.parley'))).toBe(false);
    });
  });

  test('keeps a package that somebody has installed', async () => {
    await run(function* () {
      const folder = yield* useFolder({ '.parley/node_modules/zod/package.json': '{"name":"zod"}' });
      yield* writeKit(folder.file('.parley'), yield* readKit(dist));
      expect(yield* until(readdir(folder.file('.parley/node_modules/zod')))).toEqual(['package.json']);
    });
  });
});

describe.skipIf(process.platform === 'win32')('a folder with links that somebody has committed', () => {
  const outside = 'outside/precious.js';

  /** A folder whose `path` is a link to what lies outside of it. */
  function* linked(path: string, to: string) {
    const folder = yield* useFolder({ [outside]: 'precious', 'w/.parley/tools/a.ts': '' });
    yield* until(mkdir(dirname(folder.file(`w/${path}`)), { recursive: true }));
    yield* until(rm(folder.file(`w/${path}`), { recursive: true, force: true }));
    yield* until(symlink(folder.file(to), folder.file(`w/${path}`)));
    const untouched = function* () {
      expect(yield* until(readFile(folder.file(outside), 'utf8'))).toBe('precious');
      expect(yield* until(readdir(folder.file('outside')))).toEqual(['precious.js']);
    };
    return { home: folder.file('w/.parley'), path: folder.file('w'), untouched };
  }

  test.each([
    ['.parley', 'outside'],
    ['.parley/.generated', 'outside'],
    ['.parley/.generated/zod', 'outside'],
    ['.parley/node_modules', 'outside'],
    ['.parley/node_modules/zod', 'outside'],
    ['.parley/node_modules/zod/index.js', outside],
    ['.parley/node_modules/zod/package.json', outside],
    ['.parley/node_modules/zod/package.json', 'nowhere'],
  ])('gets its kit without a byte written through %s', async (path, to) => {
    await run(function* () {
      const folder = yield* linked(path, to);
      expect(yield* hasKit(folder.home, dist)).toBe(false);
      const kit = yield* readKit(dist);
      if (path === '.parley') {
        expect(yield* failureOf(() => writeKit(folder.home, kit))).toBeInstanceOf(LinkedPathError);
      } else {
        yield* writeKit(folder.home, kit);
        expect(yield* hasKit(folder.home, dist)).toBe(true);
      }
      yield* folder.untouched();
    });
  });

  test.each([
    ['.parley', 'outside'],
    ['.parley/tools', 'outside'],
    ['.parley/tests', 'outside'],
    ['.parley/.gitignore', outside],
  ])('gets no new tool through %s', async (path, to) => {
    await run(function* () {
      const folder = yield* linked(path, to);
      const made = yield* failureOf(() => createNewTool(folder.path, 'greet', 'plain'));
      expect(made).toBeInstanceOf(LinkedPathError);
      yield* folder.untouched();
    });
  });
});

/** What an operation fails with. */
function* failureOf(work: () => Operation<unknown>): Operation<unknown> {
  try {
    return yield* work();
  } catch (error) {
    return error;
  }
}

describe('the kit', () => {
  test('is replaced when its contents are others, whole', async () => {
    await run(function* () {
      const folder = yield* useFolder();
      const home = folder.file('.parley');
      const kit = yield* readKit(dist);
      expect(yield* readKitVersion(dist)).toBe(kit.version);
      expect(yield* hasKit(home, dist)).toBe(false);
      yield* writeKit(home, { version: 'older', files: { 'gone.d.ts': '' } });
      expect(yield* hasKit(home, dist)).toBe(false);
      yield* writeKit(home, kit);
      expect(yield* hasKit(home, dist)).toBe(true);
      expect(yield* until(readdir(folder.file('.parley')))).toEqual(['.generated', 'node_modules']);
      expect(yield* until(readdir(join(home, '.generated')))).not.toContain('gone.d.ts');
    });
  });

  test.each([
    ['says another thing', 'zod/index.d.ts', 'export {};'],
    ['runs other code in tests', 'zod/index.js', 'export {};'],
    ['has one more file', 'zod/more.js', 'export {};'],
  ])('is not believed to be the right one when it %s', async (_what, path, text) => {
    await run(function* () {
      const folder = yield* useFolder();
      const home = folder.file('.parley');
      yield* writeKit(home, yield* readKit(dist));
      yield* folder.write({ [`.parley/.generated/${path}`]: text });
      expect(yield* hasKit(home, dist)).toBe(false);
    });
  });

  test('names no folder of the machine that made it', async () => {
    const { files } = await run(() => readKit(dist));
    const places = [root, process.env.HOME ?? root].filter((place) => place.length > 1);
    const named = Object.entries(files).filter(([, text]) =>
      places.some((place) => text.includes(`${place}/`)),
    );
    expect(named.map(([path]) => path)).toEqual([]);
  });
});

test.each([
  ['book_flight', 'bookFlight', 'BookFlightView'],
  ['delete', 'deleteTool', 'DeleteView'],
  ['2nd-try', 'tool2ndTry', 'Tool2ndTryView'],
  ['_', 'tool', 'ToolView'],
  ['GET', 'get', 'GetView'],
])('%s is called %s in code', (name, variable, component) => {
  expect(namesOf(name)).toEqual({ name, variable, component });
});

test.skipIf(process.platform === 'win32')(
  'a file that there is no room for is not left half written',
  async () => {
    await run(function* () {
      const { path } = yield* useFolder();
      const script = `
      import { run } from ${JSON.stringify(import.meta.resolve('effection'))};
      import { writeNew } from ${JSON.stringify(join(root, 'src/workspace/scaffold/index.ts'))};
      await run(() => writeNew('whole.ts', ''));
      await run(() => writeNew('half.ts', 'x'.repeat(10_000))).catch(({ syscall }) => console.log(syscall));`;
      // The system takes 512 bytes of it, and no more.
      const limited = ['-c', 'ulimit -f 1; exec "$0" --input-type=module -e "$1"', process.execPath, script];
      const { stdout } = yield* until(promisify(execFile)('sh', limited, { cwd: path }));
      expect(stdout).toBe('write\n');
      expect(yield* until(readdir(path))).toEqual(['whole.ts']);
    });
  },
);
