import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { entryHash, fillInServer, parseServer, ServersFileError } from '#src/mcp/client/index.ts';
import { shownAddressees, shownEntry } from '#src/vscode/servers/shown-entry.ts';

const url = 'https://example.com/mcp';
const issuer = 'https://login.example.com';
const variable = (name: string) => ['$', '{', name, '}'].join('');
const pem = (type: 'ec' | 'rsa' | 'ed25519') => {
  const { privateKey } =
    type === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'P-384' })
      : type === 'rsa'
        ? generateKeyPairSync('rsa', { modulusLength: 2048 })
        : generateKeyPairSync('ed25519');
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
};

const env = { SECRET: 'hush', KEY: pem('ec'), BROKEN: 'hush\r\n' };
const around = { workspaceFolder: '/w', env, readText: async () => '', input: async () => 'given' };
const secret = {
  grantType: 'client_credentials',
  issuer,
  clientId: 'me',
  clientSecret: variable('env:SECRET'),
};
const { grantType: _grant, ...own } = secret;
const { clientSecret: _, ...key } = { ...secret, privateKey: variable('env:KEY') };

const jwt = 'head.body.sig';
const bearer = {
  grantType: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
  issuer,
  clientId: 'me',
};
const idp = { idpTokenEndpoint: 'https://idp.example.com/token', idpClientId: 'us' };
const vouched = { ...bearer, ...idp, clientSecret: variable('env:SECRET'), idToken: jwt };

const read = (oauth: object, headers = {}) =>
  fillInServer(parseServer('one', { url, oauth, headers }), around);

describe('credentials of an entry', () => {
  it('are a secret or a key, with their variables', async () => {
    expect(await read({ ...secret, scope: 'a b' })).toMatchObject({
      credentials: {
        issuer,
        clientId: 'me',
        scope: 'a b',
        proof: { kind: 'secret', clientSecret: 'hush' },
      },
    });
    expect(await read({ ...secret, clientSecret: variable('input:secret') })).toMatchObject({
      credentials: { proof: { kind: 'secret', clientSecret: 'given' } },
    });
    expect(await read(key)).toMatchObject({ credentials: { proof: { kind: 'key', privateKey: env.KEY } } });
    for (const privateKey of [pem('rsa'), env.KEY.replaceAll('\n', '\\n'), '/run/secrets/key.pem'])
      expect(await read({ ...key, privateKey })).toMatchObject({ credentials: { proof: { privateKey } } });
  });

  it('are what a workload has, or what an identity provider gave', async () => {
    for (const assertion of [jwt, '/var/run/secrets/token'])
      expect(await read({ ...bearer, assertion })).toMatchObject({
        credentials: { proof: { kind: 'assertion', assertion } },
      });
    expect(await read({ ...vouched, idpClientSecret: variable('env:SECRET') })).toMatchObject({
      credentials: {
        proof: {
          kind: 'idToken',
          idToken: jwt,
          clientSecret: 'hush',
          idp: { tokenEndpoint: idp.idpTokenEndpoint, clientId: 'us', clientSecret: 'hush' },
        },
      },
    });
  });

  it.each([
    ['grantType', { ...secret, grantType: 'password' }],
    ['oauth.issuer: it is missing', { ...secret, issuer: undefined }],
    ['oauth.issuer: it is not an https address', { ...secret, issuer: 'http://login.example.com' }],
    ['oauth.issuer: it is not an https address', { ...secret, issuer: 'login.example.com' }],
    ['oauth.clientId: it is missing', { ...secret, clientId: undefined }],
    ['oauth.clientSecret: it is missing', { ...secret, clientSecret: undefined }],
    ['oauth.clientSecret: it is empty', { ...secret, clientSecret: variable('env:NOT_SET') }],
    ['oauth.clientSecret: it has a sign', { ...secret, clientSecret: variable('env:BROKEN') }],
    ['oauth.issuer: it is missing, and a clientSecret needs it', { ...own, issuer: undefined }],
    ['oauth.issuer: it is not an https address', { ...own, issuer: 'http://login.example.com' }],
    ['oauth.clientId: it is missing, and a client of your own needs it', { ...own, clientId: undefined }],
    ['oauth.clientId: it is missing, and a client of your own needs it', { issuer }],
    ['oauth.clientSecret: it is empty', { ...own, clientSecret: variable('env:NOT_SET') }],
    ['oauth.clientSecret: it has a sign', { ...own, clientSecret: variable('env:BROKEN') }],
    ['oauth.privateKey: it is for a login without a person', { privateKey: variable('env:KEY') }],
    ['oauth.scope: it is not a list of words', { ...own, scope: 'tickets.read,tickets.write  all' }],
    ['oauth.scope: it is not a list of words', { ...secret, scope: 'tickets "all"' }],
    ['oauth.idpClientId: it is for a login without a person', { clientId: 'parley', idpClientId: 'us' }],
    ['oauth.idpClientId: client_credentials has no use for it', { ...secret, idpClientId: 'us' }],
    ['oauth.privateKey: there is a clientSecret, too', { ...secret, ...key }],
    ['oauth.privateKey: it is not a private key', { ...key, privateKey: variable('env:SECRET') }],
    ['oauth.privateKey: it is not a private key', { ...key, privateKey: 'key.pem' }],
    ['oauth.privateKey: a key of its type signs none of RS256', { ...key, privateKey: pem('ed25519') }],
    ['oauth.privateKey: it does not sign RS256: it is for ES384', { ...key, algorithm: 'RS256' }],
    ['algorithm', { ...key, algorithm: 'none' }],
    ['oauth.assertion: client_credentials has no use for it', { ...secret, assertion: jwt }],
    [
      'oauth.privateKey: urn:ietf:params:oauth:grant-type:jwt-bearer has no use',
      { ...bearer, ...key, ...bearer },
    ],
    ['oauth.assertion: it is missing', bearer],
    ['oauth.assertion: it is neither a token (JWT) nor the absolute path', { ...bearer, assertion: 'hush' }],
    ['oauth.idToken: there is an assertion, too', { ...vouched, assertion: jwt }],
    ['oauth.clientSecret: it is missing', { ...vouched, clientSecret: undefined }],
    ['oauth.idpClientId: it is missing', { ...vouched, idpClientId: undefined }],
    ['oauth.idpTokenEndpoint: it is not an https address', { ...vouched, idpTokenEndpoint: 'http://idp' }],
    ['oauth.idpClientSecret: it has a sign', { ...vouched, idpClientSecret: variable('env:BROKEN') }],
  ])('are refused with a word that names the field: %s', async (said, oauth) => {
    const error: unknown = await Promise.resolve()
      .then(() => read(oauth))
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ServersFileError);
    const { message } = error as Error;
    expect(message).toContain("the server 'one'");
    expect(message).toContain(said);
    expect(message).not.toMatch(/hush|PRIVATE KEY/);
  });

  it('are those of a client for a login of a person, without a grant type', async () => {
    expect(await read(own)).toMatchObject({ client: { clientId: 'me', issuer, clientSecret: 'hush' } });
    expect(await read({ ...own, clientSecret: variable('input:secret') })).toMatchObject({
      client: { clientSecret: 'given' },
    });
    expect(await read({ clientId: 'me', issuer })).toMatchObject({ client: { clientId: 'me', issuer } });
    expect(await read({ scope: 'files.read files.write' })).toMatchObject({
      scope: 'files.read files.write',
    });
    expect(await read(own)).not.toHaveProperty('credentials');
    await expect(read(own, { authorization: 'Bearer x' })).rejects.toThrow(
      "the server 'one', oauth.clientSecret: there is a header Authorization, too",
    );
  });

  it('are not beside a header that lets in', async () => {
    await expect(read(secret, { authorization: 'Bearer x' })).rejects.toThrow(
      "the server 'one', oauth.grantType: there is a header Authorization, too",
    );
  });

  it('are part of what a person allows, field by field', async () => {
    const changes = [
      {},
      { issuer: 'https://other.example.com' },
      { clientId: 'you' },
      { scope: 'all' },
      { clientSecret: 'other' },
    ];
    const hashes = await Promise.all(
      changes.map(async (change) => entryHash(await read({ ...secret, ...change }))),
    );
    expect(new Set(hashes).size).toBe(changes.length);
    expect(entryHash(await read(secret))).toBe(hashes[0]);
  });

  it('are shown before they are allowed, but for a secret that somebody wrote down', () => {
    const shown = (oauth: object) => shownEntry(parseServer('one', { url, oauth }), '/w');
    expect(shown({ ...secret, scope: 'a' })).toEqual([
      url,
      'oauth.clientId: me',
      'oauth.grantType: client_credentials',
      `oauth.issuer: ${issuer}`,
      'oauth.scope: a',
      `oauth.clientSecret: ${variable('env:SECRET')}`,
    ]);
    expect(shown({ ...own, clientSecret: 'hush' })).toEqual([
      url,
      'oauth.clientId: me',
      `oauth.issuer: ${issuer}`,
      'oauth.clientSecret: … (4 characters)',
    ]);
    const to = (oauth: object) => shownAddressees(parseServer('one', { url, oauth }));
    expect([to(own), to(vouched), to({ clientId: 'me', issuer })]).toEqual([
      issuer,
      `${issuer}, ${idp.idpTokenEndpoint}`,
      undefined,
    ]);
    expect(shown({ privateKey: '/run/key.pem', clientSecret: 'hush' })).toEqual([
      url,
      'oauth.clientSecret: … (4 characters)',
      'oauth.privateKey: /run/key.pem',
    ]);
  });
});
