import { describe, expect, it } from 'vitest';
import { compileFormSchema } from '#src/core/form/compile-form-schema.ts';
import { foreignForm } from '#src/mcp/client/schema/foreign-form.ts';

const place = { of: 'a test' };

/** A form of one field as it is drawn, and what the server is told of an answer to it. */
function asked(field: object, answer: unknown, beside: object = {}) {
  const form = foreignForm({ type: 'object', properties: { field }, ...beside });
  const read = form.schema['~standard'].validate({ field: answer });
  return {
    drawn: compileFormSchema(form.schema, place).properties.field,
    told: read instanceof Promise || read.issues ? read : read.value.field,
    defaults: form.defaults.field,
  };
}

const Level = { enum: [1, 2, 3], type: 'integer', title: 'Level' };
const Colour = { enum: ['red', 'blue'], type: 'string' };
const refs = { $defs: { Level, Colour } };
const plain = { type: 'string', enum: ['red', 'blue'] };

describe('a field as servers write it', () => {
  it.each([
    [
      'of null or a number',
      { anyOf: [{ type: 'integer' }, { type: 'null' }], default: null },
      { type: 'integer' },
      2,
      2,
    ],
    ['of two types, one null', { type: ['string', 'null'] }, { type: 'string' }, 'a', 'a'],
    ['by a reference', { $ref: '#/$defs/Colour' }, plain, 'red', 'red'],
    [
      'by all of one',
      { allOf: [{ $ref: '#/$defs/Colour' }], title: 'C' },
      { ...plain, title: 'C' },
      'red',
      'red',
    ],
    [
      'by a reference or null',
      { anyOf: [{ $ref: '#/$defs/Colour' }, { type: 'null' }] },
      plain,
      'blue',
      'blue',
    ],
    ['of numbers to choose', Level, { type: 'string', title: 'Level', enum: ['1', '2', '3'] }, '2', 2],
    [
      'of yes, no or null',
      { enum: [true, false, null] },
      { type: 'string', enum: ['true', 'false'] },
      'true',
      true,
    ],
    ['of a constant', { const: 7 }, { type: 'string', enum: ['7'] }, '7', 7],
    [
      'of one of titled',
      { oneOf: [{ const: 'a', title: 'A' }] },
      { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
      'a',
      'a',
    ],
    [
      'of one of titled numbers',
      { oneOf: [{ const: 1, title: 'One' }] },
      { type: 'string', oneOf: [{ const: '1', title: 'One' }] },
      '1',
      1,
    ],
    ['of any list', { type: 'array' }, { type: 'array', items: { type: 'string' } }, ['a'], ['a']],
    [
      'of a list of numbers',
      { type: 'array', items: { type: 'integer' } },
      { type: 'array', items: { type: 'string' } },
      ['1'],
      [1],
    ],
    [
      'of a list of choices',
      { type: 'array', items: { $ref: '#/$defs/Level' } },
      { type: 'array', items: { type: 'string', enum: ['1', '2', '3'] } },
      ['3'],
      [3],
    ],
    ['of an unknown format', { type: 'string', format: 'time' }, { type: 'string' }, '1:00', '1:00'],
    [
      'of a text or a number',
      { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      { type: 'string' },
      '5',
      '5',
    ],
    [
      'of an integer or a number',
      { anyOf: [{ type: 'integer' }, { type: 'number' }] },
      { type: 'number' },
      5,
      5,
    ],
    ['of anything', {}, { type: 'string' }, 'x', 'x'],
    ['in a circle', { $ref: '#/properties/field' }, { type: 'string' }, 'x', 'x'],
  ])('%s is drawn, and answered as its server calls it', (_what, field, drawn, answer, told) => {
    expect(asked(field, answer, refs)).toEqual({ drawn, told, defaults: undefined });
  });

  it('with a default that is a number of several is drawn with it, and told where it is left empty', () => {
    const { drawn, defaults } = asked({ ...Level, default: 2 }, '1');
    expect(drawn).toEqual({ type: 'string', title: 'Level', enum: ['1', '2', '3'], default: '2' });
    expect(defaults).toBe(2);
  });

  const Place = {
    type: 'object',
    properties: {
      street: { type: 'string', minLength: 2 },
      number: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    },
    required: ['street'],
  };
  it.each([
    [
      'of fields',
      Place,
      'Enter JSON, such as {"street":"text","number":1}',
      '{"street":"Kai"}',
      { street: 'Kai' },
    ],
    [
      'of a list of fields',
      { type: 'array', items: { $ref: '#/$defs/Place' }, description: 'Stops' },
      'Stops. Enter JSON, such as [{"street":"text","number":1}]',
      '[{"street":"Kai","number":7}]',
      [{ street: 'Kai', number: 7 }],
    ],
    [
      'of fields or null',
      { anyOf: [{ type: 'null' }, { $ref: '#/$defs/Place' }], default: null },
      'Enter JSON, such as {"street":"text","number":1}',
      '{"street":"Kai"}',
      { street: 'Kai' },
    ],
    [
      'of fields in a circle',
      { $ref: '#/$defs/Tree' },
      expect.stringContaining('such as {"leaf":'),
      '{"leaf":{"leaf":{}}}',
      { leaf: { leaf: {} } },
    ],
    [
      'of fields of any name',
      { type: 'object', additionalProperties: { type: 'integer' } },
      'Enter JSON, such as {}',
      '{"a":1}',
      { a: 1 },
    ],
    ['of fields or a text', { type: ['object', 'string'] }, 'Enter JSON, such as "text"', '"x"', 'x'],
  ])('%s is entered as JSON, and told as its server has it', (_what, field, description, answer, told) => {
    const $defs = { Place, Tree: { type: 'object', properties: { leaf: { $ref: '#/$defs/Tree' } } } };
    const { drawn, ...rest } = asked(field, answer, { $defs, required: ['field'] });
    expect(drawn).toEqual({ type: 'string', multiline: true, description });
    expect(rest).toEqual({ told, defaults: undefined });
  });

  it('of fields has its default as JSON, and is asked again where it does not fit', () => {
    const { drawn, defaults } = asked({ ...Place, default: { street: 'Kai' } }, '{"street":"Kai"}');
    expect([drawn, defaults]).toMatchObject([{ default: '{"street":"Kai"}' }, { street: 'Kai' }]);
    for (const [answer, path, message] of [
      ['Kai 7', [], 'it is not JSON'],
      ['{}', ['street'], 'it is required'],
      ['{"street":"K"}', ['street'], 'it is shorter than 2 characters'],
      ['[]', [], 'expected object, received array'],
    ] as const)
      expect(asked(Place, answer).told).toEqual({ issues: [{ path: ['field', ...path], message }] });
  });
});

it('a form that is made to cost much is read in a moment', () => {
  const anyOf = Array.from({ length: 50 }, () => ({ $ref: '#/$defs/all' }));
  const { drawn } = asked({ $ref: '#/$defs/all' }, 'x', { $defs: { all: { anyOf } } });
  expect(drawn).toEqual({ type: 'string' });
});
