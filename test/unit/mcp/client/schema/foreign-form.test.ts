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

  it('that is of fields is left out where it may stay empty, and refused where it may not', () => {
    const nested = { type: 'object', properties: { more: { type: 'object' }, name: { type: 'string' } } };
    const form = foreignForm(nested);
    expect(Object.keys(compileFormSchema(form.schema, place).properties)).toEqual(['name']);
    expect(form.leftOut).toEqual(['more']);
    const wanted = foreignForm({ ...nested, required: ['more'] });
    expect(() => compileFormSchema(wanted.schema, place)).toThrow('forms do not nest');
  });
});

it('a form that is made to cost much is read in a moment', () => {
  const anyOf = Array.from({ length: 50 }, () => ({ $ref: '#/$defs/all' }));
  const { drawn } = asked({ $ref: '#/$defs/all' }, 'x', { $defs: { all: { anyOf } } });
  expect(drawn).toEqual({ type: 'string' });
});
