import { expect, it } from 'vitest';
import * as z from 'zod';
import { inputOf, modelSchemaOf } from '#src/runtime/sampling/model-schema.ts';

const list = modelSchemaOf(z.array(z.string()).nullable(), 'the list');

it('what is no object goes to a model in one, and comes out of it again', () => {
  expect(list).toMatchObject({ wrapped: true, json: { type: 'object', required: ['value'] } });
  expect(inputOf({ value: ['a'] }, list)).toEqual(['a']);
  expect(inputOf('{"value":["a"]}', list)).toEqual(['a']);
});

it('what a model gives without the object around it is taken as it is', () => {
  expect(inputOf(['a'], list)).toEqual(['a']);
  expect(inputOf('["a"]', list)).toEqual(['a']);
  expect(inputOf(null, list)).toBeNull();
  expect(inputOf('null', list)).toBeNull();
  expect(inputOf('no JSON', list)).toBe('no JSON');
});

it('an object that has a value of its own stays whole', () => {
  const own = modelSchemaOf(z.object({ value: z.string() }), 'the object');
  expect(own.wrapped).toBe(false);
  expect(inputOf({ value: 'a' }, own)).toEqual({ value: 'a' });
});
