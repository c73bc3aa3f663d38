import { ensure, race, spawn, suspend } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import { runMcpTool } from '#src/testing/index.ts';
import { advance, endOf, row, settle, withManager } from '../session-kit.ts';
import { type Ctx, durable, journalOf, prefix, resumed, shortly } from './journal-kit.ts';

describe('a step', () => {
  it(
    'runs once in the life of a call, and gives the same again after a replay',
    withManager(function* ({ manager }) {
      const ran: string[] = [];
      const stepping = () =>
        durable(function* (ctx: Ctx) {
          const tag = yield* ctx.step('tag', ({ id, attempt }) => {
            ran.push(`${id} ${attempt}`);
            return { version: ran.length, at: new Date(0), none: undefined };
          });
          yield* ctx.elicit('seat', { message: JSON.stringify(tag) });
          return tag;
        });
      const first = yield* manager.create({ tool: stepping(), params: {}, callId: 'c1' });
      yield* settle();
      const session = yield* resumed(stepping(), journalOf(first));
      expect(ran).toEqual(['c1/step-1 1']);
      const result = { version: 1, at: '1970-01-01T00:00:00.000Z' };
      expect(session.openAsks()).toMatchObject([{ request: { message: JSON.stringify(result) } }]);
      session.respond('elicit-1', row(1));
      expect(yield* endOf(session)).toMatchObject({ value: result });
    }),
  );

  it('says by its type that a date comes out as text, wherever it stands', async () => {
    const dated = createMcpTool('dated')
      .description('Says when.')
      .parameters(z.object({}))
      .elicits({})
      .execute(function* (_, ctx) {
        const now: string = yield* ctx.step('now', () => new Date(0));
        const later: { readonly at: string; readonly all: readonly string[] } = yield* ctx.step(
          'later',
          async () => ({ at: new Date(0), all: [new Date(0)] }),
          { undo: ({ at }) => at.length },
        );
        return [now, later.at, ...later.all];
      });
    expect(await runMcpTool(dated, {})).toEqual(Array(3).fill('1970-01-01T00:00:00.000Z'));
  });

  it.each([
    ['an undo in the place of its options', () => 1],
    ['null', null],
  ])('refuses %s', async (_, options) => {
    const wrong = durable((ctx: Ctx) => ctx.step('reserve', () => 1, options as never));
    await expect(runMcpTool(wrong, {})).rejects.toThrow(
      "the step 'reserve' takes { reads, undo } after its code.",
    );
  });

  it('says what was no time to sleep for', async () => {
    const wrong = durable((ctx: Ctx) => ctx.sleep('10' as never));
    await expect(runMcpTool(wrong, {})).rejects.toThrow('takes milliseconds, not "10"');
  });

  it(
    'takes plain functions, promises and operations, and throws what they throw, made of its data',
    withManager(function* ({ manager }) {
      class Own extends Error {
        override name = 'Own';
      }
      const stepping = () =>
        durable(function* (ctx: Ctx) {
          const plain = yield* ctx.step('plain', () => [1, 2]);
          const late = yield* ctx.step('promise', async () => 'late');
          const op = yield* ctx.step('operation', function* () {
            yield* settle();
            return 'op';
          });
          try {
            yield* ctx.step('fails', () => {
              throw new Own('no');
            });
          } catch (error) {
            yield* ctx.elicit('seat', { message: `${error}` });
            return [plain, late, op, error instanceof Own];
          }
          return undefined;
        });
      const first = yield* manager.create({ tool: stepping(), params: {} });
      for (let turn = 0; turn < 5; turn++) yield* settle();
      const session = yield* resumed(stepping(), journalOf(first));
      for (const one of [first, session]) {
        expect(one.openAsks()).toMatchObject([{ request: { message: 'Own: no' } }]);
        one.respond('elicit-1', row(1));
        expect(yield* endOf(one)).toMatchObject({ value: [[1, 2], 'late', 'op', false] });
      }
    }),
  );

  it(
    'that is cut short by a stop has no outcome, and none begins after it, even where a `finally` loses the stop',
    withManager(function* ({ manager }) {
      const did: string[] = [];
      const stepping = durable(function* (ctx: Ctx) {
        yield* ctx.step('long', function* () {
          try {
            yield* suspend();
          } finally {
            yield* settle();
            did.push('cleaned up');
          }
        });
        // Effection goes on here: `return` is lost in a `finally` that waits.
        yield* ctx.sleep(0);
        did.push('slept');
        yield* ctx.step('next', () => did.push('next'));
        return 'went on';
      });
      const session = yield* manager.create({ tool: stepping, params: {} });
      yield* settle();
      yield* session.abort('stopped');
      expect(did).toEqual(['cleaned up', 'slept']);
      expect(session.journal().lines.map(({ t }) => t)).toEqual(['step', 'end', 'withdraw']);
      expect(session.ended()).toMatchObject({ type: 'aborted' });
    }),
  );

  it(
    'that was running when its process died runs again, with the same id',
    withManager(function* ({ manager }) {
      const ran: string[] = [];
      const stepping = () =>
        durable(function* (ctx: Ctx) {
          return yield* ctx.step('tag', function* ({ id, attempt }) {
            ran.push(`${id} ${attempt}`);
            if (ran.length < 3) yield* suspend();
            return ran.length;
          });
        });
      const first = yield* manager.create({ tool: stepping(), params: {}, callId: 'c1' });
      yield* settle();
      const second = yield* resumed(stepping(), journalOf(first));
      yield* settle();
      const third = yield* resumed(stepping(), journalOf(second));
      expect(yield* endOf(third)).toMatchObject({ value: 3 });
      expect(ran).toEqual(['c1/step-1 1', 'c1/step-1 2', 'c1/step-1 3']);
      expect(journalOf(third).lines.map(shortly)).toEqual([
        'step step-1 tag',
        'step step-1 tag again (2)',
        'step step-1 tag again (3)',
        'stepped step-1',
        'end result',
      ]);
    }),
  );

  it.each<[string, (ctx: Ctx) => unknown, RegExp]>([
    [
      'another step',
      (ctx) => ctx.step('inner', () => 1),
      /'outer' begins the step 'inner', which is not possible in a step/,
    ],
    [
      'a question',
      (ctx) => ctx.elicit('seat', { message: '?' }),
      /'outer' asks 'seat', which is not possible in a step/,
    ],
    [
      'a sampling',
      (ctx) => ctx.sample({ prompt: '?' }),
      /'outer' asks a model, which is not possible in a step/,
    ],
    ['a sleep', (ctx) => ctx.sleep(1), /'outer' sleeps, which is not possible in a step/],
    ['what is not JSON', () => ({ a: [{ b: 1n }] }), /'outer' gave what is not JSON: a\[0\]\.b is a bigint/],
  ])('refuses %s', (_, code, message) =>
    withManager(function* ({ manager }) {
      const session = yield* manager.create({
        tool: durable(function* (ctx: Ctx) {
          yield* ctx.step('outer', () => code(ctx));
        }),
        params: {},
      });
      expect(yield* endOf(session)).toMatchObject({
        error: { code: 'STEP', message: expect.stringMatching(message) },
      });
    })(),
  );

  it.each<[string, () => object]>([
    ['a Map', () => new Map([['a', 1]])],
    ['a Set', () => new Set()],
    ['a URLSearchParams', () => new URLSearchParams('a=1')],
    ['a Uint8Array', () => new Uint8Array(1)],
  ])(
    'gives data, and no operation, where that can be gone through: %s is refused as what it is',
    async (what, make) => {
      const tool = durable((ctx: Ctx) => ctx.step('read', make));
      await expect(runMcpTool(tool, {})).rejects.toMatchObject({
        code: 'STEP',
        message: expect.stringContaining(`the value is ${what}, which is not JSON`),
      });
    },
  );

  it(
    'holds up nobody who asks beside it',
    withManager(function* ({ manager }) {
      const session = yield* manager.create({
        tool: durable(function* (ctx: Ctx) {
          yield* spawn(function* () {
            yield* settle();
            yield* ctx.sample({ prompt: 'beside' });
          });
          yield* ctx.step('long', function* () {
            for (let turn = 0; turn < 4; turn++) yield* settle();
          });
          yield* suspend();
        }),
        params: {},
      });
      for (let turn = 0; turn < 4; turn++) yield* settle();
      expect(session.openAsks()).toMatchObject([{ kind: 'sample' }]);
    }),
  );

  it(
    'that lost a race is let go of, and not run again',
    withManager(function* ({ manager }) {
      let ran = 0;
      let cleaned = 0;
      const racing = () =>
        durable(function* (ctx: Ctx) {
          yield* race([
            ctx.step('slow', function* () {
              ran += 1;
              yield* ensure(() => {
                cleaned += 1;
              });
              yield* suspend();
            }),
            ctx.step('quick', () => settle()),
          ]);
          yield* ctx.elicit('seat', { message: '?' });
        });
      const first = yield* manager.create({ tool: racing(), params: {} });
      for (let turn = 0; turn < 3; turn++) yield* settle();
      const session = yield* resumed(racing(), journalOf(first));
      expect(session.openAsks()).toHaveLength(1);
      expect([ran, cleaned]).toEqual([1, 1]);
    }),
  );
});

describe('a sleep', () => {
  it(
    'is due at a time of day: a call that was taken up waits for the rest, and no machine time passes',
    withManager(function* ({ manager, clock }) {
      const sleeping = () =>
        durable(function* (ctx: Ctx) {
          yield* ctx.sleep(60_000);
          yield* ctx.elicit('seat', { message: 'awake' });
        });
      const first = yield* manager.create({ tool: sleeping(), params: {} });
      yield* advance(clock, 50_000);
      const session = yield* resumed(sleeping(), journalOf(first));
      expect(session.openAsks()).toEqual([]);
      yield* advance(clock, 10_001);
      expect(session.openAsks()).toHaveLength(1);
      expect(session.elapsed()).toBe(0);
      const third = yield* resumed(sleeping(), journalOf(session));
      expect(third.openAsks()).toHaveLength(1);
    }),
  );
});

describe('the phases of a durable tool', () => {
  it(
    'have what before handed on, which ran once; what is not JSON is refused',
    withManager(function* ({ manager }) {
      let ran = 0;
      const phased = (handed: () => unknown) =>
        createMcpTool('phased')
          .description('d')
          .parameters(z.object({}))
          .durable()
          .elicits({ seat: z.object({ row: z.int() }) })
          .handoff({
            *before(_, ctx) {
              yield* ctx.roots();
              ran += 1;
              return handed();
            },
            *client(handoff, ctx) {
              yield* ctx.elicit('seat', { message: JSON.stringify(handoff) });
              return handoff;
            },
            *after(_, result) {
              return result;
            },
          });
      const tool = phased(() => ({ ran }));
      const first = yield* manager.create({ tool, params: {} });
      yield* settle();
      const waiting = journalOf(first);
      first.respond('roots-1', { roots: [] });
      yield* settle();
      const session = yield* resumed(tool, journalOf(first));
      expect(session.openAsks()).toMatchObject([{ id: 'elicit-1', request: { message: '{"ran":1}' } }]);
      session.respond('elicit-1', row(1));
      expect(yield* endOf(session)).toMatchObject({ value: { ran: 1 } });

      const early = yield* resumed(tool, prefix(waiting, 1));
      expect(early.openAsks()).toMatchObject([{ id: 'roots-1' }]);

      const wrong = yield* manager.create({ tool: phased(() => () => 1), params: {}, callId: 'wrong' });
      yield* settle();
      wrong.respond('roots-1', { roots: [] });
      expect(yield* endOf(wrong)).toMatchObject({ error: { code: 'STEP' } });
    }),
  );
});
