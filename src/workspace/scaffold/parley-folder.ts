import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Operation, until } from 'effection';
import { GENERATED_FOLDER } from './author-kit.ts';
import { kindOf, LinkedPathError, makePlainFolder } from './plain-paths.ts';

const generated = `./${GENERATED_FOLDER}`;

/** The committed `.parley/tsconfig.json`: everything that Parley lends is found in the generated folder. */
export const TSCONFIG = {
  compilerOptions: {
    target: 'ES2023',
    lib: ['ES2024', 'DOM', 'DOM.Iterable', 'ESNext.Disposable'],
    module: 'ESNext',
    moduleResolution: 'Bundler',
    jsx: 'react-jsx',
    strict: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
    typeRoots: [`${generated}/@types`],
    types: ['node'],
    paths: {
      'parley-mcp': [`${generated}/parley-mcp`],
      'parley-mcp/*': [`${generated}/parley-mcp/*`],
      effection: [`${generated}/effection`],
      zod: [`${generated}/zod`],
      'zod/*': [`${generated}/zod/*`],
      react: [`${generated}/@types/react`],
      'react/*': [`${generated}/@types/react/*`],
      csstype: [`${generated}/csstype`],
    },
  },
  include: [`${generated}/parley-mcp/assets.d.ts`, 'tools', 'tests'],
} as const;

const PACKAGE = {
  private: true,
  type: 'module',
  // It runs TypeScript as it is; views are what the kit makes of them.
  engines: { node: '>=22.18' },
  scripts: { test: 'node --import parley-mcp/testing --test "tests/**/*.test.ts"' },
} as const;

/**
 * Makes a folder's `.parley` a home for tools: the files that are committed, each only where there is none yet. Without
 * a `package.json` Node would ask what kind of modules the tests are; beside CommonJS tools there must not be one.
 */
export function* writeParleyFolder(parleyDir: string): Operation<void> {
  yield* makePlainFolder(dirname(parleyDir), parleyDir);
  yield* writeNew(join(parleyDir, 'tsconfig.json'), json(TSCONFIG));
  yield* ignore(join(parleyDir, '.gitignore'), [`${GENERATED_FOLDER}/`, 'node_modules/']);
  const tools = yield* until(
    readdir(join(parleyDir, 'tools'), { recursive: true }).catch((): string[] => []),
  );
  if (!tools.some((path) => path.endsWith('.js'))) {
    yield* writeNew(join(parleyDir, 'package.json'), json(PACKAGE));
  }
}

/**
 * Makes the `.parley` of a folder that was written by hand a home, too, when a test of it is run and what Parley lends is not to be
 * found from there.
 */
export function* writeParleyFolderForTest(parleyDir: string, testFile: string): Operation<void> {
  if (!findsLibrary(testFile)) yield* writeParleyFolder(parleyDir);
}

/** Whether what Parley lends to tests is found from this file. */
export function findsLibrary(testFile: string): boolean {
  try {
    createRequire(testFile).resolve('parley-mcp/testing');
    return true;
  } catch {
    return false;
  }
}

/** Whether a folder's `.parley` relies on the generated folder. */
export function* needsKit(parleyDir: string): Operation<boolean> {
  const config = yield* until(readFile(join(parleyDir, 'tsconfig.json'), 'utf8').catch(() => ''));
  return config.includes(GENERATED_FOLDER);
}

/** Writes a file that is not there yet. `false` when it is, or when a link is there, wherever that points to. */
export function* writeNew(path: string, text: string): Operation<boolean> {
  try {
    yield* until(writeFile(path, text, { flag: 'wx' }));
    return true;
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    // What was half written, on a disk that is full, would be in the way the next time.
    if (syscall === 'write') yield* until(rm(path, { force: true }));
    throw error;
  }
}

function* ignore(path: string, lines: readonly string[]): Operation<void> {
  if ((yield* kindOf(path)) === 'other') throw new LinkedPathError(path);
  const before = yield* until(readFile(path, 'utf8').catch(() => ''));
  const known = new Set(before.split(/\r?\n/).map((line) => line.trim()));
  const missing = lines.filter((line) => !known.has(line));
  if (missing.length === 0) return;
  const start = before === '' || before.endsWith('\n') ? '' : '\n';
  yield* until(appendFile(path, `${start}${missing.join('\n')}\n`));
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
