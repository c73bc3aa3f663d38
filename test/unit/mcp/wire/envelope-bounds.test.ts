import { expect, it } from 'vitest';
import { envelopeExcess } from '#src/mcp/wire/rpc/envelope-bounds.ts';

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, []]));
const request = (params: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });

it('lets through what clients send, and arguments of any size', () => {
  expect(envelopeExcess(request({ _meta: many(900), arguments: many(5_000) }))).toBeUndefined();
  expect(envelopeExcess(request(undefined))).toBeUndefined();
  expect(envelopeExcess('no message')).toBeUndefined();
});

it.each([
  ['a wide _meta', { _meta: many(1_001) }, '_meta holds more'],
  ['a deep _meta', { _meta: { caps: { experimental: [many(600), many(600)] } } }, '_meta holds more'],
  [
    'a wide list in _meta',
    { _meta: { icons: Array.from({ length: 300_000 }, () => []) } },
    '_meta holds more',
  ],
  ['many answers', { inputResponses: many(101) }, 'inputResponses holds more'],
  [
    'a handshake with many capabilities',
    { capabilities: many(1_001) },
    'capabilities and clientInfo hold more',
  ],
])('says what is too much about %s', (_what, params, text) => {
  expect(envelopeExcess(request(params))).toContain(text);
});

it('looks at answers as well', () => {
  expect(envelopeExcess({ jsonrpc: '2.0', id: 1, result: { _meta: many(1_001) } })).toContain('_meta');
});
