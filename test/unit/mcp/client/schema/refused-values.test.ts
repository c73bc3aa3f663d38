import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpTool } from '#src/core/index.ts';
import { refusedValues } from '#src/mcp/client/schema/refused-values.ts';

function tool(parts: {
  readonly parameters?: z.ZodObject;
  readonly output?: z.ZodType;
  readonly question?: z.ZodObject;
}) {
  const { parameters = z.object({}), output = z.string(), question = z.object({}) } = parts;
  return createMcpTool('t')
    .description('d')
    .parameters(parameters)
    .output(output)
    .elicits({ ask: question })
    .execute(function* () {
      return '';
    });
}

/** Says more of a text than is checked of it. */
const lying = z
  .string()
  .regex(/^[A-Z]{2}-\d+$/)
  .meta({ maxLength: 2 });

describe('the schemas of a tool', () => {
  it('that take all that their zod schemas take are not mentioned', async () => {
    const shape = {
      code: z.string().regex(/^[a-z]{2}-\d+$/i),
      when: z.iso.time().optional(),
      page: z.url(),
      cents: z.number().multipleOf(0.01),
    };
    const output = z.object({
      ...shape,
      more: z.array(z.union([z.string().min(3), z.tuple([z.int()])])),
      any: z.any(),
    });
    expect(
      await refusedValues(tool({ parameters: z.object(shape), output, question: z.object(shape) })),
    ).toEqual([]);
  });

  it.each([
    ['its parameters', { parameters: z.object({ a: z.object({ code: lying, also: z.email() }) }) }],
    ['its output', { output: z.array(z.object({ code: z.union([z.int(), lying]) })) }],
    ["the question 'ask'", { question: z.object({ name: z.string().min(3), code: lying.optional() }) }],
  ])('are named with what %s refuses, deep within and beside what takes little', async (what, parts) => {
    const [said, ...more] = await refusedValues(tool(parts));
    expect(said).toMatch(`'t': what clients read of ${what} refuses `);
    expect(said).toMatch(/AB-12.*which its own schema takes \(.*must NOT have more than 2 characters/);
    expect(more).toEqual([]);
  });

  it('are named where a client cannot read them', async () => {
    const output = z.string().meta({ minLength: 'two' });
    expect(await refusedValues(tool({ output }))).toEqual([
      expect.stringContaining('of its output cannot be read'),
    ]);
  });
});
