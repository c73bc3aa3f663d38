import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excess, jsonBounds } from '#src/mcp/wire/rpc/json-bounds.ts';

const bytes = (text: string) => Buffer.from(text);
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

/** Values and keys, and how deep they lie, as anybody would count them. */
function measured(value: unknown): { nodes: number; depth: number } {
  if (typeof value !== 'object' || value === null) return { nodes: 1, depth: 0 };
  const inner = Object.values(value).map(measured);
  const keys = Array.isArray(value) ? 0 : inner.length;
  return {
    nodes: 1 + keys + inner.reduce((sum, { nodes }) => sum + nodes, 0),
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
  };
}

describe('the bounds of a message', () => {
  it('let any JSON through that is within them, whatever its strings hold', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const { nodes, depth } = measured(value);
        expect(excess(bytes(JSON.stringify(value)), { nodes: 2 * nodes, depth })).toBeUndefined();
      }),
    );
  });

  it('see each level of nesting, and take no bracket in a string for one', () => {
    expect(excess(bytes(nested(100)), jsonBounds(1_000))).toBeUndefined();
    expect(excess(bytes(nested(101)), jsonBounds(1_000))).toContain('deeper than 100 levels');
    expect(excess(bytes(JSON.stringify(nested(500))), jsonBounds(1_000))).toBeUndefined();
    expect(excess(bytes(`"\\\\\\"${nested(500)}\\\\"`), jsonBounds(1_000))).toBeUndefined();
    expect(excess(bytes(`"\\\\"${nested(500)}`), jsonBounds(1_000))).toContain('deeper');
  });

  it('count values, so that a megabyte of small ones is refused and one of text is not', () => {
    expect(excess(bytes(`[${'1,'.repeat(500_000)}1]`), jsonBounds(2 ** 20))).toContain(
      'more than 32768 values',
    );
    expect(excess(bytes(`["${'x,'.repeat(500_000)}"]`), jsonBounds(2 ** 20))).toBeUndefined();
    const rows = JSON.stringify(Array.from({ length: 5_000 }, (_, id) => ({ id, name: 'somebody' })));
    expect(excess(bytes(rows), jsonBounds(2 ** 20))).toBeUndefined();
  });

  it('say something about text that is no JSON, and end', () => {
    for (const text of ['"', '"\\', ']]]]', '{"a":', '', '\\"']) {
      expect(excess(bytes(text), jsonBounds(100))).toBeUndefined();
    }
  });
});
