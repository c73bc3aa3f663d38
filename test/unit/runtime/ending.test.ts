import { ensure, type Operation, resource, sleep, spawn, suspend } from 'effection';
import { describe, expect, it } from 'vitest';
import { isParleyError } from '#src/core/errors/errors.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import type { Session } from '#src/runtime/session/session.ts';
import {
  advance,
  type Ctx,
  clientOf,
  endOf,
  questions,
  rejects,
  row,
  tool,
  typesOf,
  waits,
  withManager,
} from './session-kit.ts';

describe('abort', () => {
  it(
    'sets the status first; it sticks, and cleanup runs',
    withManager(function* ({ manager }) {
      const log: string[] = [];
      let session: Session | undefined;
      const code = tool(function* (ctx) {
        try {
          yield* ctx.elicit('seat', { message: '?' });
          log.push('went on');
        } finally {
          log.push(`cleanup while ${session?.status()}`);
        }
      });
      session = yield* manager.create({ tool: code, params: {} });
      yield* session.abort('enough');
      yield* session.abort('again');
      expect(log).toEqual(['cleanup while aborted']);
      expect(session.status()).toBe('aborted');
      expect(session.ended()).toMatchObject({ type: 'aborted', reason: 'enough' });
      expect(typesOf(session)).toEqual([
        'elicit_request elicit-1#1',
        'ask_closed elicit-1 withdrawn',
        'aborted',
      ]);
    }),
  );

  it(
    'waits for cleanup that takes its time',
    withManager(function* ({ manager, clock }) {
      const log: string[] = [];
      const code = tool(function* () {
        yield* ensure(function* () {
          yield* clock.sleep(1_000);
          log.push('closed');
        });
        yield* suspend();
      });
      const session = yield* manager.create({ tool: code, params: {} });
      const abort = yield* spawn(() => session.abort());
      yield* advance(clock, 999);
      expect(log).toEqual([]);
      yield* advance(clock, 1);
      yield* abort;
      expect(log).toEqual(['closed']);
    }),
  );

  it(
    'reports a cleanup that takes more than three seconds as stuck, and waits no longer',
    withManager(function* ({ manager, clock, diagnostics }) {
      const stuck = tool(function* () {
        yield* ensure(() => suspend());
        yield* suspend();
      });
      const other = tool((ctx) => ctx.elicit('seat', { message: '?' }));
      const session = yield* manager.create({ tool: stuck, params: {}, callId: 'stuck' });
      const beside = yield* manager.create({ tool: other, params: {}, callId: 'beside' });
      const abort = yield* spawn(() => session.abort());
      yield* advance(clock, 2_999);
      expect(diagnostics).toEqual([]);
      beside.respondToElicit('elicit-1', row(1));
      expect(yield* endOf(beside)).toMatchObject({ type: 'result' });
      yield* advance(clock, 1);
      yield* abort;
      expect(diagnostics).toMatchObject([{ callId: 'stuck', message: expect.stringContaining('stuck') }]);
      expect(manager.listActive()).toEqual([]);
    }),
  );

  it(
    'reports a cleanup that fails, and stays aborted',
    withManager(function* ({ manager, diagnostics }) {
      const code = tool(function* () {
        try {
          yield* suspend();
        } finally {
          // biome-ignore lint/correctness/noUnsafeFinally: what a careless tool does
          throw new Error('cannot close');
        }
      });
      const session = yield* manager.create({ tool: code, params: {} });
      yield* session.abort();
      expect(session.status()).toBe('aborted');
      expect(diagnostics).toMatchObject([
        { message: 'cleanup failed', cause: expect.objectContaining({ message: 'cannot close' }) },
      ]);
    }),
  );

  it(
    'fails with what its code threw, also where its cleanup fails after that, which is reported',
    withManager(function* ({ manager, diagnostics }) {
      const code = tool(function* () {
        yield* ensure(() => {
          throw new Error('cannot close');
        });
        throw new Error('no seats');
      });
      const session = yield* manager.create({ tool: code, params: {} });
      expect(yield* endOf(session)).toMatchObject({ type: 'error', error: { message: 'no seats' } });
      expect(diagnostics).toMatchObject([
        { message: 'cleanup failed', cause: expect.objectContaining({ message: 'cannot close' }) },
      ]);
    }),
  );

  it(
    'opens nothing new during cleanup: elicit, sample and roots throw, log and notify do nothing',
    withManager(function* ({ manager }) {
      const codes: unknown[] = [];
      function* attempt(op: Operation<unknown>): Operation<void> {
        try {
          yield* op;
          codes.push('fine');
        } catch (error) {
          codes.push(isParleyError(error) ? error.code : error);
        }
      }
      const code = tool(function* (ctx) {
        try {
          yield* suspend();
        } finally {
          yield* attempt(ctx.elicit('seat', { message: '?' }));
          yield* attempt(ctx.elicit({ message: '?', schema: questions.seat }));
          yield* attempt(ctx.sample({ prompt: 'x' }));
          yield* attempt(ctx.roots());
          yield* attempt(ctx.log('info', 'too late'));
          yield* attempt(ctx.notify('too late'));
        }
      });
      const session = yield* manager.create({ tool: code, params: {} });
      yield* session.abort();
      expect(codes).toEqual(['CALL_ENDED', 'CALL_ENDED', 'CALL_ENDED', 'CALL_ENDED', 'fine', 'fine']);
      expect(typesOf(session)).toEqual(['aborted']);
    }),
  );

  it(
    'does nothing to the world any more during cleanup: a step throws, and its code does not run',
    withManager(function* ({ manager }) {
      const done: unknown[] = [];
      const code = tool(function* (ctx) {
        try {
          yield* suspend();
        } finally {
          try {
            yield* ctx.step('charge', () => done.push('charged'));
          } catch (error) {
            done.push(isParleyError(error) ? error.code : error);
          }
        }
      });
      const session = yield* manager.create({ tool: code, params: {} });
      yield* session.abort();
      expect(done).toEqual(['CALL_ENDED']);
    }),
  );

  it(
    'may come while the tool’s first lines run, from a listener',
    withManager(function* ({ manager }) {
      const log: string[] = [];
      manager.subscribe(({ type, session }) => {
        if (type !== 'started') return;
        session.subscribe((event) => {
          if (event.type === 'log') manager.abort({ callId: session.id })[Symbol.iterator]().next();
        });
      });
      const code = tool(function* (ctx) {
        try {
          yield* ctx.log('info', 'first');
          log.push('sync code runs on');
          yield* suspend();
        } finally {
          log.push('cleaned up');
        }
      });
      const session = yield* manager.create({ tool: code, params: {} });
      yield* session.abort();
      expect(session.ended()).toMatchObject({ type: 'aborted' });
      expect(log).toEqual(['sync code runs on', 'cleaned up']);
    }),
  );

  it(
    'runs cleanup also when the call never got a turn',
    withManager(function* ({ manager }) {
      const log: string[] = [];
      const code = tool(function* () {
        try {
          yield* suspend();
        } finally {
          log.push('cleaned up');
        }
      });
      const session = yield* manager.create({ tool: code, params: {} });
      // Still in the same turn: the call's task has not been stepped yet.
      yield* session.abort();
      expect(log).toEqual(['cleaned up']);
    }),
  );

  it(
    'aborts the signal that the tool handed to promises',
    withManager(function* ({ manager }) {
      let signal: AbortSignal | undefined;
      const code = tool(function* (ctx) {
        signal = ctx.signal;
        expect(ctx.signal).toBe(signal);
        yield* suspend();
      });
      const session = yield* manager.create({ tool: code, params: {} });
      expect(signal?.aborted).toBe(false);
      yield* session.abort();
      expect(signal?.aborted).toBe(true);
    }),
  );
});

describe('the end', () => {
  it(
    'is the next event for ever after',
    withManager(function* ({ manager }) {
      const session = yield* manager.create({ tool: tool(noop), params: {} });
      const end = yield* session.nextEvent(0);
      expect(end.type).toBe('result');
      expect(yield* session.nextEvent(end.at)).toBe(end);
      expect(yield* session.nextEvent(end.at + 100)).toBe(end);
    }),
  );

  it(
    'comes after the tool’s own children are down',
    withManager(function* ({ manager }) {
      const log: string[] = [];
      const opened = resource<void>(function* (provide) {
        try {
          yield* provide();
        } finally {
          log.push('closed');
        }
      });
      const code = tool(function* () {
        yield* opened;
        yield* spawn(function* () {
          try {
            yield* suspend();
          } finally {
            log.push('halted');
          }
        });
        yield* sleep(0);
        return 'done';
      });
      const session = yield* manager.create({ tool: code, params: {} });
      session.subscribe((event) => log.push(event.type));
      yield* endOf(session);
      expect(log).toEqual(['halted', 'closed', 'result']);
    }),
  );

  it(
    'is an error as JSON for a tool that throws, with its cause, and for a child that fails',
    withManager(function* ({ manager, diagnostics }) {
      const throws = tool(function* () {
        throw new TypeError('outer', { cause: new Error('inner') });
      });
      const failing = tool(function* () {
        yield* spawn(function* () {
          yield* sleep(0);
          throw new Error('a child failed');
        });
        yield* suspend();
      });
      const odd = tool(function* () {
        throw 'a string';
      });
      const ends = [];
      for (const one of [throws, failing, odd]) {
        ends.push(yield* endOf(yield* manager.create({ tool: one, params: {} })));
      }
      expect(ends).toMatchObject([
        {
          type: 'error',
          error: { name: 'TypeError', message: 'outer', cause: { name: 'Error', message: 'inner' } },
        },
        { type: 'error', error: { message: 'a child failed' } },
        { type: 'error', error: { message: 'a string' } },
      ]);
      expect(JSON.parse(JSON.stringify(ends))).toEqual(ends);
      expect(diagnostics).toEqual([]);
    }),
  );

  it(
    'is a result that fits the output schema and is JSON, or an error that says what does not',
    withManager(function* ({ manager }) {
      const cases: [unknown, object][] = [
        [new Date(0), { type: 'result', value: '1970-01-01T00:00:00.000Z' }],
        [undefined, { type: 'result', value: undefined }],
        [
          { a: undefined, b: [undefined] },
          { type: 'result', value: { b: [null] } },
        ],
        [
          { run: () => {}, list: [() => {}] },
          { type: 'result', value: { list: [null] } },
        ],
        [{ list: [{ big: 1n }] }, { error: { code: 'RESULT_NOT_JSON', message: /list\[0\]\.big/ } }],
        [1n, { error: { code: 'RESULT_NOT_JSON', message: /not JSON: .*bigint/ } }],
        [Number.NaN, { error: { code: 'RESULT_NOT_JSON', message: /NaN/ } }],
      ];
      for (const [value, expected] of cases) {
        const code = tool(function* () {
          return value;
        });
        const session = yield* manager.create({ tool: code, params: {} });
        const { error } = expected as { error?: { code: string; message: RegExp } };
        if (error) {
          expect(session.ended()).toMatchObject({
            error: { code: error.code, message: expect.stringMatching(error.message) },
          });
        } else expect(session.ended()).toMatchObject(expected);
      }
    }),
  );
});

describe('time that runs out', () => {
  it(
    'fails the call with its limit, and its cleanup runs',
    withManager(function* ({ manager, clock }) {
      const log: string[] = [];
      const code = tool(
        function* () {
          try {
            yield* suspend();
          } finally {
            log.push('cleaned up');
          }
        },
        { limits: { timeout: 5_000 } },
      );
      const session = yield* manager.create({ tool: code, params: {} });
      yield* advance(clock, 4_999);
      expect(session.status()).toBe('running');
      yield* advance(clock, 1);
      expect(session.status()).toBe('failed');
      expect(session.ended()).toMatchObject({
        type: 'error',
        error: { code: 'TIMEOUT', details: { timeout: 5_000 } },
      });
      expect(log).toEqual(['cleaned up']);
      yield* session.abort();
      expect(session.status()).toBe('failed');
    }),
  );

  it(
    'is the tightest of tool, call and manager',
    withManager(
      function* ({ manager, clock }) {
        const code = tool(() => suspend(), { limits: { timeout: 50 } });
        const limits = { timeout: 70 };
        const first = yield* manager.create({ tool: code, params: {}, limits });
        yield* advance(clock, 20);
        expect(first.status()).toBe('failed');
      },
      { limits: { call: { timeout: 20 } } },
    ),
  );

  it(
    'ends waiting calls that nobody comes back to, and only those',
    withManager(
      function* ({ manager, clock }) {
        const code = tool((ctx: Ctx) => ctx.elicit('seat', { message: '?' }));
        const shown = yield* manager.create({ tool: code, params: {} });
        const lost = yield* manager.create({ tool: code, params: {} });
        const visited = yield* manager.create({ tool: code, params: {} });
        yield* spawn(() => drive(shown, clientOf({ elicit: waits }), 'end'));
        yield* advance(clock, 600);
        visited.attachNow(clientOf()).detach();
        yield* advance(clock, 400);
        expect([shown, lost, visited].map((one) => one.status())).toEqual([
          'awaiting_elicit',
          'aborted',
          'awaiting_elicit',
        ]);
        yield* advance(clock, 600);
        expect(visited.ended()).toMatchObject({
          type: 'aborted',
          reason: expect.stringContaining('no answer'),
        });
        yield* advance(clock, 10_000);
        expect(shown.status()).toBe('awaiting_elicit');
      },
      { limits: { waitingTtl: 1_000 } },
    ),
  );
});

describe('answers to a call that has ended', () => {
  it(
    'are refused with typed errors',
    withManager(function* ({ manager }) {
      const code = tool((ctx: Ctx) => ctx.elicit('seat', { message: '?' }));
      const session = yield* manager.create({ tool: code, params: {} });
      yield* session.abort();
      const respond = (id: string) =>
        function* (): Operation<void> {
          session.respondToElicit(id, row(1));
        };
      yield* rejects(respond('elicit-1'), 'ASK_CLOSED');
      yield* rejects(respond('elicit-2'), 'ASK_NOT_FOUND');
    }),
  );
});

function* noop(): Operation<void> {}
