import { expect, it } from 'vitest';
import { envelopeExcess } from '#src/mcp/wire/rpc/envelope-bounds.ts';

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, []]));
const excessOf = (message: unknown) => envelopeExcess(message);
const request = (params: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });

it('lets through what clients send, and arguments of any size', () => {
  expect(excessOf(request({ _meta: many(900), arguments: many(5_000) }))).toBeUndefined();
  const thousand = Array.from({ length: 1_000 }, (_, at) => `notes://${at}`);
  expect(excessOf(request({ notifications: { resourceSubscriptions: thousand } }))).toBeUndefined();
  const long = 'x'.repeat(500_000);
  expect(excessOf(request({ arguments: { long }, inputResponses: { long }, requestState: long }))).toBe(
    undefined,
  );
  expect(excessOf({ ...request({ messages: [long] }), method: 'sampling/createMessage' })).toBeUndefined();
  expect(excessOf(request(undefined))).toBeUndefined();
  expect(excessOf('no message')).toBeUndefined();
});

it.each([
  ['a wide _meta', { _meta: many(1_001) }, '_meta holds more'],
  ['a deep _meta', { _meta: { caps: { experimental: [many(600), many(600)] } } }, '_meta holds more'],
  [
    'a wide list in _meta',
    { _meta: { icons: Array.from({ length: 300_000 }, () => []) } },
    '_meta holds more',
  ],
  [
    'a subscription to very much',
    { notifications: { resourceSubscriptions: Array.from({ length: 1_001 }, (_, at) => `notes://${at}`) } },
    'notifications names more than 1000 of a kind',
  ],
  ['many answers', { inputResponses: many(101) }, 'inputResponses holds more'],
  [
    'a handshake with many capabilities',
    { capabilities: many(1_001) },
    'capabilities and clientInfo hold more',
  ],
  [
    'a long text in _meta',
    { _meta: { a: ['x'.repeat(70_000)] } },
    'more than 64 KiB beside what it is about',
  ],
  ['many short texts', { more: Array.from({ length: 5_000 }, () => 'x') }, 'more than 64 KiB beside'],
])('says what is too much about %s', (_what, params, text) => {
  expect(excessOf(request(params))).toContain(text);
});

it('looks at whatever is long enough to hold too much: so many answers under the shortest names', () => {
  const names = Array.from({ length: 101 }, (_, at) => String.fromCharCode(0x23 + at));
  const inputResponses = Object.fromEntries(names.map((name) => [name, 0]));
  const least = { id: 1, params: { inputResponses } };
  expect(JSON.stringify(least).length).toBeLessThan(700);
  expect(excessOf(least)).toContain('inputResponses holds more');
});

it('says so of a handshake and of an id, which are kept as well', () => {
  const clientInfo = { name: 'x'.repeat(70_000), version: '1' };
  const handshake = { ...request({ clientInfo, capabilities: {} }), method: 'initialize' };
  expect(excessOf(handshake)).toContain('more than 64 KiB beside what it is about');
  expect(excessOf({ ...request({}), id: 'x'.repeat(1_001) })).toBe('its id is longer than 1000 characters');
});

it('looks at answers as well', () => {
  expect(excessOf({ jsonrpc: '2.0', id: 1, result: { _meta: many(1_001) } })).toContain('_meta');
});
