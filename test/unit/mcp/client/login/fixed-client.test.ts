import { describe, expect, it } from 'vitest';
import { createLogin, fillInServer, parseServer } from '#src/mcp/client/index.ts';
import { shownEntry } from '#src/vscode/servers/shown-entry.ts';

const url = 'https://example.com/mcp';
const around = { workspaceFolder: '/w', env: { ID: 'from outside' }, readText: async () => '' };
const written = (clientId: string) => parseServer('web', { url, oauth: { clientId } });

/** A login, and what is kept of it. */
function loginAs(clientId: string | undefined, kept: { text?: string } = {}) {
  const { provider } = createLogin({
    url,
    redirect: 'http://127.0.0.1:1234/login',
    ...(clientId === undefined ? {} : { client: { clientId } }),
    read: async () => kept.text,
    keep: async (text) => {
      kept.text = text;
    },
    send: async () => new URLSearchParams(),
  });
  return { provider, kept };
}

describe('a client id that an entry names', () => {
  it('is read with its variables, and shown before it is allowed', async () => {
    const variable = '$' + '{env:ID}';
    expect(await fillInServer(written(variable), around)).toMatchObject({
      client: { clientId: 'from outside' },
    });
    expect(shownEntry(written(variable), '/w')).toEqual([url, `oauth.clientId: ${variable}`]);
    expect(await fillInServer(parseServer('web', { url }), around)).not.toHaveProperty('client');
  });

  it('is refused when it is empty or no text', async () => {
    await expect(fillInServer(written(''), around)).rejects.toThrow(/oauth\.clientId: it is empty/);
    expect(() => parseServer('web', { url, oauth: { clientId: 1 } })).toThrow(/clientId/);
  });

  it('is who logs in: nobody registers', async () => {
    for (const id of ['mine', 'https://example.com/client.json'])
      expect(await loginAs(id).provider.clientInformation()).toEqual({ client_id: id });
    expect(await loginAs(undefined).provider.clientInformation()).toBeUndefined();
  });

  it('has tokens of its own, which no other client uses', async () => {
    const { provider, kept } = loginAs('mine');
    await provider.saveTokens({ access_token: 'a', token_type: 'Bearer', refresh_token: 'r' });
    expect(await loginAs('mine', kept).provider.tokens()).toMatchObject({ access_token: 'a' });
    expect(await loginAs('yours', kept).provider.tokens()).toBeUndefined();
    expect(await loginAs(undefined, kept).provider.tokens()).toBeUndefined();
  });
});
