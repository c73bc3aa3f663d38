import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as z3 from 'zod/v3';
import { compileFormSchema } from '#src/core/form/compile-form-schema.ts';
import type { FormJsonSchema, FormProperty } from '#src/core/form/form-schema.ts';
import type { Schema } from '#src/core/schema/schema.ts';
import { acceptsForm } from './accepts-form.ts';
import { formSchemas } from './arbitrary-form.ts';

const place = { of: "tool 'book'", key: 'pick' };
const compile = (schema: Schema) => compileFormSchema(schema, place);
const property = (schema: z.ZodType): FormProperty | undefined =>
  compile(z.object({ p: schema })).properties.p;

describe('the form compiler', () => {
  it.each<[string, z.ZodType, FormProperty]>([
    [
      'text',
      z.string().min(2).max(5).describe('d').meta({ title: 'T' }),
      { type: 'string', title: 'T', description: 'd', minLength: 2, maxLength: 5 },
    ],
    ['a mail address, without zod’s pattern', z.email(), { type: 'string', format: 'email' }],
    ['a URL', z.url({ protocol: /^https$/ }), { type: 'string', format: 'uri' }],
    ['a date', z.iso.date(), { type: 'string', format: 'date' }],
    ['a time', z.iso.datetime(), { type: 'string', format: 'date-time' }],
    ['text of a format that forms do not know', z.uuid(), { type: 'string' }],
    ['text with a pattern, which is left to zod', z.string().regex(/^a/).endsWith('b'), { type: 'string' }],
    ['an integer, without the bounds of safe integers', z.int(), { type: 'integer' }],
    ['a positive integer', z.int().positive(), { type: 'integer', minimum: 1 }],
    ['an integer below a fraction', z.int().lt(4.5).gt(1.5), { type: 'integer', minimum: 2, maximum: 4 }],
    [
      'a positive fraction, its bound made inclusive',
      z.number().positive().lt(9),
      { type: 'number', minimum: 0, maximum: 9 },
    ],
    [
      'a number with steps, which are left to zod',
      z.number().multipleOf(0.5).min(1),
      { type: 'number', minimum: 1 },
    ],
    ['one number', z.literal(5), { type: 'number', minimum: 5, maximum: 5 }],
    ['yes or no', z.boolean().default(true), { type: 'boolean', default: true }],
    ['one choice', z.enum(['a', 'b']).default('b'), { type: 'string', enum: ['a', 'b'], default: 'b' }],
    ['one choice from a literal', z.literal(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
    [
      'titled choices by name',
      z.enum(['a', 'b']).meta({ enumNames: ['A', 'B'] }),
      {
        type: 'string',
        oneOf: [
          { const: 'a', title: 'A' },
          { const: 'b', title: 'B' },
        ],
      },
    ],
    [
      'titled choices by literal',
      z.union([z.literal('a').meta({ title: 'A' }), z.literal('b').describe('Bee'), z.literal('c')]),
      {
        type: 'string',
        oneOf: [
          { const: 'a', title: 'A' },
          { const: 'b', title: 'Bee' },
          { const: 'c', title: 'c' },
        ],
      },
    ],
    [
      'several choices',
      z
        .array(z.enum(['a', 'b']))
        .min(1)
        .max(2)
        .default(['a']),
      {
        type: 'array',
        items: { type: 'string', enum: ['a', 'b'] },
        minItems: 1,
        maxItems: 2,
        default: ['a'],
      },
    ],
    [
      'several titled choices',
      z.array(z.enum(['a', 'b']).meta({ enumNames: ['A', 'B'] })),
      {
        type: 'array',
        items: {
          anyOf: [
            { const: 'a', title: 'A' },
            { const: 'b', title: 'B' },
          ],
        },
      },
    ],
    ['the input of a transform', z.string().max(3).transform(Number), { type: 'string', maxLength: 3 }],
    ['what a number is coerced from', z.coerce.number(), { type: 'number' }],
    ['what is branded, readonly or caught', z.string().brand('x').readonly(), { type: 'string' }],
  ])('compiles %s', (_what, schema, expected) => {
    expect(property(schema)).toEqual(expected);
  });

  it('requires what zod requires, and nothing that has a default', () => {
    const schema = z.object({
      a: z.string(),
      b: z.string().optional(),
      c: z.string().default('x'),
      d: z.string().prefault('y'),
    });
    expect(compile(schema)).toMatchObject({
      required: ['a'],
      properties: { c: { default: 'x' }, d: { default: 'y' } },
    });
    expect(compile(z.object({}))).toEqual({ type: 'object', properties: {} });
  });

  it('leaves out a default that only what comes out could have', () => {
    expect(property(z.string().transform(Number).default(3))).toEqual({ type: 'string' });
    expect(
      property(
        z
          .string()
          .transform((s) => s.length > 1)
          .default(true),
      ),
    ).toEqual({ type: 'string' });
  });

  it('follows a reference to a name with a percent sign, which encodes nothing', () => {
    const share = z.int().meta({ id: '100%' });
    const { properties } = compile(z.object({ first: share, second: share }));
    expect(properties).toMatchObject({ first: { type: 'integer' }, second: { type: 'integer' } });
  });

  it('follows references to schemas with an id', () => {
    const size = z.enum(['s', 'm']).meta({ id: 'form-schema-test-size', title: 'Size' });
    expect(compile(z.object({ a: size, b: size.optional() })).properties).toMatchObject({
      a: { type: 'string', title: 'Size', enum: ['s', 'm'] },
      b: { type: 'string', title: 'Size', enum: ['s', 'm'] },
    });
  });

  it('gives a property any name', () => {
    const shape = JSON.parse('{"__proto__": 1, "constructor": 1}') as Record<string, unknown>;
    const schema = z.object(Object.fromEntries(Object.keys(shape).map((name) => [name, z.string()])));
    const compiled = compile(schema);
    expect(Object.keys(compiled.properties).sort()).toEqual(
      Object.keys((schema as z.ZodObject).shape).sort(),
    );
    expect(compiled.properties.constructor).toEqual({ type: 'string' });
  });

  it('compiles zod 3 the same way', () => {
    const schema = z3.object({
      name: z3.string().min(1).describe('who'),
      mail: z3.string().email().optional(),
      site: z3.string().url(),
      day: z3.string().datetime(),
      seats: z3.number().int().positive().default(1),
      price: z3.number().gt(0),
      window: z3.boolean(),
      size: z3.enum(['s', 'm']),
      kind: z3.union([z3.literal('x'), z3.literal('y')]),
      extras: z3.array(z3.enum(['meal', 'bag'])).max(2),
    });
    expect(compile(schema)).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, description: 'who' },
        mail: { type: 'string', format: 'email' },
        site: { type: 'string', format: 'uri' },
        day: { type: 'string', format: 'date-time' },
        seats: { type: 'integer', minimum: 1, default: 1 },
        price: { type: 'number', minimum: 0 },
        window: { type: 'boolean' },
        size: { type: 'string', enum: ['s', 'm'] },
        kind: { type: 'string', enum: ['x', 'y'] },
        extras: { type: 'array', maxItems: 2, items: { type: 'string', enum: ['meal', 'bag'] } },
      },
      required: ['name', 'site', 'day', 'price', 'window', 'size', 'kind', 'extras'],
    });
  });

  it.each<[string, z.ZodType, string]>([
    ['a nested object', z.object({ a: z.string() }), 'forms do not nest'],
    ['a list of numbers', z.array(z.number()), 'z.array(z.enum([…]))'],
    ['null', z.string().nullable(), '.optional()'],
    ['null by itself', z.null(), '.optional()'],
    ['two types', z.union([z.string(), z.number()]), 'a field has one type'],
    ['two constrained types', z.union([z.string().min(1), z.int()]), 'a field has one type'],
    ['a choice of numbers', z.literal([1, 2]), "z.enum(['1', '2', …])"],
    ['anything', z.any(), 'say what it is'],
    ['a record', z.record(z.string(), z.string()), 'forms do not nest'],
    ['a tuple', z.tuple([z.string()]), 'z.array(z.enum([…]))'],
    ['nothing', z.never(), 'leave it out'],
  ])('refuses %s, and says what to do instead', (_what, schema, advice) => {
    const define = () => compile(z.object({ fine: z.string(), bad: schema }));
    expect(define).toThrow("elicitation 'pick' of tool 'book': the property 'bad' is not a form field");
    expect(define).toThrow(advice);
  });

  it('refuses what JSON cannot carry', () => {
    expect(() => compile(z.object({ when: z.date() }))).toThrow(
      "the property 'when' cannot be sent as JSON (Date",
    );
  });

  it.each<[string, z.ZodType]>([
    ['text', z.string()],
    ['a list', z.array(z.object({ a: z.string() }))],
    ['a record', z.record(z.string(), z.string())],
    ['a union', z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])],
  ])('refuses an answer that is %s', (_what, schema) => {
    expect(() => compile(schema)).toThrow('an answer is one flat object of form fields');
  });

  it('accepts what zod accepts, and the protocol accepts it', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(formSchemas, ({ zod, answers }) => {
        const compiled = compile(zod);
        expect(onTheWire(compiled)).toEqual(compiled);
        for (const answer of answers) {
          expect([answer, acceptsForm(compiled, answer)]).toEqual([answer, zod.safeParse(answer).success]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it.each<[string, z.ZodType, string]>([
    ['a file', z.file(), 'use attachment(…) for files'],
    ['names of too few choices', z.enum(['a', 'b']).meta({ enumNames: ['A'] }), '1 names for 2 choices'],
    // @ts-expect-error as JavaScript may write it
    ['names that are no texts', z.enum(['a']).meta({ enumNames: [1] }), 'a list of texts'],
    ['names on the list', z.array(z.enum(['a'])).meta({ enumNames: ['A'] }), 'put it there'],
    ['names of free text', z.string().meta({ enumNames: ['A'] }), 'names the choices of an enum'],
    ['names inside that do not fit', z.array(z.enum(['a', 'b']).meta({ enumNames: ['A'] })), '1 names for 2'],
    [
      'legacy names of too many',
      z.enum(['a']).meta({ legacyEnumNames: ['A', 'B'] }),
      '2 names for 1 choices',
    ],
  ])('refuses %s, and says what to do', (_what, schema, words) => {
    expect(() => compile(z.object({ p: schema }))).toThrow(words);
  });
});

/** What the MCP SDK makes of a form on its way to a client: it strips, silently, what it does not know. */
function onTheWire(requestedSchema: FormJsonSchema): unknown {
  const request = { method: 'elicitation/create', params: { mode: 'form', message: 'm', requestedSchema } };
  const { params } = ElicitRequestSchema.parse(JSON.parse(JSON.stringify(request)));
  return 'requestedSchema' in params ? params.requestedSchema : undefined;
}
