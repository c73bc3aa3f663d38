import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { wireForm } from '#src/core/form/wire-form.ts';
import { createMcpTool } from '#src/core/index.ts';
import { accept, endOf, placed, settle, withManager } from '../session-kit.ts';
import { journalOf, resumed } from './journal-kit.ts';

const declared = createMcpTool('trip')
  .description('Plans a trip.')
  .parameters(z.object({}))
  .durable()
  .elicits({
    seat: z.object({ row: z.int().min(1).max(30), window: z.boolean().default(true) }),
    meal: z.object({
      dish: z.string().min(2).meta({ description: 'As on the card' }),
      row: z.string().optional(),
    }),
    later: z.object({
      // Its schema takes a turn.
      code: z.string().refine(async (code) => code !== 'no', 'not that one'),
    }),
  });

const trip = placed(
  declared.execute(function* (_, ctx) {
    const asked = yield* ctx.elicit.all({
      seat: { message: 'Which row?', values: { row: 4 } },
      meal: { message: 'Which dish?' },
    });
    if (asked.action !== 'accept') return asked.action;
    expectTypeOf(asked.content).toEqualTypeOf<{
      readonly seat: { row: number; window: boolean };
      readonly meal: { dish: string; row?: string | undefined };
    }>();
    const more = yield* ctx.elicit.all({ later: { message: 'Which code?' } }, { message: 'And now:' });
    return more.action === 'accept' ? { ...asked.content, ...more.content } : more.action;
  }),
);

const whole = { seat: { row: 7, window: true }, meal: { dish: 'soup' } };
const answer = accept({ 'seat.row': 7, 'meal.dish': 'soup' });

describe('elicit.all', () => {
  it(
    'asks in one form with a page for each question, which every client can show',
    withManager(function* ({ manager }) {
      const session = yield* manager.create({ tool: trip, params: {} });
      const [ask] = session.openAsks();
      if (ask?.kind !== 'elicit' || ask.request.mode === 'url') throw new Error('it asks');
      expect(ask.request.message).toBe('Which row?\nWhich dish?');
      expect(ask.request.requestedSchema).toMatchObject({
        properties: {
          'seat.row': { title: 'Row', page: 'Which row?', default: 4 },
          'meal.dish': { title: 'Dish', page: 'Which dish?' },
        },
        required: ['seat.row', 'meal.dish'],
      });
      const { properties } = wireForm(ask.request.requestedSchema);
      expect(Object.values(properties).map(({ description }) => description)).toEqual([
        'Which row?',
        undefined,
        'Which dish?\nAs on the card',
        undefined,
      ]);
    }),
  );

  it(
    'gives the answer to each, and asks again what was answered in part or wrongly',
    withManager(function* ({ manager }) {
      const session = yield* manager.create({ tool: trip, params: {} });
      const problems: unknown[] = [];
      for (const part of [{}, { 'seat.row': 7 }, { 'seat.row': 99, 'meal.dish': 'x' }, { row: 7 }]) {
        session.respond('elicit-1', accept(part));
        yield* settle();
        problems.push(session.openAsks()[0]?.problem);
      }
      expect(problems).toEqual([
        expect.stringContaining('no field was answered'),
        expect.stringMatching(/^meal\.dish: /),
        expect.stringMatching(/^seat\.row: .*; meal\.dish: /),
        expect.stringMatching(/^seat\.row: .*; meal\.dish: /),
      ]);
      session.respond('elicit-1', answer);
      yield* settle();
      session.respond('elicit-2', accept({ 'later.code': 'no' }));
      yield* settle();
      expect(session.openAsks()[0]?.problem).toBe('later.code: not that one');
      session.respond('elicit-2', accept({ 'later.code': 'yes' }));
      expect(yield* endOf(session)).toMatchObject({ value: { ...whole, later: { code: 'yes' } } });
    }),
  );

  it(
    'is gone back to with what was answered, and replayed',
    withManager(function* ({ manager }) {
      const session = yield* manager.create({ tool: trip, params: {} });
      session.respond('elicit-1', answer);
      yield* settle();
      yield* session.rewind('elicit-1');
      expect(session.openAsks()).toMatchObject([
        {
          request: {
            requestedSchema: { properties: { 'seat.row': { default: 7 }, 'meal.dish': { default: 'soup' } } },
          },
        },
      ]);
      const [back] = session.openAsks();
      session.respond(back?.id ?? '', answer);
      yield* settle();
      const again = yield* resumed(trip, journalOf(session));
      yield* settle();
      const [ask] = again.openAsks();
      expect(ask?.request).toMatchObject({ message: 'And now:' });
      again.respond(ask?.id ?? '', accept({ 'later.code': 'yes' }));
      expect(yield* endOf(again)).toMatchObject({ value: { ...whole, later: { code: 'yes' } } });
    }),
  );

  it(
    'takes no “yes” without a field where a form would fill itself in',
    withManager(function* ({ manager }) {
      const tool = placed(
        createMcpTool('quick')
          .description('Asks.')
          .parameters(z.object({}))
          .elicits({ seat: z.object({ row: z.int().default(3) }) })
          .execute((_, ctx) => ctx.elicit.all({ seat: { message: '?' } })),
      );
      const session = yield* manager.create({ tool, params: {} });
      session.respond('elicit-1', accept({}));
      yield* settle();
      expect(session.openAsks()).toMatchObject([{ attempt: 2 }]);
      session.respond('elicit-1', { action: 'decline' });
      expect(yield* endOf(session)).toMatchObject({ value: { action: 'decline' } });
    }),
  );

  it('is typed by what the tool declares', () => {
    declared.execute(function* (_, ctx) {
      // @ts-expect-error: .elicits() declares no question 'sea'
      yield* ctx.elicit.all({ sea: { message: '?' } });
      // @ts-expect-error: every question has a message
      yield* ctx.elicit.all({ seat: {} });
      // @ts-expect-error: a row is a number
      yield* ctx.elicit.all({ seat: { message: '?', values: { row: 'four' } } });
    });
  });
});
