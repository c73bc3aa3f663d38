import { AjvJsonSchemaValidator as Ajv2 } from '@modelcontextprotocol/client/validators/ajv';
import { AjvJsonSchemaValidator as Ajv1 } from '@modelcontextprotocol/sdk/validation/ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as z3 from 'zod/v3';
import { createMcpTool } from '#src/core/index.ts';
import { isObject } from '#src/core/schema/is-object.ts';
import { jsonSchemaOf } from '#src/core/schema/json-schema-of.ts';
import { DRAWN } from '#src/core/schema/sayable.ts';
import type { Schema } from '#src/core/schema/schema.ts';
import { listedSchema } from '#src/mcp/client/schema/listed-schema.ts';

const TEXTS = [
  ...[
    '',
    'a',
    'AB-12',
    'ab-12',
    'a-b:c',
    'a\nb',
    '🙂',
    '🙂🙂',
    'jörg@exämple.com',
    'ada@b-.example.com',
    'ada@example.com',
    'x@a-b.co',
  ],
  ...[
    'https://de.wikipedia.org/wiki/Zürich',
    'http://a b.c/ d',
    'file:///C:/My Files',
    'mailto:a',
    'localhost',
    'a.example.',
    'a_b',
  ],
  ...[
    '2020-02-29',
    '2023-02-29',
    '2020-01-01T06:15Z',
    '2020-01-01T06:15:00Z',
    '2020-01-01T06:15:00',
    '2020-01-01T06:15:00+02:00',
    '06:15',
    '06:15:00',
    '23:59:60Z',
    'P1.5D',
    'PT3H',
    'P1W2D',
  ],
  ...[
    '127.0.0.1',
    '::1',
    '::ffff:1.2.3.4',
    'fe80::1%eth0',
    '1::',
    '10.0.0.0/8',
    '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
    '00000000-0000-0000-0000-000000000000',
    'aGk=',
    'aGk',
    '+491234567',
    'p{L}',
    '  pad ',
    '3',
    '1.5',
    'c🙂🙂🙂🙂',
  ],
];
const PATTERNS = [
  ...[
    ['^[\\p{L}--[a-z]]+$', 'v'],
    ['\\u{61}', ''],
  ].map(([source = '', flags]) => new RegExp(source, flags)),
  ...[
    /^a-b:c$/,
    /^[a-z]{2}-\d+$/i,
    /^a.b$/s,
    /^b$/m,
    /^.{2}$/,
    /^.{4,}$/u,
    /^[^x]{4}$/,
    /^\S+$/,
    /^\p{L}+$/u,
    /^p{L}+$/,
  ],
  ...[
    /^[🙂]{2}$/u,
    /[\u{1F642}]/u,
    /^(?=.*\d).{5,}$/,
    /^\W\W$/,
    /^[\s\S]{2}$/,
    /^a_b/,
    /-\d/y,
    /B/gi,
    /]/,
    /^a{,2}/,
    /(?<year>\d{4})/,
  ],
];

const formats: readonly (() => z.ZodType)[] = [
  ...[
    z.email,
    z.url,
    z.uuid,
    z.guid,
    z.ipv4,
    z.ipv6,
    z.cidrv4,
    z.base64,
    z.base64url,
    z.e164,
    z.cuid,
    z.emoji,
    z.nanoid,
    z.hostname,
    z.iso.date,
    z.iso.time,
    z.iso.datetime,
    z.iso.duration,
  ],
  () => z.email({ pattern: z.regexes.unicodeEmail }),
  () => z.iso.datetime({ local: true, offset: true }),
  () => z.iso.datetime({ precision: -1 }),
];
const text = fc.oneof(
  fc.constantFrom(...formats).map((made) => made()),
  fc
    .array(fc.constantFrom(...PATTERNS), { maxLength: 2 })
    .map((all) => all.reduce((one, pattern) => one.regex(pattern), z.string())),
  fc.tuple(fc.nat(4), fc.nat(4)).map(([min, max]) =>
    z
      .string()
      .min(min)
      .max(min + max),
  ),
  fc.constantFrom(
    ...[
      z.string().min(3).trim(),
      z.string().trim().max(3),
      z
        .string()
        .toLowerCase()
        .regex(/^[a-z]/),
      z.string().toUpperCase().startsWith('A'),
    ],
    ...[
      z.string().startsWith('a'),
      z.string().endsWith('.com'),
      z.string().includes('🙂'),
      z.string().lowercase(),
      z.string().uppercase(),
    ],
    ...[
      z.templateLiteral(['a', z.string().min(2)]),
      z.templateLiteral([z.number(), '-', z.boolean()]),
      z.string().max(Number.POSITIVE_INFINITY),
    ],
    z.string().check(z.ipv6()),
    z
      .string()
      .transform((one) => one.length)
      .pipe(z.number()),
  ),
);
const number = fc.oneof(
  fc.constantFrom(0.1, 0.01, 3, 1e-7).map((step) => z.number().multipleOf(step)),
  fc.constantFrom(
    z.int(),
    z.number(),
    z.int().multipleOf(3),
    z.number().max(Number.POSITIVE_INFINITY),
    z.number().min(2).overwrite(Math.sqrt),
  ),
  fc.tuple(fc.integer({ min: -3, max: 3 }), fc.nat(3)).map(([min, more]) =>
    z
      .number()
      .gt(min)
      .lte(min + more),
  ),
);
const { schema } = fc.letrec<{ schema: z.ZodType }>((tie) => {
  const one = tie('schema');
  return {
    schema: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      text,
      number,
      fc.constantFrom<z.ZodType>(
        z.any(),
        z.unknown(),
        z.null(),
        z.boolean(),
        z.enum(['a', '3']),
        z.literal(['a', 3]),
        z.never(),
      ),
      fc
        .dictionary(fc.constantFrom('a', 'b', 'default', '__proto__x'), one, { maxKeys: 3 })
        .map((shape) => z.object(shape)),
      fc.dictionary(fc.constantFrom('a', 'b'), one, { maxKeys: 2 }).map((shape) => z.strictObject(shape)),
      fc.tuple(one, one).map((both) => z.union(both)),
      fc.tuple(one, one).map((both) => z.xor(both)),
      fc.tuple(one, one).map(([a, b]) => z.object({ a }).and(z.object({ b }))),
      fc.tuple(one, one).map(([a, b]) => z.tuple([a], b)),
      fc.tuple(one, one).map((both) => z.tuple(both)),
      fc
        .tuple(one, one)
        .map(([a, b]) =>
          z.discriminatedUnion('k', [z.object({ k: z.literal('x'), a }), z.object({ k: z.literal('y'), b })]),
        ),
      one.map((a) => z.array(a)),
      fc.tuple(one, text).map(([a, key]) => z.record(key as z.ZodString, a)),
      fc.tuple(one, text).map(([a, key]) => z.looseRecord(key as z.ZodString, a)),
      one.map((a) => z.record(z.enum(['a', 'b']), a)),
      one.map((a) => z.partialRecord(z.enum(['a', 'b']), a)),
      one.map((a) => z.record(z.number(), a)),
      ...[
        (a: z.ZodType) => a.optional(),
        (a: z.ZodType) => a.nullable(),
        (a: z.ZodType) => z.lazy(() => a),
        (a: z.ZodType) => a.readonly(),
        (a: z.ZodType) => a.describe('d'),
      ].map((by) => one.map(by)),
      one.map((a) => a.refine(() => true)),
    ),
  };
});

/** Values that a schema may take, led by its own shape. */
function valueFor(made: z.ZodType): fc.Arbitrary<unknown> {
  const def = made.def as unknown as { readonly type: string } & Readonly<Record<string, unknown>>;
  const inner = (key: string): z.ZodType => def[key] as z.ZodType;
  const record = (shape: Record<string, z.ZodType>, also: Record<string, fc.Arbitrary<unknown>> = {}) =>
    fc.record({
      ...Object.fromEntries(Object.entries(shape).map(([key, part]) => [key, valueFor(part)])),
      ...also,
    });
  switch (def.type) {
    case 'string':
    case 'template_literal':
      return fc.constantFrom(...TEXTS);
    case 'number':
      return fc.oneof(fc.constantFrom(0.3, 0.7, 1.1, 3e-7, 2.5, 1e21, 9, 4), fc.integer({ min: -4, max: 9 }));
    case 'object':
      return record(def.shape as Record<string, z.ZodType>, {});
    case 'array':
      return fc.array(valueFor(inner('element')), { maxLength: 3 });
    case 'tuple': {
      const { items, rest } = def as unknown as { items: z.ZodType[]; rest: z.ZodType | null };
      return fc
        .tuple(
          fc.tuple(...items.map(valueFor)),
          rest ? fc.array(valueFor(rest), { maxLength: 2 }) : fc.constant([]),
        )
        .map((parts) => parts.flat());
    }
    case 'record':
      return fc.dictionary(fc.constantFrom('a', 'b', ...TEXTS), valueFor(inner('valueType')), { maxKeys: 3 });
    case 'union':
      return fc.oneof(...(def.options as z.ZodType[]).map(valueFor));
    case 'intersection':
      return fc
        .tuple(valueFor(inner('left')), valueFor(inner('right')))
        .map(([a, b]) => Object.assign({}, a, b));
    case 'enum':
    case 'literal':
      return fc.constantFrom('a', '3', 3, 'x', 'y');
    case 'optional':
      return fc.option(valueFor(inner('innerType')), { nil: undefined });
    case 'nullable':
      return fc.option(valueFor(inner('innerType')));
    case 'readonly':
      return valueFor(inner('innerType'));
    case 'lazy':
      return valueFor((def as unknown as { getter: () => z.ZodType }).getter());
    case 'pipe':
      return valueFor(inner('in'));
    case 'boolean':
      return fc.boolean();
    default:
      return fc.constantFrom(undefined, null, 1, 'a', [undefined]);
  }
}

const ajv1 = new Ajv1();
const ajv2 = new Ajv2();

/** What official clients say to a value, on the wire. */
function refusals(json: object, value: unknown): readonly string[] {
  const sent: unknown = JSON.parse(JSON.stringify({ value })).value;
  const wrapped = (of: object) => ({
    type: 'object',
    properties: { value: of },
    $defs: (of as { $defs?: object }).$defs,
  });
  return [ajv1, ajv2].flatMap((ajv) => {
    const { errorMessage } = ajv.getValidator(structuredClone(wrapped(json)) as never)({ value: sent });
    return errorMessage === undefined ? [] : [errorMessage];
  });
}

function patterns(json: unknown): string[] {
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries(json).flatMap(([key, value]) => {
    if (key === 'patternProperties' && isObject(value)) return [...Object.keys(value), ...patterns(value)];
    return key === 'pattern' && typeof value === 'string' ? [value] : patterns(value);
  });
}

/** Without what fields are drawn by: nobody but us checks arguments and answers. */
const undrawn = (json: object): object =>
  JSON.parse(
    JSON.stringify(json, (key, value) =>
      DRAWN.includes(key) && typeof value !== 'object' ? undefined : value,
    ),
  );

describe('a published schema', () => {
  it('takes what its zod schema gives, in the validators of both SDKs', { timeout: 120_000 }, () => {
    let taken = 0;
    fc.assert(
      fc.property(
        schema.chain((made) =>
          fc.tuple(fc.constant(made), fc.array(valueFor(made), { minLength: 3, maxLength: 6 })),
        ),
        ([made, values]) => {
          const json = jsonSchemaOf(made, 'output', 'x');
          const given = jsonSchemaOf(made, 'input', 'x');
          for (const source of patterns([json, given])) new RegExp(source, 'u');
          for (const value of values) {
            const { success, data } = made.safeParse(value);
            if (!success) continue;
            taken++;
            expect(refusals(json, data), JSON.stringify([json, data])).toEqual([]);
            // On the input side lengths and steps of patterns are counted as forms count them: in units.
            if (/[\u{10000}-\u{10ffff}]/u.test(JSON.stringify({ value }))) continue;
            expect(refusals(undrawn(given), value), JSON.stringify([given, value])).toEqual([]);
          }
        },
      ),
      { numRuns: 600 },
    );
    expect(taken).toBeGreaterThan(500);
  });

  it('has the patterns that say the same to all', () => {
    const made = z.object({
      a: z.string().regex(/^[a-z]{2}-\d+$/),
      b: z.string().startsWith('a').endsWith('b'),
      c: z.uuid(),
      d: z.iso.date(),
    });
    const json = JSON.stringify(jsonSchemaOf(made, 'output', 'x'));
    for (const said of ['^[a-z]{2}-\\\\d+$', '^a.*', '.*b$', '"uuid"', '"date"'])
      expect(json).toContain(said);
    expect(JSON.stringify(jsonSchemaOf(z.string().regex(/^.{3}$/), 'input', 'x'))).toContain('.{3}');
  });

  it.each([
    ['zod 3', z3.object({ a: z3.string().regex(/^a-b$/), default: z3.string().regex(/^[a\-z]:$/i) })],
    [
      'a server',
      listedSchema({
        type: 'object',
        properties: { default: { pattern: '^\\-$' }, pattern: { type: 'string' } },
      }),
    ],
  ])('of %s has no pattern that clients cannot compile', (_by, made) => {
    const json = jsonSchemaOf(made as Schema, 'output', 'x');
    for (const source of patterns(json)) new RegExp(source, 'u');
    expect(Object.keys(json.properties ?? {})).toHaveLength(2);
  });

  it('leaves the data of a schema as it is', () => {
    const json = {
      type: 'object',
      properties: { a: { default: { pattern: '\\-' }, enum: [{ pattern: '\\-' }] } },
    };
    expect(jsonSchemaOf(listedSchema(json), 'output', 'x')).toEqual(json);
  });

  it('of a form takes what the person may type', () => {
    const tool = createMcpTool('t')
      .description('d')
      .parameters(
        z.object({
          code: z.string().regex(/^[a-z]{2}-\d+$/i),
          low: z
            .string()
            .toLowerCase()
            .regex(/^[a-z]+$/),
        }),
      )
      .elicits({})
      .execute(function* () {
        return 1;
      });
    expect(JSON.stringify(tool.def.parameters.json)).not.toContain('pattern');
  });
});
