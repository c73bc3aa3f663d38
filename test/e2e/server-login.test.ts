import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpServer } from 'parley-mcp/server';
import { describe, onTestFinished } from 'vitest';
import { notification } from '#harness';
import { logInAs, startAuthorizationServer } from '../mcp/kit/authorization-server.ts';
import { plain } from '../mcp/kit/durable-tools.ts';
import { allowServers, serverRow } from './allowed-servers.ts';
import { expect, test } from './fixture.ts';

describe('a server that wants a login', () => {
  test('sends the person to its page, and that sends them back to the window, wherever their browser is', async ({
    page,
    workbench,
  }) => {
    const guarded = await startGuarded();
    const { port } = new URL(guarded.issuer);
    // The person's part at the login page: they say who they are, and its answer leads their browser on.
    const window = page.context();
    const loginPage = ({ pathname }: URL) => pathname === `/proxy/${port}/auth`;
    await window.route(loginPage, async (route) => {
      const asked = new URL(route.request().url());
      const at = new URL(`${guarded.issuer}/auth${asked.search}`);
      const back = new URL(at.searchParams.get('redirect_uri') ?? '');
      back.search = String(await logInAs('ann', at));
      await route.fulfill({
        contentType: 'text/html',
        body: `<meta http-equiv="refresh" content="0; url=${back.href.replaceAll('&', '&amp;')}">`,
      });
    });
    // The server of the tests forwards no ports as those do that make such addresses: this does.
    const forwarded = ({ pathname }: URL) => /^\/proxy\/\d+\/login$/.test(pathname);
    await window.route(forwarded, async (route) => {
      const { pathname, search } = new URL(route.request().url());
      const answer = await fetch(`http://127.0.0.1:${pathname.split('/')[2]}/login${search}`);
      await route.fulfill({ status: answer.status, body: await answer.text() });
    });
    onTestFinished(async () => {
      await window.unroute(loginPage);
      await window.unroute(forwarded);
    });

    await allowServers(workbench, { guarded: { type: 'http', url: guarded.url } });
    const logIn = notification(page, 'wants you to log in at 127.0.0.1').getByText('Log In…');
    // The server is reached before that: however long that takes, the page has its own time.
    await logIn.waitFor();
    const opened = window.waitForEvent('page');
    await logIn.click();
    const login = await opened;
    await expect
      .poll(async () => `${login.url()}: ${await login.locator('body').innerText()}`)
      .toContain('You are logged in.');
    expect(new URL(login.url()).pathname).toMatch(/^\/proxy\/\d+\/login$/);
    await login.close();
    await serverRow(page, 'guarded').getByText('connected').waitFor();
  });

  test('asks nobody where its entry has credentials', async ({ page, workbench }) => {
    const { url, issuer } = await startGuarded();
    const oauth = {
      grantType: 'client_credentials',
      issuer,
      clientId: 'a service',
      clientSecret: 'secret of a service',
    };
    await allowServers(workbench, { itself: { type: 'http', url, oauth } });
    await serverRow(page, 'itself').getByText('connected').waitFor();
  });
});

/** A server whose tools are for people who have logged in at a real authorization server. */
async function startGuarded(): Promise<{ readonly url: string; readonly issuer: string }> {
  const authorization = await startAuthorizationServer();
  let listener: RequestListener = (_req, res) => res.writeHead(503).end();
  const http = createServer((req, res) => listener(req, res));
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  const { issuer } = authorization;
  const server = createMcpServer({ name: 'guarded', version: '1', tools: [plain] });
  listener = server.createHandler({ oauth: { issuer, resource: url, scopes: ['tools'] } });
  onTestFinished(async () => {
    await server.close();
    http.closeAllConnections();
    await new Promise((closed) => http.close(closed));
    await authorization.close();
  });
  return { url, issuer };
}
