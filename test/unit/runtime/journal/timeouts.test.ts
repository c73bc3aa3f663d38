import { describe, expect, it } from 'vitest';
import { endOf, rejects, row, settle, withManager } from '../session-kit.ts';
import { type Ctx, durable, journalOf, shortly } from './journal-kit.ts';

const asking = (timeout: number) =>
  durable(function* (ctx: Ctx) {
    try {
      const { row } = yield* ctx.elicit.strict('seat', { message: 'Which row?', timeout });
      return row;
    } catch (error) {
      yield* ctx.step('let go of it', () => 1);
      return error instanceof Error ? error.message : '';
    }
  });

describe('a question with a time-out', () => {
  it(
    'gives the answer that comes in time, and leaves no timer behind',
    withManager(function* ({ manager, clock }) {
      const session = yield* manager.create({ tool: asking(60_000), params: {} });
      clock.advance(59_000);
      yield* settle();
      session.respond('elicit-1', row(7));
      expect(yield* endOf(session)).toMatchObject({ value: 7 });
    }),
  );

  it(
    'is withdrawn when its time is up, and throws the error that says so',
    withManager(function* ({ manager, clock }) {
      const session = yield* manager.create({ tool: asking(60_000), params: {} });
      clock.advance(60_000);
      expect(yield* endOf(session)).toMatchObject({
        value: "the answer to 'seat' took longer than its limit of 60 s. Try again, or raise the limit.",
      });
      expect(() => session.respond('elicit-1', row(7))).toThrow(/closed/);
      const { header, lines } = journalOf(session);
      const journal = { header, lines: lines.filter(({ t }) => t !== 'end') };
      const again = yield* manager.resume({ tool: asking(60_000), journal });
      yield* endOf(again);
      expect(journalOf(again).lines.map(shortly)).toEqual(lines.map(shortly));
    }),
  );

  it(
    'keeps its moment through a restart',
    withManager(function* ({ manager, clock }) {
      const session = yield* manager.create({ tool: asking(60_000), params: {} });
      clock.advance(50_000);
      yield* settle();
      const journal = journalOf(session);
      yield* session.abort('restart');
      // Half of the rest passes while no process has it.
      clock.advance(5_000);
      const again = yield* manager.resume({ tool: asking(60_000), journal });
      yield* settle();
      expect(again.openAsks()).toMatchObject([{ id: 'elicit-1' }]);
      clock.advance(4_999);
      yield* settle();
      expect(again.openAsks()).toHaveLength(1);
      clock.advance(1);
      expect(yield* endOf(again)).toMatchObject({ value: expect.stringContaining('limit of 60 s') });
    }),
  );

  it(
    'is over at once where its moment has passed before the restart',
    withManager(function* ({ manager, clock }) {
      const session = yield* manager.create({ tool: asking(60_000), params: {} });
      yield* settle();
      const journal = journalOf(session);
      yield* session.abort('restart');
      clock.advance(3_600_000);
      const again = yield* manager.resume({ tool: asking(60_000), journal });
      expect(yield* endOf(again)).toMatchObject({ value: expect.stringContaining('limit of 60 s') });
    }),
  );

  it(
    'takes a number of milliseconds above 0, and nothing else',
    withManager(function* ({ manager }) {
      for (const timeout of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, '5']) {
        const tool = durable(function* (ctx: Ctx) {
          yield* rejects(
            () => ctx.elicit('seat', { message: '?', timeout: timeout as number }),
            'ELICITATION_OPTIONS',
          );
          return 'refused';
        });
        const session = yield* manager.create({ tool, params: {} });
        expect(yield* endOf(session)).toMatchObject({ value: 'refused' });
      }
    }),
  );
});
