import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import * as z3 from 'zod/v3';
import type { Schema } from '#src/core/schema/schema.ts';
import { validateNow } from '#src/core/schema/validate.ts';
import { RAW_ZOD } from '../raw-zod.ts';

function said(schema: Schema, value: unknown): string {
  const checked = validateNow(schema, value);
  if (checked instanceof Promise || checked.ok) throw new Error('it fits');
  return checked.problem;
}

const one = (schema: z.ZodType, value: unknown) => said(z.object({ a: schema }), { a: value });

describe('what is wrong with a value', () => {
  it.each<[string, z.ZodType, unknown, string]>([
    ['nothing where a number must be', z.number(), undefined, 'a: is missing: it must be a number'],
    ['a text for a whole number', z.int(), '3', 'a: must be a number, not text'],
    ['half a one', z.int(), 1.5, 'a: must be a whole number'],
    ['no number at all', z.number(), Number.NaN, 'a: must be a number'],
    ['text for yes or no', z.boolean(), 'yes', 'a: must be true or false, not text'],
    ['a list for a text', z.string(), [], 'a: must be text, not a list'],
    ['null for an object', z.object({}), null, 'a: must be an object, not null'],
    ['what may not be there', z.never(), 1, 'a: must be left out'],
    ['no choice', z.enum(['x', 'y']), 'z', "a: must be one of 'x', 'y'"],
    ['no choice of one', z.literal('x'), 7, "a: must be 'x'"],
    ['too few', z.string().min(3), 'ab', 'a: must have 3 characters or more'],
    ['none', z.string().min(1), '', 'a: must not be empty'],
    ['too many', z.array(z.string()).max(1), ['x', 'y'], 'a: must have 1 item or fewer'],
    ['another count', z.string().length(2), 'abc', 'a: must have exactly 2 characters'],
    ['less', z.number().min(1), 0, 'a: must be 1 or more'],
    ['as much as the bound', z.number().lt(5), 5, 'a: must be less than 5'],
    ['no multiple', z.number().multipleOf(5), 3, 'a: must be a multiple of 5'],
    ['no mail', z.email(), 'x', 'a: must be an email address, such as ada@example.com'],
    ['another beginning', z.string().startsWith('K'), 'x', "a: must begin with 'K'"],
    ['another form', z.string().regex(/^[A-Z]{2}$/), 'x', 'a: must match the pattern /^[A-Z]{2}$/'],
    ['none of two types', z.union([z.string(), z.number()]), true, 'a: must be text, or must be a number'],
    ['none of two texts', z.union([z.literal('x'), z.literal('y')]), 'z', "a: must be one of 'x', 'y'"],
    ['a field too many', z.strictObject({}), { b: 1 }, "a: has 'b', which is not known here"],
    ['a refused value', z.string().refine(() => false), 'x', 'a: does not fit'],
  ])('is said in words: %s', (_, schema, value, words) => {
    expect(one(schema, value)).toBe(words);
  });

  it('is said in the words of its author, where there are some', () => {
    expect(one(z.string('Say your name'), 1)).toBe('a: Say your name');
    expect(one(z.string().regex(/^\d{4}$/, 'Invalid postcode'), 'x')).toBe('a: Invalid postcode');
    expect(
      one(
        z.number().refine(() => false, 'the row is full'),
        1,
      ),
    ).toBe('a: the row is full');
  });

  it('is said as well of schemas of zod 3 and of zod/mini', () => {
    const old = z3.object({
      n: z3.number(),
      e: z3.enum(['x', 'y']),
      s: z3.string().min(2),
      m: z3.string().email(),
    });
    expect(said(old, { e: 'z', s: 'a', m: 'x' })).toBe(
      "n: is missing: it must be a number; e: must be one of 'x', 'y'; s: must have 2 characters or more; m: must be an email address, such as ada@example.com",
    );
    expect(said(mini.object({ n: mini.number() }), { n: 'x' })).toBe('n: must be a number, not text');
  });

  it('never has the shape in which zod says it, whatever the schema and the value', () => {
    const schemas: z.ZodType[] = [
      ...[
        z.string(),
        z.number(),
        z.int(),
        z.boolean(),
        z.bigint(),
        z.date(),
        z.null(),
        z.undefined(),
        z.nan(),
      ],
      ...[z.email(), z.url(), z.uuid(), z.iso.datetime(), z.iso.date(), z.iso.time(), z.base64(), z.jwt()],
      ...[z.array(z.string()).min(2), z.tuple([z.string()]), z.record(z.string().regex(/a/), z.number())],
      ...[z.map(z.string(), z.number()), z.set(z.string()).min(3), z.symbol(), z.file(), z.instanceof(Date)],
      ...[z.discriminatedUnion('k', [z.object({ k: z.literal('a') })]), z.stringbool(), z.json(), z.never()],
      ...[z.coerce.number(), z.templateLiteral(['a', z.number()]), z.string().lowercase().max(1)],
    ];
    const values = [
      undefined,
      null,
      '',
      'xY',
      0,
      1.5,
      Number.NaN,
      1e300,
      true,
      [],
      [1],
      {},
      { b: 'x' },
      new Map([[1, 1]]),
    ];
    for (const schema of schemas) {
      for (const value of values) {
        const checked = validateNow(schema, value);
        if (checked instanceof Promise || checked.ok) continue;
        expect(checked.problem).not.toMatch(RAW_ZOD);
      }
    }
  });
});
