import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { idOf, isRequest, isResponse, malformed, messageOf } from '#src/mcp/wire/rpc/json-rpc.ts';

it('takes requests, notifications and answers, also with the id 0', () => {
  expect(messageOf({ jsonrpc: '2.0', id: 0, method: 'ping' })).toBeDefined();
  expect(messageOf({ jsonrpc: '2.0', id: '', method: 'ping', params: {} })).toBeDefined();
  expect(messageOf({ jsonrpc: '2.0', method: 'notifications/initialized' })).toBeDefined();
  expect(messageOf({ jsonrpc: '2.0', id: 0, result: {} })).toBeDefined();
  expect(messageOf({ jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no' } })).toBeDefined();
});

it.each([
  ['no version', { id: 1, method: 'ping' }],
  ['another version', { jsonrpc: '1.0', id: 1, method: 'ping' }],
  ['a null id', { jsonrpc: '2.0', id: null, method: 'ping' }],
  ['a fractional id', { jsonrpc: '2.0', id: 1.5, method: 'ping' }],
  ['params that are a list', { jsonrpc: '2.0', id: 1, method: 'ping', params: [] }],
  ['an answer to nobody', { jsonrpc: '2.0', result: {} }],
  ['a result that is no object', { jsonrpc: '2.0', id: 1, result: 1 }],
  ['an error without a code', { jsonrpc: '2.0', id: 1, error: { message: 'no' } }],
  ['neither method nor answer', { jsonrpc: '2.0', id: 1 }],
  ['a request that is an answer, too', { jsonrpc: '2.0', id: 1, method: 'ping', result: {} }],
  ['fields that are not ours', { jsonrpc: '2.0', id: 1, method: 'ping', extra: 1 }],
  ['_meta that is no object', { jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: 5 } }],
  [
    'a progress token that is none',
    { jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: { progressToken: {} } } },
  ],
])('refuses %s', (_what, value) => {
  expect(messageOf(value)).toBeUndefined();
});

it('tells requests from answers whatever else they carry', () => {
  const request = messageOf({ jsonrpc: '2.0', id: 0, method: 'ping' });
  const answer = messageOf({ jsonrpc: '2.0', id: 0, result: {} });
  expect(request && isRequest(request)).toBe(true);
  expect(answer && isRequest(answer)).toBe(false);
  expect(answer && isResponse(answer)).toBe(true);
});

it('answers what is no message under its own id where that can be read', () => {
  expect(malformed({ jsonrpc: '1.0', id: 7, method: 'x' })).toMatchObject({ id: 7, error: { code: -32600 } });
  expect(malformed('text')).toMatchObject({ id: null, error: { code: -32600 } });
});

it('never throws, whatever JSON comes in', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const message = messageOf(value);
      expect(message === undefined || message === value).toBe(true);
      idOf(value);
    }),
    { numRuns: 1000 },
  );
});
