import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { isObject } from '../core/schema/is-object.ts';

const WRITERS = ['write', 'writev', 'writeFile', 'appendFile'].flatMap((name) => [name, `${name}Sync`]);
const RUNNERS = ['spawnSync', 'execSync', 'execFileSync'];

/**
 * In this thread, what would be written to descriptor 1 goes to stderr, also by processes that inherit it. Those do not get stdin, of which
 * they would read a part of a message.
 */
export function keepFromStdout(): void {
  redirect(fs, WRITERS, ([fd, ...rest]) => [fd === 1 ? 2 : fd, ...rest]);
  redirect(childProcess, RUNNERS, (given) => given.map(withoutStdout));
  redirect(childProcess.ChildProcess.prototype, ['spawn'], (given) => given.map(withoutStdout));
  syncBuiltinESMExports();
}

function redirect(of: object, names: readonly string[], change: (given: unknown[]) => unknown[]): void {
  for (const name of names) {
    const call = Reflect.get(of, name) as (...given: unknown[]) => unknown;
    const apply = (_: unknown, self: unknown, given: unknown[]) => Reflect.apply(call, self, change(given));
    Reflect.set(of, name, new Proxy(call, { apply }));
  }
}

function withoutStdout(options: unknown): unknown {
  if (!isObject(options)) return options;
  const { stdio } = options;
  if (stdio === 'inherit') return { ...options, stdio: ['ignore', 2, 'inherit'] };
  if (!Array.isArray(stdio)) return options;
  const isOurs = (one: unknown, at: number, fd: 0 | 1) =>
    one === fd || (one === 'inherit' && at === fd) || (isObject(one) && one.fd === fd);
  return {
    ...options,
    stdio: stdio.map((one, at) => (isOurs(one, at, 0) ? 'ignore' : isOurs(one, at, 1) ? 2 : one)),
  };
}
