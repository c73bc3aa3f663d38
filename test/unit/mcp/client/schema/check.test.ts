import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '#src/core/messages/json.ts';
import { problemsOf } from '#src/mcp/client/schema/check.ts';

const said = (schema: JsonSchema, value: unknown) =>
  problemsOf(schema, value).map(({ path = [], message }) => `${path.join('.')}: ${message}`);

describe('a value that does not fit a JSON Schema', () => {
  it.each<readonly [JsonSchema, unknown, readonly string[]]>([
    [{ type: 'string' }, 1, [': expected string, received number']],
    [{ type: ['string', 'null'] }, [], [': expected string or null, received array']],
    [{ enum: ['a', 'b'] }, 'c', [': expected one of "a", "b"']],
    [{ const: 1 }, 2, [': expected 1']],
    [{ type: 'string', minLength: 2 }, 'a', [': it is shorter than 2 characters']],
    [{ type: 'string', maxLength: 2 }, '👍👍👍', [': it is longer than 2 characters']],
    [{ type: 'integer', minimum: 3 }, 2, [': it is less than 3']],
    [{ exclusiveMaximum: 3 }, 3, [': it is not less than 3']],
    [{ type: 'object', required: ['a'] }, {}, ['a: it is required']],
    [{ type: 'object', required: ['toString'] }, {}, ['toString: it is required']],
    [{ additionalProperties: false, properties: { a: {} } }, { b: 1 }, ['b: there is no such field']],
    [{ items: { type: 'number' } }, [1, 'x'], ['1: expected number, received string']],
    [{ prefixItems: [{ type: 'string' }], items: false }, ['a', 2], ['1: no value is allowed here']],
    [{ minItems: 1 }, [], [': there are fewer than 1']],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, true, [': it matches none of the allowed forms']],
    [
      { $ref: '#/$defs/a~1b', $defs: { 'a/b': { type: 'string' } } },
      1,
      [': expected string, received number'],
    ],
  ])('is told why: %j %j', (schema, value, expected) => {
    expect(said(schema, value)).toEqual(expected);
  });

  it.each<readonly [JsonSchema, unknown]>([
    [{ type: 'string', maxLength: 2 }, '👍👍'],
    [{ type: 'string', pattern: '^x$' }, 'y'],
    [{ type: 'a type of a later draft' }, 1],
    [{ $ref: 'https://example.com/schema' }, 1],
    [{ $ref: '#/$defs/__proto__/constructor' }, 1],
    [{ type: 'object', properties: { a: { type: 'string' } } }, { a: null }],
    [{ patternProperties: { '^x': {} }, additionalProperties: false }, { xa: 1 }],
  ])('fits where only the server can know: %j %j', (schema, value) => {
    expect(said(schema, value)).toEqual([]);
  });
});

// What is not bounded takes longer than a test may.
describe('the schema of a server that lies', () => {
  it('may refer to itself, in any way', () => {
    expect(said({ $ref: '#' }, 1)).toEqual([]);
    expect(said({ allOf: [{ $ref: '#' }] }, 1)).toEqual([]);
    expect(said({ anyOf: [{ $ref: '#' }, { $ref: '#' }] }, 1)).toEqual([]);
    const circle = { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' };
    expect(said(circle, 1)).toEqual([]);
  });

  it('may be 10,000 deep', () => {
    let deep: JsonSchema = { type: 'string' };
    for (let at = 0; at < 10_000; at++) deep = { allOf: [deep] };
    expect(said(deep, 1)).toEqual([]);
  });

  it('has no expression run', () => {
    const value = `${'a'.repeat(40)}!`;
    expect(said({ type: 'string', pattern: '^(a+)+$' }, value)).toEqual([]);
    expect(said({ patternProperties: { '^(a+)+$': false } }, { [value]: 1 })).toEqual([]);
  });

  it('costs little, however much one step looks through', () => {
    const many = (name: string, count: number) =>
      Array.from({ length: count }, () => ({ $ref: `#/$defs/${name}` }));
    const branching = (leaf: JsonSchema) => ({
      $defs: { a: { allOf: many('b', 140) }, b: { allOf: many('leaf', 140) }, leaf },
      $ref: '#/$defs/a',
    });
    const values = Array.from({ length: 40_000 }, (_, index) => index);
    expect(said(branching({ enum: values }), 39_999)).toEqual([]);
    expect(said(branching({ required: values.map(String) }), {})).toEqual([]);
    expect(said(branching({ additionalProperties: {} }), Object.fromEntries(values.entries()))).toEqual([]);
    expect(said(branching({ maxLength: 600_000 }), 'x'.repeat(1_000_000)).length).toBeLessThan(21);
    expect(said(branching({ $ref: `#/$defs${'/x'.repeat(100_000)}` }), 1)).toEqual([]);
  });

  it('tells of 20 problems at most', () => {
    const required = Array.from({ length: 5_000 }, (_, index) => `field${index}`);
    expect(said({ type: 'object', required }, {})).toHaveLength(20);
    expect(
      said(
        { items: { type: 'string' } },
        Array.from({ length: 5_000 }, () => 1),
      ),
    ).toHaveLength(20);
  });
});
