import { describe, onTestFinished } from 'vitest';
import { notification, screenshot, type Workbench } from '#harness';
import { logInAs, secretOf } from '../mcp/kit/authorization-server.ts';
import { plain } from '../mcp/kit/durable-tools.ts';
import { type GuardedServer, startGuardedServer } from '../mcp/kit/guarded-server.ts';
import { allowServers, serverRow } from './allowed-servers.ts';
import { expect, test } from './fixture.ts';
import { logWith } from './panel.ts';

describe('a server that wants a login', () => {
  test('sends the person to its page, and that sends them back to the window, wherever their browser is', async ({
    workbench,
  }) => {
    const { url, authorization } = await startGuarded();
    await letLogIn(workbench, authorization.issuer);
    await allowServers(workbench, { guarded: { type: 'http', url } });
    await logIn(workbench, 'guarded');
  });

  test('logs a person in with the client of its entry, whose secret is in no page and no log', {
    tags: 'long',
  }, async ({ workbench }) => {
    const { url, authorization } = await startGuarded();
    const { issuer } = authorization;
    const clientId = 'an app: 50% of it';
    const clientSecret = secretOf(clientId);
    const asked = await letLogIn(workbench, issuer);
    const oauth = { issuer, clientId, clientSecret };
    await allowServers(workbench, { confidential: { type: 'http', url, oauth } });
    await logIn(workbench, 'confidential');
    expect(asked.map(({ searchParams }) => searchParams.get('client_id'))).toEqual([clientId]);
    expect(authorization.logins()).toBe(1);
    const log = await logWith(workbench, '[info]');
    for (const said of [log, decodeURIComponent(String(asked[0]))]) expect(said).not.toContain(clientSecret);
  });

  test('has a state and a button of its own while its login waits, dismissed or cancelled', {
    tags: 'long',
  }, async ({ workbench }) => {
    const { page, context } = workbench;
    const { url, authorization } = await startGuarded();
    const refused = ({ pathname }: URL) => pathname === `/proxy/${new URL(authorization.issuer).port}/auth`;
    await letLogIn(workbench, authorization.issuer);
    await allowServers(workbench, { waits: { type: 'http', url } });
    const row = serverRow(page, 'waits');
    const asked = notification(page, 'requires you to log in at 127.0.0.1');
    await asked.waitFor();
    await row.getByText('log in to use it').waitFor();
    await screenshot(page, 'login-asked');
    await workbench.bridge.execute('notifications.clearAll');
    await row.hover();
    await row.getByRole('button', { name: 'Log In to Server…' }).waitFor();
    await screenshot(page, 'login-dismissed');

    // The person presses Cancel on the page of their provider.
    await context.route(refused, (route) => {
      const at = new URL(route.request().url());
      const back = `${at.searchParams.get('redirect_uri')}?error=access_denied&state=${at.searchParams.get('state')}`;
      return route.fulfill({
        contentType: 'text/html',
        body: `<meta http-equiv="refresh" content="0; url=${back}">`,
      });
    });
    const opened = context.waitForEvent('page');
    await row.getByRole('button', { name: 'Log In to Server…' }).click();
    const login = await opened;
    await login.getByText('You were not logged in (access_denied).').waitFor();
    await screenshot(login, 'login-cancelled-page');
    await login.close();
    await row.getByText('log in to use it').waitFor();
    await screenshot(page, 'login-cancelled');
    await context.unroute(refused);

    const again = context.waitForEvent('page');
    await row.hover();
    await row.getByRole('button', { name: 'Log In to Server…' }).click();
    const page2 = await again;
    await page2.getByText('You are logged in.').waitFor();
    await screenshot(page2, 'login-done-page');
    await page2.close();
    await row.getByText('connected').waitFor();
  });

  test('asks nobody where its entry has credentials', { tags: 'long' }, async ({ page, workbench }) => {
    const { url, authorization } = await startGuarded();
    const oauth = {
      grantType: 'client_credentials',
      issuer: authorization.issuer,
      clientId: 'a service',
      clientSecret: 'secret of a service',
    };
    await allowServers(workbench, { itself: { type: 'http', url, oauth } });
    await serverRow(page, 'itself').getByText('connected').waitFor();
  });
});

/**
 * The person's part, and that of a server of VS Code that forwards ports, as that of the tests does not: whoever comes to the login page is
 * logged in and led on, to an address of this machine as the browser of a window elsewhere has it. Gives the pages that were asked for.
 */
async function letLogIn({ context }: Workbench, issuer: string): Promise<readonly URL[]> {
  const asked: URL[] = [];
  const loginPage = ({ pathname }: URL) => pathname === `/proxy/${new URL(issuer).port}/auth`;
  await context.route(loginPage, async (route) => {
    const at = new URL(`${issuer}/auth${new URL(route.request().url()).search}`);
    asked.push(at);
    const back = new URL(at.searchParams.get('redirect_uri') ?? '');
    back.search = String(await logInAs('ann', at));
    await route.fulfill({
      contentType: 'text/html',
      body: `<meta http-equiv="refresh" content="0; url=${back.href.replaceAll('&', '&amp;')}">`,
    });
  });
  const forwarded = ({ pathname }: URL) => /^\/proxy\/\d+\/login$/.test(pathname);
  await context.route(forwarded, async (route) => {
    const { pathname, search } = new URL(route.request().url());
    const answer = await fetch(`http://127.0.0.1:${pathname.split('/')[2]}/login${search}`);
    const contentType = answer.headers.get('content-type') ?? '';
    await route.fulfill({ status: answer.status, contentType, body: await answer.text() });
  });
  onTestFinished(async () => {
    await context.unroute(loginPage);
    await context.unroute(forwarded);
  });
  return asked;
}

/** Takes the notification's way to the login page, and waits until the window has heard of it. */
async function logIn({ page, context }: Workbench, server: string): Promise<void> {
  const open = notification(page, 'requires you to log in at 127.0.0.1').getByText('Log In…');
  // The server is reached before that: however long that takes, the page has its own time.
  await open.waitFor();
  const opened = context.waitForEvent('page');
  await open.click();
  const login = await opened;
  await expect
    .poll(async () => `${login.url()}: ${await login.locator('body').innerText()}`)
    .toContain('You are logged in.');
  expect(new URL(login.url()).pathname).toMatch(/^\/proxy\/\d+\/login$/);
  await login.close();
  await serverRow(page, server).getByText('connected').waitFor();
}

/** A server whose tools are for people who have logged in at a real authorization server. */
async function startGuarded(): Promise<GuardedServer> {
  const guarded = await startGuardedServer([plain]);
  onTestFinished(() => guarded.close());
  return guarded;
}
