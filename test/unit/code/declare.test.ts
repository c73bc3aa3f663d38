import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { declare } from '#src/code/declarations/declare.ts';
import { typeOf } from '#src/code/declarations/type-of.ts';
import { createMcpTool } from '#src/core/index.ts';

describe('a declaration', () => {
  it('is the tool as code calls it, with what it says of itself', () => {
    const tool = createMcpTool('book-seat')
      .description('Books a seat.\nAsks */ first.')
      .parameters(z.object({ flight: z.string().describe('Such as KL9'), rows: z.array(z.int()).optional() }))
      .output(z.object({ seats: z.array(z.object({ row: z.int() })) }))
      .elicits({})
      .execute(function* () {
        return { seats: [] };
      });
    expect(declare(tool)).toBe(`declare const tools: {
  /**
   * Books a seat.
   * Asks *\\/ first.
   * Can make changes: the user is asked first.
   */
  "book-seat"(args: {
    /** Such as KL9 */
    flight: string;
    rows?: number[];
  }): Promise<{
    seats: {
      row: number;
    }[];
  }>;
};`);
  });
});

describe('JSON Schema as a type', () => {
  it.each([
    [{ type: 'string' }, 'string'],
    [{ enum: ['a', 1, null] }, '"a" | 1 | null'],
    [{ const: true }, 'true'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ anyOf: [{ type: 'number' }, { type: 'integer' }, { type: 'boolean' }] }, 'number | boolean'],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, '("a" | "b")[]'],
    [{ type: 'array' }, 'unknown[]'],
    [{ prefixItems: [{ type: 'string' }, { type: 'number' }], type: 'array' }, '[string, number]'],
    [{ type: 'object' }, 'Record<string, unknown>'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
    [{ properties: { 'a b': {} }, required: ['a b'] }, '{\n  "a b": unknown;\n}'],
    [{ allOf: [{ $ref: '#/$defs/a' }, { type: 'null' }], $defs: { a: { type: 'string' } } }, 'string & null'],
    [true, 'unknown'],
    [{ $ref: 'https://example.com/schema' }, 'unknown'],
    [{ $ref: '#/%E0%A4%A' }, 'unknown'],
  ])('%j is %s', (schema, type) => {
    expect(typeOf(schema)).toBe(type);
  });

  it('ends, whatever a server sends: circles, depth, breadth, and names that would leave their place', () => {
    expect(typeOf({ $ref: '#' })).toBe('unknown');
    const node = { type: 'object', properties: { next: { $ref: '#' } } };
    expect(typeOf(node)).toBe('{\n  next?: unknown;\n}');
    let deep: object = { type: 'string' };
    for (let n = 0; n < 10_000; n++) deep = { type: 'array', items: deep };
    expect(typeOf(deep)).toContain('unknown');
    const wide = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, n) => [`p${n}`, { enum: ['a', 'b'] }]),
    );
    expect(typeOf({ type: 'object', properties: wide }).length).toBeLessThan(100_000);
    const fan = (depth: number): object =>
      depth ? { anyOf: Array.from({ length: 9 }, () => ({ properties: { a: fan(depth - 1) } })) } : {};
    expect(typeOf(fan(5)).length).toBeLessThan(100_000);
    expect(typeOf({ properties: { '}; evil(); ({': { type: 'string', description: '*/ evil() /*' } } })).toBe(
      '{\n  /** *\\/ evil() /* */\n  "}; evil(); ({"?: string;\n}',
    );
  });
});
