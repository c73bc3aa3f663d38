import { all, type Operation, race, spawn } from 'effection';
import { describe, expect, it } from 'vitest';
import { checkReplay, createMockMcpClient, recordMcpTool } from '#src/testing/index.ts';
import { advance, isElsewhere, row, said, settle, withManager } from '../session-kit.ts';
import { type Ctx, durable, journalOf, resumed, shortly } from './journal-kit.ts';

/** What may be had at the same time as another, each with what follows from it. */
const runners: Record<string, (ctx: Ctx, name: string) => Operation<unknown>> = {
  'two samplings': (ctx, name) => ctx.sample({ prompt: name }),
  'two branches, of which each goes on': (ctx, name) =>
    ctx.branch(
      function* (branch) {
        const { text } = yield* branch.sample({ prompt: name });
        yield* branch.notify(`${name} has ${text}`);
        return text;
      },
      { timeout: 60_000 },
    ),
  'two steps that do nothing': (ctx, name) => ctx.step(name, () => name),
  'two steps that wait': (ctx, name) => ctx.step(name, async () => name),
  'two sleeps': (ctx) => ctx.sleep(0),
};

const person = () =>
  createMockMcpClient({
    sampleResponses: ['first', 'second', 'third'],
    elicitResponses: { seat: [{ action: 'accept', content: { row: 4 } }] },
  });

describe('a race between what comes at once', () => {
  it.each(Object.entries(runners))('of %s is won by the same again', async (_, runner) => {
    const tool = durable(function* (ctx: Ctx) {
      const won = yield* race([runner(ctx, 'a'), runner(ctx, 'b')]);
      const seat = yield* ctx.elicit.strict('seat', { message: JSON.stringify(won ?? null) });
      return [won, seat.row];
    });
    await checkReplay(tool, {}, person());
  });

  it('leaves what lost it without its answer, also where that was there', async () => {
    const seen: string[] = [];
    const asked = function* (ctx: Ctx, prompt: string): Operation<string> {
      const { text } = yield* ctx.sample({ prompt });
      seen.push(text);
      return text;
    };
    const tool = durable((ctx: Ctx) => race([asked(ctx, 'a'), asked(ctx, 'b')]));
    const { lines } = await recordMcpTool(tool, {}, person());
    expect(seen).toEqual(['first']);
    const opened = ['open sample-2 as sample#2: b', 'answer sample-1'];
    expect(lines.map(shortly)).toEqual([
      'open sample-1 as sample#1: a',
      // Whoever answers at once is faster than a line.
      ...(isElsewhere ? opened.reverse() : opened),
      'withdraw sample-2',
      'end result',
    ]);
  });

  it(
    'between a person and the time is decided once',
    withManager(function* ({ manager, clock }) {
      const hurried = () =>
        durable(function* (ctx: Ctx) {
          const asked = yield* spawn(() => ctx.elicit('seat', { message: 'Quick!' }));
          yield* race([asked, ctx.sleep(1_000)]);
          yield* ctx.sample({ prompt: 'Who was quicker?' });
        });
      const first = yield* manager.create({ tool: hurried(), params: {} });
      yield* settle();
      first.respond('elicit-1', row(1));
      yield* advance(clock, 1_000);
      expect(first.openAsks()).toMatchObject([{ kind: 'sample' }]);
      const session = yield* resumed(hurried(), journalOf(first));
      expect(session.openAsks()).toEqual(first.openAsks());
    }),
  );

  it(
    'has all answers where all are wanted, each with what follows from it',
    withManager(function* ({ manager }) {
      const both = () =>
        durable(function* (ctx: Ctx) {
          const texts = yield* all([ctx.sample({ prompt: 'a' }), ctx.sample({ prompt: 'b' })]);
          yield* ctx.elicit('seat', { message: texts.map(({ text }) => text).join() });
        });
      const first = yield* manager.create({ tool: both(), params: {} });
      yield* settle();
      const late = first.respond('sample-2', said('B'));
      yield* all([first.respond('sample-1', said('A')), late]);
      yield* settle();
      expect(first.openAsks()).toMatchObject([{ request: { message: 'A,B' } }]);
      const session = yield* resumed(both(), journalOf(first));
      expect(session.openAsks()).toEqual(first.openAsks());
    }),
  );
});
