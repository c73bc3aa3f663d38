import type { Operation } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import { accept, row, settle, withManager } from '../session-kit.ts';
import { journalOf } from './journal-kit.ts';

function wizard(first: string, second = 'Which dish?', { reads = false, most = 30 } = {}) {
  return createMcpTool('wizard')
    .description('d')
    .parameters(z.object({}))
    .annotations({ readOnlyHint: reads })
    .elicits({ seat: z.object({ row: z.int().max(most) }), meal: z.object({ dish: z.string() }) })
    .execute(function* (_, ctx): Operation<unknown> {
      const seat = yield* ctx.elicit('seat', { message: first });
      const meal = yield* ctx.elicit('meal', { message: second });
      const sure = yield* ctx.elicit('seat', { message: 'Once more?' });
      return [seat, meal, sure];
    });
}

describe('a changed tool, taken up leniently', () => {
  it.each([
    ['gets an answer whose question is the same', wizard('Row?', 'Dish?'), 'elicit-4', 'Dish?'],
    [
      'asks again from the first question that is not',
      wizard('Which row, please?'),
      'elicit-4',
      'Which row, please?',
    ],
    [
      'that only reads gets answers to other words, too',
      wizard('A', 'B', { reads: true }),
      'elicit-3',
      'Once more?',
    ],
    ['asks again where an answer does not fit', wizard('A', 'B', { reads: true, most: 5 }), 'elicit-1', 'A'],
  ])('%s', (_, changed, id, message) =>
    withManager(function* ({ manager }) {
      const first = yield* manager.create({ tool: wizard('Row?'), params: {}, callId: 'then' });
      yield* settle();
      first.respond('elicit-1', row(12));
      yield* settle();
      first.respond('elicit-2', accept({ dish: 'soup' }));
      yield* settle();
      const { header, lines } = journalOf(first);
      const journal = { header: { ...header, callId: 'now' }, lines };
      const session = yield* manager.resume({ tool: changed, journal, replay: 'lenient' });
      expect(session.openAsks()).toMatchObject([{ id, request: { message } }]);
      // What was left out stays out, also the next time.
      const again = journalOf(session);
      const next = yield* manager.resume({
        tool: changed,
        journal: { header: { ...header, callId: 'next' }, lines: again.lines },
        replay: 'lenient',
      });
      expect(next.openAsks()).toEqual(
        session.openAsks().map((ask) => ({ ...ask, ref: { ...ask.ref, callId: 'next' } })),
      );
    })(),
  );
});
