import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run, spawn, until } from 'effection';
import { expect, test, vi } from 'vitest';
import { tempFolder } from '#test/temp-folder.ts';
import { type ServerEntry, useMcpConnection, useServers } from '../../../../src/mcp/client/index.ts';

/** Ends when the input of all three has ended, and not before. It never answers. */
const companion = `
  const { appendFileSync, readFileSync } = require('node:fs');
  const [, file] = process.argv;
  const say = (line) => appendFileSync(file, line + '\\n');
  process.on('SIGTERM', () => {});
  process.stdin.resume().on('end', () => {
    say('input ended');
    setInterval(() => {
      if (readFileSync(file, 'utf8').split('input ended').length <= 3) return;
      say('left by itself');
      process.exit();
    }, 20);
  });
  say('started');
`;

test('several servers are ended at once: none waits until the one before it is gone', async () => {
  const folder = tempFolder();
  const file = join(folder, 'said.txt');
  const said = async (line: string) =>
    (await readFile(file, 'utf8').catch(() => '')).split('\n').filter((one) => one === line).length;
  const entries = ['a', 'b', 'c'].map(
    (name): ServerEntry => ({
      kind: 'stdio',
      name,
      command: process.execPath,
      args: ['-e', companion, file],
      env: {},
    }),
  );

  await run(function* () {
    yield* useServers(entries);
    yield* until(vi.waitFor(async () => expect(await said('started')).toBe(3), { timeout: 20_000 }));
  });

  expect(await said('left by itself')).toBe(3);
});

test('who waits for a server that is ended hears of it, and so does who asks for it later', async () => {
  const silent = 'process.stdin.resume()';
  await run(function* () {
    const connection = yield* useMcpConnection({
      kind: 'stdio',
      name: 'silent',
      command: process.execPath,
      args: ['-e', silent],
      env: {},
    });
    const heard = function* () {
      try {
        return yield* connection.client();
      } catch (error) {
        return error;
      }
    };
    const waiting = yield* spawn(heard);
    yield* connection.end();
    const gone = { code: 'SERVER_UNAVAILABLE', message: expect.stringContaining('it was ended') };
    expect(yield* waiting).toMatchObject(gone);
    expect(yield* heard()).toMatchObject(gone);
  });
});
