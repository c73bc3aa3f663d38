import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headerMismatch, paramHeadersOf } from '#src/mcp/wire/param-headers.ts';

const schema = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    order: { type: 'object', properties: { count: { type: 'integer', 'x-mcp-header': 'Count' } } },
    urgent: { type: 'boolean', 'x-mcp-header': 'Urgent' },
    price: { type: 'number', 'x-mcp-header': 'Price' },
    list: { type: 'array', items: { type: 'string', 'x-mcp-header': 'Item' } },
    broken: { type: 'string', 'x-mcp-header': 'no token' },
  },
} as const;
const wanted = paramHeadersOf(schema);
const wrapped = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;

describe('parameters that stand in headers', () => {
  it('are those that a chain of properties leads to', () => {
    expect(wanted.map(({ header, path }) => [header, path.join('.')])).toEqual([
      ['mcp-param-region', 'region'],
      ['mcp-param-count', 'order.count'],
      ['mcp-param-urgent', 'urgent'],
    ]);
  });

  it.each([
    [{ region: 'eu' }, { 'mcp-param-region': 'eu' }],
    [{ region: 'eu' }, { 'mcp-param-region': wrapped('eu') }],
    [{ region: 'é' }, { 'mcp-param-region': wrapped('é') }],
    [{ region: '=?base64?eu' }, { 'mcp-param-region': '=?base64?eu' }],
    [{ order: { count: 42 } }, { 'mcp-param-count': '42.0' }],
    [{ urgent: false }, { 'mcp-param-urgent': 'false' }],
    [{ region: null }, {}],
    [{}, { 'mcp-param-region': 'ignored' }],
    [undefined, {}],
  ])('agree: %j and %j', (args, headers) => {
    expect(headerMismatch(wanted, args, headers)).toBeUndefined();
  });

  it.each([
    [{ region: 'eu' }, {}, 'missing'],
    [{ region: 'eu' }, { 'mcp-param-region': 'us' }, 'does not say'],
    [{ region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVsbG8?=' }, 'Base64'],
    [{ region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVs!!!bG8=?=' }, 'Base64'],
    [{ region: 'x' }, { 'mcp-param-region': '=?base64?/w==?=' }, 'Base64'],
    [{ region: 'eu' }, { 'mcp-param-region': 'eu, us' }, 'does not say'],
    [{ order: { count: 1 } }, { 'mcp-param-count': '1e0' }, 'does not say'],
    [{ urgent: true }, { 'mcp-param-urgent': 'TRUE' }, 'does not say'],
  ])('do not agree: %j and %j', (args, headers, text) => {
    expect(headerMismatch(wanted, args, headers)).toContain(text);
  });

  it('agree for any text that is wrapped', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (region) => {
        expect(headerMismatch(wanted, { region }, { 'mcp-param-region': wrapped(region) })).toBeUndefined();
      }),
    );
  });
});
