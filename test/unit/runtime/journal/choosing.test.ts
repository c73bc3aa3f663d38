import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import type { ChooseOptions } from '#src/core/index.ts';
import { choose } from '#src/core/index.ts';
import { accept, endOf, settle, withManager } from '../session-kit.ts';
import { type Ctx, durable, journalOf } from './journal-kit.ts';

const named = z.array(z.object({ const: z.string() }));

interface Flight {
  readonly id: string;
  readonly price: number;
}

const flights = (count: number): Flight[] =>
  Array.from({ length: count }, (_, n) => ({ id: `KL${n}`, price: n * 10 }));

const picking = (items: readonly Flight[], options: Partial<ChooseOptions<Flight>> = {}) =>
  durable((ctx: Ctx) => choose(ctx, { message: 'Which flight?', items, label: ({ id }) => id, ...options }));

const several = (items: readonly Flight[]) =>
  durable((ctx: Ctx) => choose(ctx, { message: 'Which flights?', items, label: ({ id }) => id, many: true }));

describe('choose', () => {
  it(
    'gives the item itself, and shows what its author says of each',
    withManager(function* ({ manager }) {
      const tool = picking(flights(2), {
        describe: ({ price }) => `${price} euros`,
        preview: ({ id }) => ({ kind: 'markdown', text: `*${id}*` }),
        recommended: ({ price }) => price === 0,
      });
      const session = yield* manager.create({ tool, params: {} });
      const [ask] = session.openAsks();
      expect(ask?.request).toMatchObject({
        message: 'Which flight?',
        requestedSchema: {
          properties: {
            choice: {
              oneOf: [
                { const: 'KL0', title: 'KL0', description: '0 euros', recommended: true },
                { const: 'KL1', title: 'KL1', preview: { kind: 'markdown', text: '*KL1*' } },
              ],
            },
          },
        },
      });
      session.respond('elicit-1', accept({ choice: 'KL1' }));
      expect(yield* endOf(session)).toMatchObject({ value: { id: 'KL1', price: 10 } });
    }),
  );

  it(
    'gives all that were chosen, of a thousand, and none where none was',
    withManager(function* ({ manager }) {
      for (const [chosen, found] of [
        [
          ['KL999', 'KL7'],
          [{ id: 'KL999' }, { id: 'KL7' }],
        ],
        [[], []],
      ] as const) {
        const session = yield* manager.create({ tool: several(flights(1000)), params: {} });
        session.respond('elicit-1', accept({ choice: chosen }));
        expect(yield* endOf(session)).toMatchObject({ value: found });
      }
    }),
  );

  it(
    'asks for one item, too, and says when there is none',
    withManager(function* ({ manager }) {
      const one = yield* manager.create({ tool: picking(flights(1)), params: {} });
      one.respond('elicit-1', { action: 'decline' });
      expect(yield* endOf(one)).toMatchObject({ error: { code: 'ELICITATION_DECLINED' } });
      const none = yield* manager.create({ tool: picking([]), params: {} });
      expect(yield* endOf(none)).toMatchObject({ error: { code: 'ELICITATION_OPTIONS' } });
    }),
  );

  it(
    'tells items of one label apart by what they are',
    withManager(function* ({ manager }) {
      const same = [
        { id: 'KL1', price: 10 },
        { id: 'KL1', price: 20 },
        { id: 'KL1', price: 20 },
      ];
      const session = yield* manager.create({ tool: picking(same), params: {} });
      const [ask] = session.openAsks();
      const { oneOf } = z
        .object({
          requestedSchema: z.object({ properties: z.object({ choice: z.object({ oneOf: named }) }) }),
        })
        .parse(ask?.request).requestedSchema.properties.choice;
      expect(oneOf).toHaveLength(2);
      session.respond('elicit-1', accept({ choice: oneOf[1]?.const }));
      expect(yield* endOf(session)).toMatchObject({ value: { price: 20 } });
    }),
  );

  it(
    'finds the item again after a restart wherever it is now, and refuses one that has gone',
    withManager(function* ({ manager }) {
      const session = yield* manager.create({ tool: picking(flights(3)), params: {} });
      session.respond('elicit-1', accept({ choice: 'KL1' }));
      yield* endOf(session);
      const { header, lines } = journalOf(session);
      const journal = { header, lines: lines.filter(({ t }) => t !== 'end') };
      const moved = yield* manager.resume({ tool: picking(flights(3).reverse()), journal });
      expect(yield* endOf(moved)).toMatchObject({ value: { id: 'KL1' } });
      const gone = yield* manager.resume({ tool: picking(flights(1)), journal });
      yield* settle();
      expect(yield* endOf(gone)).toMatchObject({ error: { code: 'REPLAY_DIVERGED' } });
    }),
  );

  it('is typed by its items', () => {
    durable(function* (ctx: Ctx) {
      const one = yield* choose(ctx, { message: '?', items: flights(1), label: ({ id }) => id });
      expectTypeOf(one).toEqualTypeOf<Flight>();
      const many = yield* choose(ctx, { message: '?', items: flights(1), label: ({ id }) => id, many: true });
      expectTypeOf(many).toEqualTypeOf<Flight[]>();
      // @ts-expect-error: an item has no such property
      yield* choose(ctx, { message: '?', items: flights(1), label: ({ seat }) => seat });
      // @ts-expect-error: what the person is asked is missing
      yield* choose(ctx, { items: flights(1), label: ({ id }) => id });
    });
  });
});
