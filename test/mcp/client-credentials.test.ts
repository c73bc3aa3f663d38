import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { run, until } from 'effection';
import { createMockMcpClient, runMcpTool } from 'parley-mcp/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  fillInServer,
  foreignTool,
  parseServer,
  type ServerConnection,
  useMcpConnection,
} from '#src/mcp/client/index.ts';
import { saidIn } from '#src/mcp/client/reader/read-answer.ts';
import { tempFolder } from '#test/temp-folder.ts';
import type { AuthorizationServer } from './kit/authorization-server.ts';
import { type GuardedServer, namesOf, startGuardedServer, whyWaiting } from './kit/guarded-server.ts';

const SECRET = 'secret of a service';

let guarded: GuardedServer;
let authorization: AuthorizationServer;
let url: string;

beforeEach(async () => {
  guarded = await startGuardedServer();
  ({ authorization, url } = guarded);
});
afterEach(async () => {
  await guarded.close();
});

/** Connects as an entry says, and gives what became of it, and every line that the connection said. */
async function connected<T>(oauth: object, look: (connection: ServerConnection) => Promise<T>) {
  const lines: string[] = [];
  const written = parseServer('guarded', {
    url,
    oauth: { grantType: 'client_credentials', issuer: authorization.issuer, ...oauth },
  });
  const entry = await fillInServer(written, { workspaceFolder: '/w', env: {}, readText: async () => '' });
  const came = await run(function* () {
    const connection = yield* useMcpConnection(entry, {
      onLog: ({ message, data }) => lines.push(`${message} ${JSON.stringify(data)}`),
    });
    return yield* until(look(connection));
  });
  return { came, said: lines.join('\n') };
}

const call = async (connection: ServerConnection) => {
  const client = await run(() => connection.client());
  return saidIn(await client.callTool({ name: 'hello', arguments: {} })).content;
};

describe('a server that wants a login, whose entry has credentials', () => {
  it('is logged in at with a secret, and nobody is asked', async () => {
    const { came, said } = await connected({ clientId: 'a service', clientSecret: SECRET }, namesOf);
    expect(came).toEqual(['hello']);
    expect(said).not.toContain(SECRET);
    expect(authorization.logins()).toBe(1);
  });

  it('is logged in at with a key, in the entry or in a file that is read at each login', async () => {
    const folder = tempFolder();
    const path = join(folder, 'key.pem');
    await writeFile(path, authorization.signer);
    for (const privateKey of [authorization.signer, authorization.signer.replaceAll('\n', '\\n'), path])
      expect((await connected({ clientId: 'a signer', privateKey }, namesOf)).came).toEqual(['hello']);
    await writeFile(path, 'no key');
    expect((await connected({ clientId: 'a signer', privateKey: path }, whyWaiting)).came).toContain(
      'oauth.privateKey: it is not a private key',
    );
    await rm(path);
    expect((await connected({ clientId: 'a signer', privateKey: path }, whyWaiting)).came).toContain(
      `oauth.privateKey: '${path}' cannot be read (ENOENT)`,
    );
  });

  it('fails a call whose new token is refused, in words that say which server and why', async () => {
    const folder = tempFolder();
    const path = join(folder, 'key.pem');
    await writeFile(path, authorization.signer);
    const { came } = await connected({ clientId: 'a signer', privateKey: path }, async (connection) => {
      await namesOf(connection);
      await rm(path);
      guarded.listener = (_req, res) => res.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
      const [tool] = connection.offers().tools;
      if (!tool) throw new Error('no tool');
      return await run(() => runMcpTool(foreignTool(connection, tool), {}, createMockMcpClient({}))).catch(
        String,
      );
    });
    expect(came).toContain(
      `the server 'guarded' is not available: oauth.privateKey: '${path}' cannot be read`,
    );
  });

  it('says why when they are refused, once for each attempt and without the secret', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const wrong = 'a wrong secret';
    const { came, said } = await connected({ clientId: 'a service', clientSecret: wrong }, whyWaiting);
    expect(came).toContain(`the login at ${new URL(authorization.issuer).host} was refused: invalid_client`);
    expect(`${came}${said}`).not.toContain(wrong);
    expect(authorization.logins()).toBe(1);
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  it('gets them only for the authorization server that they are for', async () => {
    const issuer = 'https://login.example.com';
    const { came } = await connected({ clientId: 'a service', clientSecret: SECRET, issuer }, whyWaiting);
    expect(came).toBe(
      `it wants a login at ${authorization.issuer}, and its credentials are for https://login.example.com`,
    );
    expect(authorization.logins()).toBe(0);
  });

  it('gives one new token to all calls that find at one moment that theirs is over', async () => {
    const over = new Set<string>();
    const used = new Set<string>();
    const serve = guarded.listener;
    let refused = 0;
    let late = () => {};
    guarded.listener = (req, res) => {
      const token = req.headers.authorization ?? '';
      if (over.has(token)) {
        const refuse = () => res.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end();
        refused += 1;
        // One of them hears of it when the others have a new token already.
        if (refused === 1) late = refuse;
        else refuse();
        return;
      }
      serve(req, res);
      if (token === '') return;
      used.add(token);
      late();
      late = () => {};
    };
    const { came } = await connected({ clientId: 'a service', clientSecret: SECRET }, async (connection) => {
      await namesOf(connection);
      for (const token of used) over.add(token);
      return await Promise.all(Array.from({ length: 8 }, () => call(connection)));
    });
    expect(came).toEqual(Array.from({ length: 8 }, () => [{ type: 'text', text: 'hello' }]));
    expect(refused).toBe(8);
    expect(authorization.logins()).toBe(2);
  });

  it('waits for no authorization server once it is not wanted any more', async () => {
    const asked = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    const slow = createServer((req, res) => {
      if (req.url !== '/token') return;
      res.on('close', gone.resolve);
      asked.resolve();
    });
    await new Promise<void>((ready) => slow.listen(0, '127.0.0.1', ready));
    const issuer = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
    slow.on('request', (req, res) => {
      if (req.url?.startsWith('/.well-known/oauth-authorization-server'))
        res.setHeader('content-type', 'application/json').end(
          JSON.stringify({
            issuer,
            authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: `${issuer}/token`,
            response_types_supported: ['code'],
          }),
        );
    });
    guarded.guard(issuer);
    await connected({ clientId: 'a service', clientSecret: SECRET, issuer }, () => asked.promise);
    await gone.promise;
    slow.closeAllConnections();
    await new Promise((closed) => slow.close(closed));
  }, 15_000);
});
