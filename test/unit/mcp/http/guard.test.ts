import { expect, it } from 'vitest';
import { createGuard, type GuardOptions, type Principal } from '#src/mcp/http/guard.ts';
import { bearerOf, newToken, sameToken } from '#src/mcp/http/token.ts';

const ada = { name: 'ada' };
const bob = { name: 'bob' };
const anonymous = { name: 'anonymous' };
const tokens = () => [
  { token: 'token-of-ada', principal: ada },
  { token: 'token-of-bob', principal: bob },
];

const guard = (options: Partial<GuardOptions<Principal>> = {}) =>
  createGuard<Principal>({ tokens, anonymous: undefined, ...options });
const open = createGuard<Principal>({ tokens: () => [], anonymous });
const host = '127.0.0.1:4000';

it.each([
  '127.0.0.1',
  '127.0.0.1:4000',
  'localhost:1',
  'LOCALHOST',
  '[::1]:9',
  '127.8.9.1:5',
  'app.localhost:3000',
])('admits the host %s', (name) => {
  expect(open({ host: name })).toMatchObject({ ok: true });
});

it.each([
  undefined,
  '',
  'evil.example',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '127.0.0.1@evil.example',
  'a b',
  '[::2]',
  '128.0.0.1',
  'notlocalhost',
  '0.0.0.0',
])('refuses the host %s: a page that rebinds DNS sends its own', (name) => {
  expect(open(name === undefined ? {} : { host: name })).toMatchObject({ ok: false, status: 403 });
});

it('admits programs, which send no Origin, and pages of this machine', () => {
  expect(open({ host })).toMatchObject({ ok: true, principal: anonymous });
  for (const origin of ['http://localhost:6274', 'http://app.localhost', 'https://127.8.9.1:1'])
    expect(open({ host, origin })).toMatchObject({ ok: true });
});

it.each([
  'https://evil.example',
  'null',
  'http://localhost.evil.example',
  'file://',
  'vscode-webview://x',
  '',
])('refuses the Origin %s', (origin) => {
  expect(open({ host, origin })).toMatchObject({ ok: false, status: 403 });
});

it('admits other hosts and origins that it is told to', () => {
  const wider = guard({ anonymous, hosts: ['box.local'], origins: ['https://app.example'] });
  expect(wider({ host: 'box.local:80', origin: 'https://app.example' })).toMatchObject({ ok: true });
  expect(wider({ host: 'box.local:80', origin: 'https://app.example.evil' })).toMatchObject({ ok: false });
});

it('knows whose token it is', () => {
  const check = guard();
  expect(check({ host, authorization: 'Bearer token-of-ada' })).toEqual({ ok: true, principal: ada });
  expect(check({ host, authorization: 'bearer token-of-bob' })).toEqual({ ok: true, principal: bob });
});

it.each([
  undefined,
  '',
  'token-of-ada',
  'Basic token-of-ada',
  'Bearer',
  'Bearer token-of-eve',
  'Bearer token-of-ad',
  'Bearer token-of-adaa',
  'Bearer token-of-ada, x',
])('refuses the authorization %s', (authorization) => {
  const verdict = guard()(authorization === undefined ? { host } : { host, authorization });
  expect(verdict).toMatchObject({
    ok: false,
    status: 401,
    headers: { 'www-authenticate': expect.any(String) },
  });
});

it('reads its tokens at each request, so that one that was revoked is of no use', () => {
  let current = tokens();
  const check = guard({ tokens: () => current });
  expect(check({ host, authorization: 'Bearer token-of-ada' })).toMatchObject({ ok: true });
  current = [];
  expect(check({ host, authorization: 'Bearer token-of-ada' })).toMatchObject({ ok: false, status: 401 });
});

it('makes tokens of 256 bits that differ, and compares any two', () => {
  expect(Buffer.from(newToken(), 'base64url')).toHaveLength(32);
  expect(newToken()).not.toBe(newToken());
  expect(sameToken('a', 'a')).toBe(true);
  expect(sameToken('a', 'a longer one')).toBe(false);
  expect(sameToken('', '')).toBe(true);
  expect(bearerOf('Bearer  abc ')).toBe('abc');
});
