import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { createMcpTool, json, makePlugin } from '#src/core/index.ts';
import { createMockMcpClient, goBack, runMcpTool } from '#src/testing/index.ts';

const accept = (content: unknown) => ({ action: 'accept', content }) as const;
const row = (n: number) => accept({ row: n });
const soup = accept({ dish: 'soup' });

const booking = (world: string[], { undoable = true } = {}) =>
  createMcpTool('book')
    .description('Books.')
    .parameters(z.object({}))
    .durable()
    .elicits({ seat: z.object({ row: z.int() }), meal: z.object({ dish: z.string() }) })
    .execute(function* (_, ctx) {
      const seat = yield* ctx.elicit.strict('seat', { message: 'Which row?' });
      yield* ctx.step('book', () => void world.push(`book ${seat.row}`), {
        ...(undoable ? { undo: () => void world.push(`free ${seat.row}`) } : {}),
      });
      const meal = yield* ctx.elicit.strict('meal', { message: 'Which dish?' });
      return `${seat.row} ${meal.dish}`;
    });

describe('goBack in a script', () => {
  it('undoes the steps since that question, and has it asked again with what was answered', async () => {
    const world: string[] = [];
    const client = createMockMcpClient({
      elicitResponses: { seat: [row(3), row(4)], meal: [goBack('seat'), soup] },
    });
    expect(await runMcpTool(booking(world), {}, client)).toBe('4 soup');
    expect(world).toEqual(['book 3', 'free 3', 'book 4']);
    expect(client.unused).toEqual([]);
    const asked = client.transcript.flatMap((entry) => (entry.type === 'elicit' ? [entry] : []));
    expect(asked.map(({ key }) => key)).toEqual(['seat', 'meal', 'seat', 'meal']);
    expect(asked[2]?.request).toMatchObject({ requestedSchema: { properties: { row: { default: 3 } } } });
  });

  it('gives a handler what was answered before, and what the tool begins with', async () => {
    const seen: unknown[] = [];
    const tool = createMcpTool('book')
      .description('Books.')
      .parameters(z.object({}))
      .durable()
      .elicits({
        seat: z.object({ row: z.int(), rows: json(z.array(z.int())) }),
        meal: z.object({ dish: z.string() }),
      })
      .execute(function* (_, ctx) {
        const seat = yield* ctx.elicit.strict('seat', { message: 'Which row?', values: { rows: [1, 2] } });
        const meal = yield* ctx.elicit.strict('meal', { message: 'Which dish?' });
        return `${seat.row} ${meal.dish}`;
      });
    const plugin = makePlugin(tool)
      .onElicit({
        *seat({ values }) {
          expectTypeOf(values.row).toEqualTypeOf<number | undefined>();
          seen.push(values);
          return { action: 'accept', content: { row: 2 + seen.length, rows: [3, 4] } };
        },
        meal: 'form',
      })
      .build();
    const client = createMockMcpClient({ viewResponses: [], elicitResponses: [goBack('seat'), soup] });
    expect(await runMcpTool(plugin, {}, client)).toBe('4 soup');
    expect(seen).toEqual([{ rows: [1, 2] }, { row: 3, rows: [3, 4] }]);
  });

  it('fails where the tool cannot go back, and where nothing of that key was answered', async () => {
    const answers = (key: string) =>
      createMockMcpClient({ elicitResponses: { seat: [row(3)], meal: [goBack(key)] } });
    await expect(runMcpTool(booking([], { undoable: false }), {}, answers('seat'))).rejects.toMatchObject({
      code: 'REWIND_REFUSED',
    });
    await expect(runMcpTool(booking([]), {}, answers('seet'))).rejects.toThrow(
      "goBack('seet'): no question of that key was answered before",
    );
  });
});
