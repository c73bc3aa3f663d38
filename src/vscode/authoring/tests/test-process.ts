import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensure, type Operation, scoped, until, withResolvers } from 'effection';

/** One file of tests to be run. */
export interface TestFile {
  readonly file: string;
  /** The folder with `.parley` in it. */
  readonly folder: string;
  /** These tests alone, as `patternOf` says them. */
  readonly pattern: string | undefined;
  readonly coverage: boolean;
}

/** How a program is started that runs it. */
export interface TestCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** More of what a run prints is not read. */
const MOST_OUTPUT = 1_000_000;

/**
 * Node of the editor itself, so that nothing has to be installed. On a desktop that is Electron: where it cannot read TypeScript, Node from
 * the `PATH` does it.
 */
export function nodeHere(): Pick<TestCommand, 'program' | 'env'> {
  const isElectron = 'electron' in process.versions;
  if (isElectron && !process.features.typescript) return { program: 'node', env: {} };
  return { program: process.execPath, env: isElectron ? { ELECTRON_RUN_AS_NODE: '1' } : {} };
}

/**
 * The arguments of Node for a file; `dist` is where Parley's own code is, `report` where its results go. Whose coverage is shown is not
 * said here (`ownFiles` does): to Node's globs nothing is below a folder whose name begins with a dot, as `.parley` does.
 */
export function nodeArguments({ pattern, coverage }: TestFile, dist: string, report: string): string[] {
  const url = (name: string) => pathToFileURL(join(dist, name)).href;
  return [
    '--experimental-strip-types',
    '--disable-warning=ExperimentalWarning',
    '--enable-source-maps',
    '--import',
    url('test-hooks.js'),
    `--test-reporter=${url('test-reporter.js')}`,
    `--test-reporter-destination=${report}`,
    ...(pattern === undefined ? [] : [`--test-name-pattern=${pattern}`]),
    ...(coverage ? ['--experimental-test-coverage'] : []),
  ];
}

/** A place for results, as long as the caller lives. */
export function* useReportFile(): Operation<{ readonly path: string; read(): Operation<string> }> {
  const dir = yield* until(mkdtemp(join(tmpdir(), 'parley-tests-')));
  yield* ensure(function* () {
    yield* until(rm(dir, { recursive: true, force: true }));
  });
  const path = join(dir, 'report.jsonl');
  return { path, read: () => until(readFile(path, 'utf8').catch(() => '')) };
}

/** Runs it to its end, and gives what it wrote to stderr. Halting ends the process. @throws when there is no such program */
export function* runTestProcess(
  { program, args, env }: TestCommand,
  file: string,
  print: (text: string) => void,
): Operation<string> {
  return yield* scoped(function* () {
    const done = withResolvers<string>();
    const gone = withResolvers<void>();
    const child = spawn(program, [...args, file], {
      cwd: dirname(file),
      env: { ...withoutOurs(process.env), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let printed = 0;
    let errors = '';
    const take = (chunk: Buffer) => {
      printed += chunk.length;
      if (printed <= MOST_OUTPUT) print(chunk.toString());
    };
    child.stdout.on('data', take);
    child.stderr.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(0, 20_000);
      take(chunk);
    });
    child.on('error', (error) => {
      gone.resolve();
      done.reject(error);
    });
    child.on('exit', () => gone.resolve());
    child.on('close', () => done.resolve(errors));
    yield* ensure(function* () {
      child.kill('SIGKILL');
      yield* gone.operation;
      child.stdout.destroy();
      child.stderr.destroy();
    });
    return yield* done.operation;
  });
}

/** What the editor set for itself, flags that would count twice, and a cache of compiled code, whose coverage is less exact, are not for tests. */
function withoutOurs(env: NodeJS.ProcessEnv): Record<string, string | undefined> {
  const kept = Object.entries(env).filter(
    ([name]) => !/^(VSCODE_|ELECTRON_|NODE_OPTIONS$|NODE_COMPILE_CACHE$)/.test(name),
  );
  return Object.fromEntries(kept);
}
