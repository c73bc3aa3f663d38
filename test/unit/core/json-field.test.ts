import { createMockMcpClient, runMcpTool } from 'parley-mcp/testing';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { compileFormSchema } from '#src/core/form/compile-form-schema.ts';
import { fromWireForm, wireForm } from '#src/core/form/wire-form.ts';
import { createMcpTool, json, makePlugin } from '#src/core/index.ts';
import { checkReplay } from '#src/testing/index.ts';

const row = z.object({ what: z.string(), cost: z.number().min(0), on: z.iso.date().optional() });
const rows = json(z.array(row).min(1)).meta({ title: 'Items', description: 'What was paid' });
const of = { of: "tool 'probe'" };

describe('json(schema)', () => {
  it('is one text on the wire, with an example and what it begins with, a row on each line', () => {
    const form = compileFormSchema(
      z.object({
        rows: rows.default([
          { what: 'Taxi', cost: 12 },
          { what: 'Tea', cost: 3 },
        ]),
      }),
      of,
    );
    expect(form.properties.rows).toMatchObject({ json: { type: 'array', minItems: 1 } });
    expect(wireForm(form).properties.rows).toEqual({
      type: 'string',
      title: 'Items',
      description: 'What was paid (JSON, such as [{"what":"","cost":0}])',
      default: '[\n{"what":"Taxi","cost":12},\n{"what":"Tea","cost":3}\n]',
    });
  });

  it.each([
    ['a text', '[{"what":"Tea","cost":3}]', [{ what: 'Tea', cost: 3 }]],
    ['a block of code', '```json\n[1]\n```\n', [1]],
    ['what is no text', [{ what: 'Tea', cost: 3 }], [{ what: 'Tea', cost: 3 }]],
  ])('reads %s back', (_, value, read) => {
    const form = compileFormSchema(z.object({ rows }), of);
    expect(fromWireForm(form, { rows: value })).toEqual({ rows: read });
  });

  it('takes what refers to itself', () => {
    const tree = z.object({
      name: z.string(),
      get children() {
        return z.array(tree).optional();
      },
    });
    const { tree: field } = compileFormSchema(z.object({ tree: json(tree) }), of).properties;
    expect(
      wireForm({ type: 'object', properties: { field: field as never } }).properties.field?.description,
    ).toBe('JSON, such as {"name":""}');
  });
});

const expenses = createMcpTool('expenses')
  .description('Reports.')
  .parameters(z.object({}))
  .durable()
  .elicits({ report: z.object({ rows, note: json(z.record(z.string(), z.int())).optional() }) })
  .execute(function* (_, ctx) {
    const { rows: paid, note } = yield* ctx.elicit.strict('report', {
      message: 'What?',
      values: { rows: [] },
    });
    expectTypeOf(paid).toEqualTypeOf<{ what: string; cost: number; on?: string | undefined }[]>();
    return [paid.reduce((sum, { cost }) => sum + cost, 0), note ?? null];
  });

const accept = (content: object) => ({ action: 'accept', content }) as const;

describe('a tool with such a field', () => {
  it('gets the data, checked with words for what does not fit, and again after a restart', async () => {
    const client = createMockMcpClient({
      elicitResponses: [
        accept({ rows: '[{"what":' }),
        accept({ rows: '[{"what":"Tea","cost":-3}]' }),
        accept({ rows: '[{"what":"Tea","cost":3},{"what":"Taxi","cost":12}]', note: '' }),
      ],
    });
    const { result } = await checkReplay(expenses, {}, client);
    expect(result).toEqual([15, null]);
    expect(client.transcript.slice(0, 3)).toMatchObject([
      { attempt: 1 },
      { problem: expect.stringMatching(/^rows: this is not JSON: /) },
      { problem: expect.stringMatching(/^rows.*cost/) },
    ]);
  });

  it('is answered by a handler with the data itself', async () => {
    const plugin = makePlugin(expenses)
      .onElicit({
        *report() {
          return { action: 'accept', content: { rows: [{ what: 'Tea', cost: 3 }], note: { tip: 1 } } };
        },
      })
      .build();
    expect(await runMcpTool(plugin, {}, createMockMcpClient({ viewResponses: [] }))).toEqual([3, { tip: 1 }]);
  });

  it('is refused by the compiler where the data is of another shape, or no field at all', () => {
    makePlugin(expenses).onElicit({
      // @ts-expect-error: a cost is a number
      *report() {
        return { action: 'accept', content: { rows: [{ what: 'Tea', cost: '3' }] } };
      },
    });
    const bare = createMcpTool('none').description('d').parameters(z.object({}));
    bare.elicits({ any: z.object({ any: json(z.unknown()) }) });
    // @ts-expect-error: rows are no field without json()
    expect(() => bare.elicits({ report: z.object({ rows: z.array(row) }) })).toThrow(/json\(schema\)/);
  });
});
