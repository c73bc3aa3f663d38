import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Operation, sleep, spawn, until } from 'effection';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createMockMcpClient } from '#src/testing/index.ts';
import { type Connected, nodeServer, textOf, withServer } from './kit/foreign.ts';
import { cli } from './kit/parley-serve.ts';

const program = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);
const everything = nodeServer('everything', program);
const ours = nodeServer(
  'ours',
  cli,
  'serve',
  '--stdio',
  join(import.meta.dirname, 'kit', 'required-tasks.ts'),
);

const inOurs = <T>(body: (connected: Connected) => Operation<T>) => withServer(ours, body, '2025');

const answering = (content: Readonly<Record<string, string>>) =>
  createMockMcpClient({ elicitResponses: [{ action: 'accept', content }] });

/** Waits until a file says this. */
function* says(file: string, text: string): Operation<void> {
  while ((yield* until(readFile(file, 'utf8').catch(() => ''))) !== text) yield* sleep(20);
}

describe('a tool that its server runs as a task and not otherwise', () => {
  it('of server-everything: runs, says how far it is, asks, and gives its result', () =>
    withServer(everything, function* ({ call }) {
      const client = answering({ interpretation: 'snake' });
      const given = yield* call('simulate-research-query', { topic: 'python', ambiguous: true }, client);
      expect(textOf(given)).toContain('Research Report: python (snake)');
      expect(given).not.toHaveProperty('_meta');
      expect(client.transcript.filter(({ type }) => type === 'elicit')).toHaveLength(1);
      expect(client.transcript).toContainEqual(
        expect.objectContaining({ type: 'log', message: 'Gathering sources...' }),
      );
    }));

  it('of Parley: asks, and fails with what its server says', () =>
    inOurs(function* ({ call }) {
      expect(textOf(yield* call('greet', {}, answering({ name: 'Ada' })))).toBe('hello Ada');
      const failed: unknown = yield* outcome(call('greet', { fails: true }));
      expect(failed).toMatchObject({ code: 'FOREIGN_TOOL', message: expect.stringContaining('no greeting') });
    }));

  it('is cancelled with the call of it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-client-tasks-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const log = join(folder, 'log');
    await inOurs(function* ({ call }) {
      const running = yield* spawn(() => outcome(call('endless', { log })));
      yield* says(log, 'begun\n');
      yield* running.halt();
      yield* says(log, 'begun\nhalted\n');
    });
  });
});

function* outcome(op: Operation<unknown>): Operation<unknown> {
  try {
    return yield* op;
  } catch (error) {
    return error;
  }
}
