import { describe, expect, it } from 'vitest';
import { fillInAgain } from '#src/core/form/fill-in.ts';
import type { FormJsonSchema } from '#src/core/form/form-schema.ts';

const form: FormJsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'nobody' },
    age: { type: 'integer' },
    colour: { type: 'string', enum: ['red', 'blue'] },
    tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
    apiKey: { type: 'string' },
  },
};

const defaultsOf = (values: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(fillInAgain(form, values).properties).flatMap(([name, property]) =>
      property.default === undefined ? [] : [[name, property.default]],
    ),
  );

describe('a form that is shown again', () => {
  it('begins with what was answered before', () => {
    const values = { name: 'Ada', age: 36, colour: 'red', tags: ['b'] };
    expect(defaultsOf(values)).toEqual(values);
  });

  it('leaves out what has no place in it any more, and secrets', () => {
    const values = { name: 7, age: 1.5, colour: 'green', tags: ['c'], apiKey: 'k', gone: 1 };
    expect(defaultsOf(values)).toEqual({ name: 'nobody' });
    expect(defaultsOf(JSON.parse('{"__proto__": {"age": 1}, "constructor": 1}'))).toEqual({ name: 'nobody' });
  });
});
