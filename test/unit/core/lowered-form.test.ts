import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { compileFormSchema } from '#src/core/form/compile-form-schema.ts';
import { fromWireForm, wireForm } from '#src/core/form/wire-form.ts';

const draws = { fields: ['text', 'choice', 'yesNo'], defaults: ['choice', 'yesNo'] } as const;
const toppings = z.enum(['c', 'h', 'o']).meta({ enumNames: ['Cheese', 'Ham, smoked', 'Olives'] });

const form = (fields: z.ZodRawShape) => compileFormSchema(z.object(fields), { of: "tool 'probe'" });
const lowered = (field: z.ZodType) => wireForm(form({ a: field }), draws).properties.a;
const read = (field: z.ZodType, value: string | null) => fromWireForm(form({ a: field }), { a: value });

describe('a form for a client that draws few kinds of fields', () => {
  it.each<[string, z.ZodType, object]>([
    [
      'a whole number is a text',
      z.int().min(1).max(9),
      { type: 'string', description: 'a whole number from 1 to 9' },
    ],
    [
      'a bound is told',
      z.number().min(0).meta({ description: 'Price' }),
      { type: 'string', description: 'Price (a number, 0 or more)' },
    ],
    [
      'a default is words',
      z.int().default(2),
      { type: 'string', description: 'a whole number (proposed: 2)' },
    ],
    ['so is that of a text', z.string().default('x'), { type: 'string', description: 'proposed: x' }],
    ['that of yes or no stays', z.boolean().default(true), { type: 'boolean', default: true }],
    [
      'choices are a text',
      z.array(toppings).default(['h']),
      {
        type: 'string',
        description: 'any of these, with commas between: Cheese, Ham, smoked, Olives (proposed: Ham, smoked)',
      },
    ],
  ])('%s', (_, field, expected) => {
    expect(lowered(field)).toEqual(expected);
  });

  it.each<[string, z.ZodType, string | null, unknown]>([
    ['a number', z.int(), ' 7 ', { a: 7 }],
    ['a fraction', z.number(), '-1.5e2', { a: -150 }],
    ['what is no number stays for the schema', z.int(), 'two', { a: 'two' }],
    ['yes', z.boolean(), 'Yes', { a: true }],
    ['no', z.boolean(), 'false', { a: false }],
    ['a label for its value', toppings, 'ham, smoked', { a: 'h' }],
    ['choices with commas, one in its label', z.array(toppings), 'Olives, ham, smoked', { a: ['o', 'h'] }],
    ['choices by value and line', z.array(toppings), 'c\nOlives\n', { a: ['c', 'o'] }],
    ['what is no choice stays for the schema', z.array(toppings), 'Cheese, Tuna', { a: ['c', 'Tuna'] }],
    ['an empty number', z.int(), '', {}],
    ['an empty choice', toppings, '', {}],
    ['nothing at all', z.string(), null, {}],
    ['an empty text', z.string(), '', { a: '' }],
    ['an empty mail that may be left out', z.email().optional(), '', {}],
  ])('%s is read', (_, field, value, expected) => {
    expect(read(field, value)).toEqual(expected);
  });

  it('reads back every number and every set of choices that it was told in words', () => {
    for (const value of [0, -0.5, 1e21, 123456789, 5e-7, Number.MAX_SAFE_INTEGER])
      expect(read(z.number(), String(value))).toEqual({ a: value });
    const odd = z.enum(['a', 'a, b', 'B', '1']);
    for (const values of [[], ['a'], ['a, b', 'a'], ['1', 'B', 'a'], ['a', 'B', 'a, b', '1']])
      expect(read(z.array(odd).min(1), values.join(', '))).toEqual(values.length > 0 ? { a: values } : {});
  });

  it('stays the same for all other clients, and reads a form of 100 fields', () => {
    const fields = Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [`f${at}`, z.int().default(at)]),
    );
    const json = form(fields);
    expect(wireForm(json)).toBe(wireForm(json));
    expect(wireForm(json).properties.f3).toEqual({ type: 'integer', default: 3 });
    const answer = Object.fromEntries(Object.keys(fields).map((name) => [name, '7']));
    expect(Object.values(fromWireForm(json, answer) as object)).toEqual(Array(100).fill(7));
  });
});

describe('a form for a client that sends no empty text at its end', () => {
  const sent = (fields: z.ZodRawShape) =>
    wireForm({ ...form(fields), replies: 'reply' }, { ...draws, emptyText: false }).properties;

  it.each<[string, z.ZodRawShape]>([
    ['a text that may stay empty', { b: z.string().optional(), a: z.string() }],
    ['a whole number with a default', { b: z.int().default(2) }],
  ])('ends in a choice that sends it after %s, which is no part of the answer', (_, fields) => {
    const wire = sent(fields);
    expect(Object.keys(wire).sort()).toEqual([...Object.keys(fields).sort(), 'b_send']);
    expect(wire.b_send).toMatchObject({ type: 'string', enum: ['Send'] });
    expect(fromWireForm(form(fields), { b_send: 'Send' })).toEqual({});
  });

  it.each<[string, z.ZodRawShape]>([
    ['a text that has to be there', { a: z.string().optional(), b: z.string().min(1) }],
    ['a yes or no', { a: z.string().optional(), b: z.boolean().optional() }],
    ['a field that is called so', { b: z.string().min(1), b_send: z.boolean() }],
    ['no field', {}],
  ])('has no more fields after %s, not even one for a reply', (_, fields) => {
    expect(Object.keys(sent(fields))).toEqual(Object.keys(fields));
  });
});
