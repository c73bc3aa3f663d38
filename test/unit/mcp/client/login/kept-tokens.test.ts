import type { StoredOAuthTokens } from '@modelcontextprotocol/client';
import { beforeEach, expect, it } from 'vitest';
import { createLogin } from '#src/mcp/client/index.ts';

const tokens = (name: string): StoredOAuthTokens => ({
  access_token: name,
  token_type: 'Bearer',
  issuer: 'https://login.example.com',
});

let kept: string | undefined;

/** What a program of a person logs in with; all of them keep the same, and the person comes back to each at a port of its own. */
const login = (port = 1, scope?: string) =>
  createLogin({
    url: 'https://example.com/mcp',
    redirect: `http://127.0.0.1:${port}/login`,
    shared: true,
    ...(scope ? { scope } : {}),
    read: async () => kept,
    keep: async (text) => {
      kept = text;
    },
    send: async () => new URLSearchParams(),
  });
const program = () => login().provider;

const client = (client_id: string) => ({ client_id, issuer: 'https://login.example.com' });

beforeEach(() => {
  kept = undefined;
});

it('tokens that another program got are not thrown away because ours were refused', async () => {
  const [one, other] = [program(), program()];
  await one.saveTokens(tokens('first'));
  expect([await one.tokens(), await other.tokens()]).toEqual([tokens('first'), tokens('first')]);
  await other.saveTokens(tokens('second'));
  await one.invalidateCredentials?.('tokens');
  expect(await one.tokens()).toEqual(tokens('second'));
  await one.invalidateCredentials?.('tokens');
  expect(await other.tokens()).toBeUndefined();
});

it('who logs in at the same time as another program is to the authorization server who it was when the person was sent there', async () => {
  const [one, other] = [login(1), login(2)];
  for (const [{ provider }, id] of [
    [one, 'one'],
    [other, 'other'],
  ] as const) {
    expect(await provider.clientInformation()).toBeUndefined();
    await provider.saveClientInformation?.(client(id));
    await provider.redirectToAuthorization(new URL('https://login.example.com'));
  }
  await one.answer(new AbortController().signal);
  expect(await one.provider.clientInformation()).toEqual(client('one'));
  await one.provider.saveTokens({ ...tokens('first'), refresh_token: 'r1' });
  // Whoever refreshes them, they are those of who logged in.
  for (const { provider } of [one, other, login(3)])
    expect(await provider.clientInformation()).toEqual(client('one'));
  await other.provider.saveTokens({ ...tokens('second'), refresh_token: 'r2' });
  expect(await one.provider.clientInformation()).toEqual(client('one'));
});

it.each(['a\r\nx-evil: 1', 'ä', '', ' '])(
  'a token that no header can hold is not kept: %j',
  async (token) => {
    const provider = program();
    await provider.saveTokens(tokens('first'));
    await expect(provider.saveTokens(tokens(token))).rejects.toThrow('cannot be sent');
    expect(await provider.tokens()).toEqual(tokens('first'));
  },
);

it('what is too long to be read with each request is not kept', async () => {
  const provider = program();
  await expect(provider.saveTokens(tokens('x'.repeat(200_000)))).rejects.toThrow('too long to be kept');
  const client = { client_id: 'x'.repeat(200_000), issuer: 'https://login.example.com' };
  await expect(provider.saveClientInformation?.(client)).rejects.toThrow('too long to be kept');
  expect(kept).toBeUndefined();
});

it('what is asked for in place of what the server names is asked for on its page, and with tokens for anything else nobody goes on', async () => {
  const asked = async (named: string, scope: string) => {
    const page = new URL(`https://login.example.com/authorize?scope=${encodeURIComponent(named)}`);
    await login(1, scope).provider.redirectToAuthorization(page);
    return page.searchParams.get('scope');
  };
  expect(await asked('everything', 'files.read')).toBe('files.read');
  // The SDK asks for a login that can be renewed where there is such.
  expect(await asked('everything offline_access', 'files.read')).toBe('files.read offline_access');
  const [read, write] = [login(1, 'files.read').provider, login(1, 'files.write').provider];
  await read.saveClientInformation?.(client('one'));
  await read.saveTokens(tokens('first'));
  expect([await read.tokens(), await write.tokens(), await program().tokens()]).toEqual([
    tokens('first'),
    undefined,
    undefined,
  ]);
  expect(await write.clientInformation()).toEqual(client('one'));
  await write.saveTokens(tokens('second'));
  expect([await read.tokens(), await write.tokens()]).toEqual([undefined, tokens('second')]);
});
