import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type Operation, sleep, spawn, suspend, until, withResolvers } from 'effection';
import { createMcpTool } from 'parley-mcp';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { createSqliteStore } from '#src/stores/index.ts';
import { createMockMcpClient } from '#src/testing/index.ts';
import { tempFolder } from '#test/temp-folder.ts';
import { type Connected, nodeServer, textOf, withServer } from './kit/foreign.ts';
import { startServer } from './kit/in-process.ts';
import { outcome } from './kit/outcome.ts';
import { cli } from './kit/parley-serve.ts';
import { ship } from './kit/task-tools.ts';

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

/** Each of its tools makes a task of the call, in a way of its own. */
const odd = nodeServer('odd', join(import.meta.dirname, 'kit', 'task-server.ts'));

const answering = (content: Readonly<Record<string, string>>) =>
  createMockMcpClient({ elicitResponses: [{ action: 'accept', content }] });

/** A client that is asked, and never answers. */
function patient() {
  const asked: unknown[] = [];
  const client = Object.assign(createMockMcpClient(), {
    *elicit({ request }: { readonly request: { readonly message: string } }) {
      asked.push(request.message);
      return yield* suspend();
    },
  });
  return { client, asked };
}

/** Waits until a file says this. */
function* says(file: string, text: string): Operation<void> {
  while ((yield* until(readFile(file, 'utf8').catch(() => ''))) !== text) yield* sleep(20);
}

describe('a tool that its server runs as a task and not otherwise', () => {
  it('of server-everything: runs, says how far it is, asks, and gives its result', { tags: 'long' }, () =>
    withServer(everything, function* ({ call }) {
      const client = answering({ interpretation: 'snake' });
      const given = yield* call('simulate-research-query', { topic: 'python', ambiguous: true }, client);
      expect(textOf(given)).toContain('Research Report: python (snake)');
      expect(given).not.toHaveProperty('_meta');
      expect(client.transcript.filter(({ type }) => type === 'elicit')).toHaveLength(1);
      expect(client.transcript).toContainEqual(
        expect.objectContaining({ type: 'log', message: 'Gathering sources...' }),
      );
    }),
  );
});

describe.each(['2025', '2026'] as const)(
  'a tool of Parley that runs as a task only, in the era %s',
  (era) => {
    const inOurs = <T>(body: (connected: Connected) => Operation<T>) => withServer(ours, body, era);

    it('asks, and fails with what its server says', () =>
      inOurs(function* ({ call, connection }) {
        expect(connection.state()).toEqual({ kind: 'ready', era });
        const client = answering({ name: 'Ada' });
        const given = yield* call('greet', {}, client);
        expect(textOf(given)).toBe('hello Ada');
        expect(given).not.toHaveProperty('_meta');
        expect(client.transcript.filter(({ type }) => type === 'elicit')).toHaveLength(1);
        const failed: unknown = yield* outcome(call('greet', { fails: true }));
        expect(failed).toMatchObject({
          code: 'FOREIGN_TOOL',
          message: expect.stringContaining('no greeting'),
        });
      }));

    it('is cancelled with the call of it', async () => {
      const folder = tempFolder();
      const log = join(folder, 'log');
      await inOurs(function* ({ call }) {
        const running = yield* spawn(() => outcome(call('endless', { log })));
        yield* says(log, 'begun\n');
        yield* running.halt();
        yield* says(log, 'begun\nhalted\n');
      });
    });
  },
);

describe('a task of 2026-07-28 whose calls are kept in SQLite', () => {
  it('goes on when its server is started again, and is answered there', async () => {
    const folder = tempFolder();
    const log = join(folder, 'log');
    const keys = [new Uint8Array(32).fill(7)];
    const begin = (port?: number) =>
      startServer(
        {
          tools: [ship],
          state: createSqliteStore({ folder: join(folder, 'calls'), keys }),
          tasks: { pollInterval: 50 },
        },
        undefined,
        port,
      );
    let server = await begin();
    onTestFinished(() => server.close());
    const { href: url, port } = server.url;
    /** The server ends, nobody is there for a look, and it is started again. */
    const startAgain = async () => {
      await server.close();
      await turnAwayOne(Number(port));
      server = await begin(Number(port));
    };
    await withServer({ kind: 'http', name: 'kept', url, headers: {} }, function* ({ call }) {
      const client = createMockMcpClient();
      const restarting = Object.assign(client, {
        *elicit() {
          yield* until(startAgain());
          return { action: 'accept' as const, content: { row: 7 } };
        },
      });
      expect(textOf(yield* call('ship', { log }, restarting))).toBe('shipped to 7');
    });
    const done = (await readFile(log, 'utf8')).trim().split('\n');
    expect(done.map((line) => line.split(' ')[0])).toEqual(['pack', 'ship']);
  });
});

/** This machine, by an address that does not say so: it is reached with `fetch`, as the network is. */
const ELSEWHERE = '0.0.0.0';

describe('a task of 2026-07-28 of a server that is hardly to be asked', () => {
  it('is listened to: what came of it is here when its server says so', async () => {
    const { operation: listened, resolve } = withResolvers<void>();
    const patientTool = createMcpTool('patient')
      .description('Waits until somebody listens')
      .parameters(z.object({}))
      .task({ required: true })
      .elicits({})
      .execute(function* () {
        yield* listened;
        return 'somebody listens';
      });
    const server = await startServer(
      { tools: [patientTool], tasks: { pollInterval: 3_600_000 } },
      { hosts: [ELSEWHERE] },
    );
    onTestFinished(() => server.close());
    const looks: string[] = [];
    const listening: (AbortSignal | null | undefined)[] = [];
    const real = globalThis.fetch;
    vi.stubGlobal('fetch', async (input: string | URL | Request, init?: RequestInit) => {
      const response = await real(input, init);
      const body = typeof init?.body === 'string' ? init.body : '';
      if (body.includes('"tasks/get"')) looks.push(body);
      if (!body.includes('"taskIds"')) return response;
      listening.push(init?.signal);
      resolve();
      return response;
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    await withServer(
      { kind: 'http', name: 'ours', url: server.url.href.replace('127.0.0.1', ELSEWHERE), headers: {} },
      function* ({ call }) {
        expect(textOf(yield* call('patient'))).toBe('somebody listens');
      },
      '2026',
    );
    expect(looks.length).toBeGreaterThan(0);
    // Who listened has hung up.
    expect(listening.map((signal) => signal?.aborted)).toEqual([true]);
  });
});

/** Listens in a server's place until somebody has come, and lets nobody in. */
async function turnAwayOne(port: number): Promise<void> {
  const nobody = createServer((socket) => socket.destroy());
  nobody.listen(port, '127.0.0.1');
  await once(nobody, 'connection');
  await new Promise((closed) => nobody.close(closed));
}

describe('a server of 2026-07-28 that makes a task of every call', () => {
  const inOdd = <T>(body: (connected: Connected) => Operation<T>) => withServer(odd, body, '2026');

  it('that ends meanwhile ends the call, and serves the next one', () =>
    inOdd(function* ({ call }) {
      expect(yield* outcome(call('crash'))).toMatchObject({ code: 'SERVER_UNAVAILABLE' });
      expect(textOf(yield* call('told'))).toBe('');
    }));

  it('may forget it, cancel it, fail it, or say what cannot be understood: the call ends with a word of it', () =>
    inOdd(function* ({ call }) {
      const said = {
        forgotten: 'no such task',
        cancelled: 'changed its mind',
        failed: 'it broke',
        nothing: 'ended without a result',
        unreadable: 'cannot be followed',
      };
      expect(textOf(yield* call('wrong'))).toBe('many');
      for (const [name, message] of Object.entries(said)) {
        expect(yield* outcome(call(name)), name).toMatchObject({ message: expect.stringContaining(message) });
      }
    }));

  it('is told that nobody waits when it asks what nobody can answer, or too much', () =>
    inOdd(function* ({ call }) {
      expect(yield* outcome(call('strange'))).toMatchObject({
        message: expect.stringContaining('shell/run'),
      });
      expect(yield* outcome(call('crowd', {}, patient().client))).toMatchObject({
        message: expect.stringContaining('too many questions'),
      });
      expect(textOf(yield* call('told'))).toBe('cancel strange\ncancel crowd');
    }));

  it('only when the call has been given up is told that nobody waits', () =>
    inOdd(function* ({ call }) {
      const client = createMockMcpClient();
      const running = yield* spawn(() => outcome(call('late', {}, client)));
      while (!client.transcript.some(({ type }) => type === 'log')) yield* sleep(20);
      yield* running.halt();
      while (textOf(yield* call('told')) !== 'cancel late') yield* sleep(20);
    }));

  it('gets each answer once, under the key of its question', () =>
    inOdd(function* ({ call }) {
      const accepted = (answer: string) => ({ action: 'accept' as const, content: { answer } });
      const client = createMockMcpClient({ elicitResponses: [accepted('1'), accepted('2')] });
      const given = JSON.parse(textOf(yield* call('both', {}, client))) as unknown;
      expect(given).toEqual({ one: accepted('1'), two: accepted('2') });
      expect(client.transcript.filter(({ type }) => type === 'elicit')).toHaveLength(2);
    }));

  it('may take a question back', () =>
    inOdd(function* ({ call }) {
      const { client, asked } = patient();
      expect(textOf(yield* call('withdrawn', {}, client))).toBe('without it');
      expect(asked).toEqual(['Too late?']);
    }));

  it('and tells of it is asked when it has told something, and hardly in between', () =>
    inOdd(function* ({ call }) {
      // One look for each of two notices, and what there was before the first.
      expect(Number(textOf(yield* call('heard')))).toBeLessThanOrEqual(5);
    }));

  it('and stops telling of it is asked as if it never had', () =>
    inOdd(function* ({ call }) {
      expect(textOf(yield* call('mute'))).toBe('heard of nothing');
    }));

  it('that notifies without end is looked at in the pace of ours, and harms nobody', () =>
    inOdd(function* ({ call }) {
      const began = performance.now();
      expect(textOf(yield* call('flood'))).toBe('after 4 looks');
      expect(performance.now() - began).toBeGreaterThan(300);
    }));
});
