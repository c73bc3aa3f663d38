import { type Operation, spawn, suspend } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpTool, type ToolContext } from '#src/core/index.ts';
import { endOf, placed, row, settle, withManager } from '../session-kit.ts';
import { journalOf, prefix, resumed, shortly } from './journal-kit.ts';

const questions = { seat: z.object({ row: z.int() }) };
type Ctx = ToolContext<typeof questions>;

const bare = (undo?: 'on failure') =>
  createMcpTool('probe')
    .description('A tool of a test.')
    .parameters(z.object({}))
    .durable(undo ? { undo } : {})
    .elicits(questions);

const durable = (code: (ctx: Ctx) => Operation<unknown>, undo?: 'on failure') =>
  placed(bare(undo).execute((_, ctx) => code(ctx)));

/** Pays in a step that `undo` takes back, and looks at something. */
function* pay(ctx: Ctx, world: string[], what: string, undo?: () => void): Operation<void> {
  yield* ctx.step(`look at ${what}`, () => 1, { reads: true });
  yield* ctx.step(`pay ${what}`, () => `${what}${world.push(`pay ${what}`) > 0 ? '' : '?'}`, {
    undo: (paid) => {
      undo?.();
      world.push(`give back ${paid}`);
    },
  });
}

const broken = () => {
  throw new Error('the bank is closed');
};

describe('a rollback', () => {
  it(
    'undoes all steps, the last first and once, and says what has no undo',
    withManager(function* ({ manager }) {
      const world: string[] = [];
      const tool = durable(function* (ctx) {
        yield* pay(ctx, world, 'a');
        yield* ctx.branch((inner) => pay(inner as Ctx, world, 'b'));
        yield* ctx.step('mail', () => 1);
        const rolledBack = yield* ctx.rollback();
        yield* pay(ctx, world, 'c');
        return [rolledBack, yield* ctx.rollback()];
      });
      const session = yield* manager.create({ tool, params: {} });
      expect(yield* endOf(session)).toMatchObject({
        value: [
          { undone: ['pay b', 'pay a'], kept: ['mail'] },
          { undone: ['pay c'], kept: [] },
        ],
      });
      expect(world).toEqual(['pay a', 'pay b', 'give back b', 'give back a', 'pay c', 'give back c']);
    }),
  );

  it(
    'undoes nothing twice, whichever line the process ends at',
    withManager(function* ({ manager }) {
      const code = (world: string[]) =>
        durable(function* (ctx) {
          yield* pay(ctx, world, 'a');
          yield* pay(ctx, world, 'b');
          yield* ctx.rollback();
          return 'over';
        });
      const first = yield* manager.create({ tool: code([]), params: {} });
      yield* endOf(first);
      const journal = journalOf(first);
      const whole = journal.lines.map(shortly);
      expect(whole).toContain('step step-5 undo pay b');
      for (let count = 0; count < journal.lines.length - 1; count++) {
        const world: string[] = [];
        const again = yield* resumed(code(world), prefix(journal, count));
        expect(yield* endOf(again)).toMatchObject({ value: 'over' });
        expect(new Set(world).size).toBe(world.length);
        const undone = whole.slice(0, count).filter((line) => line === 'stepped step-5').length;
        expect(world.includes('give back b')).toBe(undone === 0);
      }
    }),
  );

  it(
    'that fails tries the rest, and says what was and what was not undone',
    withManager(function* ({ manager }) {
      const world: string[] = [];
      const tool = durable(function* (ctx) {
        yield* pay(ctx, world, 'a');
        yield* pay(ctx, world, 'b', broken);
        yield* ctx.step('mail', () => 1);
        yield* ctx.rollback();
      });
      const session = yield* manager.create({ tool, params: {} });
      expect(yield* endOf(session)).toMatchObject({
        error: {
          code: 'ROLLBACK',
          message:
            "could not undo 'pay b' (the bank is closed). Undone: 'pay a'. Without an undo: 'mail'. Check what was done, and correct it yourself.",
        },
      });
      expect(world).toEqual(['pay a', 'pay b', 'give back a']);
    }),
  );

  it(
    'covers a tool that was called as a value',
    withManager(function* ({ manager }) {
      const world: string[] = [];
      const inner = bare().execute((_, ctx) => pay(ctx, world, 'inner'));
      const tool = durable(function* (ctx) {
        yield* ctx.call(inner, {});
        return yield* ctx.rollback();
      });
      const session = yield* manager.create({ tool, params: {} });
      expect(yield* endOf(session)).toMatchObject({ value: { undone: ['pay inner'] } });
    }),
  );
});

describe("a tool that undoes 'on failure'", () => {
  it.each([
    ['a “no”', { action: 'decline' } as const, 'ELICITATION_DECLINED'],
    ['an error of its own', row(1), 'TOOL'],
  ])('undoes its steps after %s, and fails as it would', (_, answer, code) =>
    withManager(function* ({ manager }) {
      const world: string[] = [];
      const tool = durable(function* (ctx) {
        yield* pay(ctx, world, 'a');
        yield* ctx.elicit.strict('seat', { message: '?' });
        throw new Error('no seat');
      }, 'on failure');
      const session = yield* manager.create({ tool, params: {} });
      yield* settle();
      session.respond('elicit-1', answer);
      const end = yield* endOf(session);
      expect(end).toMatchObject({ type: 'error' });
      if (code !== 'TOOL') expect(end).toMatchObject({ error: { code } });
      else expect(end).toMatchObject({ error: { message: 'no seat' } });
      expect(world).toEqual(['pay a', 'give back a']);
    })(),
  );

  it(
    'says both where an undo fails',
    withManager(function* ({ manager }) {
      const tool = durable(function* (ctx) {
        yield* pay(ctx, [], 'a', broken);
        throw new Error('no seat');
      }, 'on failure');
      const session = yield* manager.create({ tool, params: {} });
      expect(yield* endOf(session)).toMatchObject({
        error: {
          code: 'ROLLBACK',
          message: expect.stringMatching(
            /^no seat \(and then\) could not undo 'pay a' \(the bank is closed\)\./,
          ),
        },
      });
    }),
  );

  it(
    'keeps what it did when it ends well, and when it is stopped',
    withManager(function* ({ manager }) {
      const world: string[] = [];
      const well = durable((ctx) => pay(ctx, world, 'a'), 'on failure');
      yield* endOf(yield* manager.create({ tool: well, params: {} }));
      const waits = durable(function* (ctx) {
        yield* pay(ctx, world, 'b');
        yield* ctx.elicit('seat', { message: '?' });
      }, 'on failure');
      const stopped = yield* manager.create({ tool: waits, params: {} });
      yield* settle();
      yield* spawn(function* () {
        yield* stopped.abort('enough');
        yield* suspend();
      });
      yield* endOf(stopped);
      yield* settle();
      expect(world).toEqual(['pay a', 'pay b']);
    }),
  );
});
