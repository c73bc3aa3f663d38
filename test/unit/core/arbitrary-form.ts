import fc from 'fast-check';
import * as z from 'zod';

/** A schema within what forms can say exactly, and answers that are sometimes right. */
export interface ArbitraryForm {
  readonly zod: z.ZodType;
  readonly answers: ReadonlyArray<Readonly<Record<string, unknown>>>;
}

const words = ['', 'a', 'bb', 'ccc', 'dddd'];
const values: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...words),
  fc.integer({ min: -6, max: 6 }),
  fc.constantFrom(-1.5, 0.5, 2.5),
  fc.boolean(),
  fc.array(fc.constantFrom(...words, 1), { maxLength: 3 }),
  fc.constant(null),
);

const bounds = fc.tuple(
  fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }),
  fc.option(fc.integer({ min: 2, max: 4 }), { nil: undefined }),
);

const text = bounds.map(([min, max]) => {
  let schema = z.string();
  if (min !== undefined) schema = schema.min(min);
  if (max !== undefined) schema = schema.max(max);
  return schema;
});

const integer = fc
  .tuple(bounds, fc.boolean(), fc.boolean())
  .map(([[min, max], exclusive, fraction]): z.ZodType => {
    let schema = z.int();
    const off = fraction ? 0.5 : 0;
    if (min !== undefined) schema = exclusive ? schema.gt(min - 3 + off) : schema.gte(min - 3 + off);
    if (max !== undefined) schema = exclusive ? schema.lt(max + off) : schema.lte(max + off);
    return schema;
  });

const number = bounds.map(([min, max]): z.ZodType => {
  let schema = z.number();
  if (min !== undefined) schema = schema.min(min);
  if (max !== undefined) schema = schema.max(max);
  return schema;
});

const choices = fc.uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 4 });
const named = (values: readonly string[]) =>
  z.enum(values).meta({ enumNames: values.map((value) => `«${value}»`) });
const literals = (values: readonly string[]) =>
  z.union(values.map((value) => z.literal(value).meta({ title: `«${value}»` })));
const choice: fc.Arbitrary<z.ZodType> = fc
  .tuple(
    choices,
    fc.constantFrom<(values: readonly string[]) => z.ZodType>((v) => z.enum(v), named, literals),
  )
  .map(([values, make]) => make(values));

const several = fc.tuple(choice, bounds).map(([item, [min, max]]): z.ZodType => {
  let schema = z.array(item);
  if (min !== undefined) schema = schema.min(min);
  if (max !== undefined) schema = schema.max(max);
  return schema;
});

const field = fc
  .tuple(
    fc.oneof<fc.Arbitrary<z.ZodType>[]>(text, integer, number, fc.constant(z.boolean()), choice, several),
    fc.constantFrom('required', 'optional', 'described', 'titled'),
  )
  .map(([schema, how]): z.ZodType => {
    if (how === 'optional') return schema.optional();
    if (how === 'described') return schema.describe('what it is');
    return how === 'titled' ? schema.meta({ title: 'Its title' }) : schema;
  });

const names = ['a', 'b', 'c d', 'constructor'];

/** Random forms with random answers to them. */
export const formSchemas: fc.Arbitrary<ArbitraryForm> = fc
  .dictionary(fc.constantFrom(...names), field, { maxKeys: 3, noNullPrototype: true })
  .chain((shape) =>
    fc.record({
      zod: fc.constant(z.object(shape)),
      answers: fc.array(answersTo(Object.keys(shape)), { minLength: 5, maxLength: 15 }),
    }),
  );

function answersTo(fields: readonly string[]): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const each = fc.option(values, { nil: undefined, freq: 6 });
  return fc
    .record(Object.fromEntries(fields.map((name) => [name, each])))
    .map((answer) => Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== undefined)));
}
