import { type ChildProcessWithoutNullStreams, execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import spawn from 'cross-spawn';
import { ensure, type Operation, race, resource, sleep, until, withResolvers } from 'effection';
import type { StdioEntry } from '../config/server-entry.ts';
import { serverEnvironment } from './server-environment.ts';
import { watchGroup } from './watchdog.ts';

/** How long a server has to end by itself once its input has ended, and again once it was told to. Milliseconds. */
const PATIENCE = 2_000;

/** How long is waited for how it ended, once its output has. Milliseconds. */
const MOMENT = 500;

/** Characters of what a server says on stderr that are kept, for when it fails. */
const KEPT = 4_000;

/** In words, where it is one of these: the system names the command also where its folder is what is missing. */
function notFound({ command, cwd }: StdioEntry, error: NodeJS.ErrnoException): Error | undefined {
  if (error.code !== 'ENOENT') return undefined;
  const missing = cwd !== undefined && !existsSync(cwd) ? cwd : command;
  return new Error(`${missing} was not found`, { cause: error });
}

/** A server's process. */
export interface ServerProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** How it ended, and what it said last on stderr; empty for neither. */
  lastWords(): string;
  /** Waits for its end, though not for long: its output often ends a moment before it does. */
  lastWordsSaid(): Operation<void>;
}

/**
 * Starts a server, for as long as the caller lives. Its standard input is a pipe from this process alone: it ends when this process does,
 * however that ends, and a server ends with its input; one that does not is killed by the watchdog. When the caller ends, so does the
 * server, with all that it has started: its input first, then by signals. @throws when the command cannot be started
 */
export function useServerProcess(
  entry: StdioEntry,
  onLine: (line: string) => void,
): Operation<ServerProcess> {
  return resource(function* (provide) {
    // On Windows `npx` and its like are scripts, which the system starts by its shell alone; arguments are quoted for that.
    const child = spawn(entry.command, [...entry.args], {
      env: serverEnvironment(entry.env),
      ...(entry.cwd === undefined ? {} : { cwd: entry.cwd }),
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      // A group of its own, so that what it starts can be ended with it.
      detached: process.platform !== 'win32',
      // Its types do not say that there are the pipes which are asked for.
    }) as ChildProcessWithoutNullStreams;
    yield* ensure(watchGroup(child.pid));
    let words = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      words = `${words}${text}`.slice(-KEPT);
      for (const line of text.split('\n')) if (line.trim() !== '') onLine(line.slice(0, KEPT));
    });
    const gone = withResolvers<void>();
    child.once('exit', () => gone.resolve());
    const isGone = (milliseconds: number) =>
      race([constant(gone.operation, true), constant(sleep(milliseconds), false)]);
    // A pipe that breaks is the end of the connection, not of this process.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {});
    const begun = once(child, 'spawn');
    yield* ensure(function* () {
      if (child.pid === undefined) return;
      child.stdin.end();
      for (const name of ['SIGTERM', 'SIGKILL'] as const) {
        if (yield* isGone(PATIENCE)) return sweep(child.pid);
        signal(child.pid, name);
      }
      yield* isGone(PATIENCE);
    });
    try {
      yield* until(begun);
    } catch (error) {
      throw notFound(entry, error as NodeJS.ErrnoException) ?? error;
    }
    child.on('error', () => {});
    yield* provide({
      child,
      lastWords() {
        const { exitCode, signalCode } = child;
        const end = exitCode ?? signalCode;
        const said = words.trim();
        return [
          ...(end === null ? [] : [`it ended with ${end}`]),
          ...(said === '' ? [] : [`it said: ${said}`]),
        ].join('; ');
      },
      *lastWordsSaid() {
        yield* isGone(MOMENT);
      },
    });
  });
}

function* constant<T>(operation: Operation<unknown>, value: T): Operation<T> {
  yield* operation;
  return value;
}

/** What a server started and left behind goes, too. */
function sweep(pid: number | undefined): void {
  if (process.platform !== 'win32') signal(pid, 'SIGKILL');
}

function signal(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    endTree(pid);
    return;
  }
  try {
    process.kill(-pid, name);
  } catch {
    // It is gone.
  }
}

/** Windows has neither signals nor groups: of a server that a shell has started, the shell alone would end. */
function endTree(pid: number): void {
  const { SYSTEMROOT: root = 'C:\\Windows' } = process.env;
  const args = ['/pid', String(pid), '/t', '/f'];
  // One that is gone is not found: there is nothing to do.
  execFile(join(root, 'System32', 'taskkill.exe'), args, { windowsHide: true }, () => {});
}
