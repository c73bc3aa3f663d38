import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonSchema, JsonValue } from '#src/core/messages/json.ts';
import { fieldsOf, initialRaw } from '#webview/form/kinds.ts';
import { validateForm } from '#webview/form/validate-form.ts';

/** A property of the restricted schema with a value that it allows. */
const property: fc.Arbitrary<{ schema: JsonSchema; value: JsonValue }> = fc.oneof(
  fc.string({ minLength: 1, maxLength: 20 }).map((value) => ({ schema: { type: 'string' }, value })),
  fc
    .string({ minLength: 3, maxLength: 9 })
    .map((value) => ({ schema: { type: 'string', minLength: 3, maxLength: 9 }, value })),
  fc
    .date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
    .map((date) => ({ schema: { type: 'string', format: 'date' }, value: date.toISOString().slice(0, 10) })),
  fc
    .date({ min: new Date('1970-01-02'), max: new Date('2199-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString())
    .map((value) => ({ schema: { type: 'string', format: 'date-time', default: value }, value })),
  fc
    .integer({ min: -50, max: 50 })
    .map((value) => ({ schema: { type: 'integer', minimum: -50, maximum: 50 }, value })),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => ({ schema: { type: 'number' }, value: Object.is(value, -0) ? 0 : value })),
  fc.boolean().map((value) => ({ schema: { type: 'boolean' }, value })),
  fc
    .uniqueArray(fc.string(), { minLength: 1, maxLength: 9 })
    .chain((choices) =>
      fc.constantFrom(...choices).map((value) => ({ schema: { type: 'string', enum: choices }, value })),
    ),
  fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 9 }).chain((choices) =>
    fc.subarray(choices).map((value) => ({
      schema: {
        type: 'array',
        items: { anyOf: choices.map((choice) => ({ const: choice, title: `The ${choice}` })) },
      },
      value,
    })),
  ),
  fc
    .array(fc.string({ minLength: 1 }))
    .map((value) => ({ schema: { type: 'array', items: { type: 'string' } }, value })),
  fc.array(fc.record({ a: fc.string({ minLength: 1 }), b: fc.boolean() })).map((value) => ({
    schema: {
      type: 'array',
      items: {
        type: 'object',
        required: ['a', 'b'],
        properties: { a: { type: 'string' }, b: { type: 'boolean' } },
      },
    },
    value,
  })),
  fc
    .dictionary(fc.string({ minLength: 1 }), fc.integer(), { minKeys: 1, noNullPrototype: true })
    .map((value) => ({ schema: { type: 'object', additionalProperties: { type: 'integer' } }, value })),
  fc.json().map((text) => ({ schema: {}, value: JSON.parse(text) as JsonValue })),
);

const form = fc.dictionary(fc.string({ minLength: 1 }), fc.tuple(property, fc.boolean()), { maxKeys: 6 });

it('values that a schema allows come back from the form as they went in', () => {
  fc.assert(
    fc.property(form, (properties) => {
      const entries = Object.entries(properties);
      const schema = {
        type: 'object',
        properties: Object.fromEntries(entries.map(([name, [{ schema }]]) => [name, schema])),
        required: entries.filter(([, [, required]]) => required).map(([name]) => name),
      };
      const values = Object.fromEntries(entries.map(([name, [{ value }]]) => [name, value]));
      const fields = fieldsOf(schema);
      expect(validateForm(fields, initialRaw(fields, values))).toEqual({ ok: true, content: values });
    }),
  );
});

it('whatever is typed, the form answers or explains, and never throws', () => {
  const raw = fc.oneof(fc.string(), fc.boolean(), fc.array(fc.string()), fc.constant(undefined));
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), property),
      fc.dictionary(fc.string(), raw),
      (properties, typed) => {
        const fields = fieldsOf({
          type: 'object',
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, { schema }]) => [name, schema]),
          ),
          required: ['a'],
        });
        const checked = validateForm(fields, typed);
        if (checked.ok) return Object.keys(checked.content).every((name) => Object.hasOwn(properties, name));
        return [...checked.errors.values()].every((error) => error.length > 0);
      },
    ),
  );
});
