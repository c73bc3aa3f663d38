import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { spawn as atTerminal } from '@lydell/node-pty';
import { beforeEach, describe, expect, it } from 'vitest';
import { inRings } from '#test/rings.ts';
import { tempFolder } from '#test/temp-folder.ts';
import { bookFlight, cli } from './kit/parley-serve.ts';

let folder: string;
beforeEach(() => {
  folder = tempFolder();
});

async function file(name: string, code: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, code);
  return path;
}

/** Starts a command line, whose output goes into a pipe or a file. */
function start(args: readonly string[], stdout: number | 'pipe' = 'pipe') {
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', stdout, 'pipe'] });
  const stderr = child.stderr ? text(child.stderr) : Promise.resolve('');
  return { child, stderr, ended: once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]> };
}

describe.each(inRings(['check'], ['manifest', 'pack']))('parley %s', (command) => {
  it('does not take a module that ends the process for a good one', async () => {
    const module = await file('leaves.ts', 'process.exit(0);');
    const { ended, stderr } = start([command, module]);
    expect([await ended, await stderr]).toEqual([[1, null], expect.stringContaining('process.exit')]);
  });

  it('says what ended it where a module throws beside its loading', async () => {
    const module = await file('late.ts', "process.nextTick(() => { throw new Error('much too late'); });");
    const { ended, stderr } = start([command, module]);
    expect(await ended).toEqual([1, null]);
    expect(await stderr).toContain('much too late');
    expect(await stderr).not.toContain('process.exit');
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('is ended by %s while a module loops for ever', async (signal) => {
    const module = await file('loops.ts', 'console.log("loops"); for (;;) {}');
    const { child, ended } = start([command, module]);
    await once(child.stdout ?? child, 'data');
    child.kill(signal);
    expect(await ended).toEqual([null, signal]);
  });
});

describe('output that cannot be written', () => {
  it.runIf(existsSync('/dev/full'))('is said, and is no success', async () => {
    const { ended, stderr } = start(['manifest', bookFlight], openSync('/dev/full', 'w'));
    expect([await ended, await stderr]).toEqual([[1, null], expect.stringContaining('ENOSPC')]);
  });

  it('but that nobody reads any more is none of our business', async () => {
    const { child, ended, stderr } = start(['manifest', bookFlight]);
    child.stdout?.destroy();
    expect([await ended, await stderr]).toEqual([[0, null], '']);
  });
});

it('a server whose client is a terminal says so, and what to try instead', async () => {
  const terminal = atTerminal(process.execPath, [cli, 'serve', bookFlight], { cols: 400 });
  const said = Promise.withResolvers<string>();
  let all = '';
  terminal.onData((data) => {
    all += data;
    if (all.includes('setup …')) said.resolve(all);
  });
  terminal.onExit(() => said.reject(new Error(all)));
  try {
    expect(await said.promise).toMatch(/waiting for an MCP client on stdin.*npx parley-mcp dev/);
  } finally {
    terminal.kill();
  }
});
