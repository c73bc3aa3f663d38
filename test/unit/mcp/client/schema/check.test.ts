import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '#src/core/messages/json.ts';
import { problemsOf } from '#src/mcp/client/schema/check.ts';

const said = (field: JsonSchema, value: unknown) =>
  problemsOf({ properties: { field } }, { field: value }).map(
    ({ path = [], message }) => `${path.join('.')}: ${message}`,
  );

describe('a field that a server describes', () => {
  it.each([
    [{ type: 'string' }, 1, 'field: expected string, received number'],
    [{ type: ['string', 'null'] }, true, 'field: expected string or null, received boolean'],
    [{ enum: ['a', 'b'] }, 'c', 'field: expected one of "a", "b"'],
    [{ const: 'a' }, 'b', 'field: expected "a"'],
    [{ type: 'string', minLength: 2 }, 'a', 'field: it is shorter than 2 characters'],
    [{ type: 'string', maxLength: 2 }, 'abc', 'field: it is longer than 2 characters'],
    [{ type: 'integer' }, 1.5, 'field: expected integer, received number'],
    [{ minimum: 2 }, 1, 'field: it is less than 2'],
    [{ maximum: 2 }, 3, 'field: it is more than 2'],
    [{ exclusiveMinimum: 2 }, 2, 'field: it is not more than 2'],
    [{ exclusiveMaximum: 2 }, 2, 'field: it is not less than 2'],
    [{ type: 'array', minItems: 1 }, [], 'field: there are fewer than 1'],
    [{ type: 'array', maxItems: 1 }, [1, 2], 'field: there are more than 1'],
    [{ type: 'array', items: { type: 'string' } }, ['a', 1], 'field.1: expected string, received number'],
  ])('as %j does not fit %j', (field, value, problem) => {
    expect(said(field, value)).toEqual([problem]);
  });

  it.each([
    [{ type: 'string', maxLength: 2 }, '😀😀'],
    [{ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(40)}!`],
    [{ $ref: '#/properties/field' }, 1],
    [{ type: 'string' }, null],
    [{ type: 'of a later draft' }, 1],
  ])('as %j fits %j', (field, value) => {
    expect(said(field, value)).toEqual([]);
  });
});

it('an object is told what it lacks, and 20 problems at most', () => {
  const required = Array.from({ length: 5_000 }, (_, index) => `field${index}`);
  expect(problemsOf({ required: ['a'] }, {})).toEqual([{ path: ['a'], message: 'it is required' }]);
  expect(problemsOf({ required }, {})).toHaveLength(20);
  expect(problemsOf({}, 'text')).toEqual([{ path: [], message: 'expected object, received string' }]);
});
