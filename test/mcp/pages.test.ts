import {
  Client as Client2026,
  StreamableHTTPClientTransport as Http2026,
} from '@modelcontextprotocol/client';
import { Client as Client2025 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Http2025 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ElicitationCompleteNotificationSchema,
  ElicitRequestSchema,
  UrlElicitationRequiredError as RequiredOnTheWire,
} from '@modelcontextprotocol/sdk/types.js';
import { until } from 'effection';
import { createMcpTool, UrlElicitationRequiredError } from 'parley-mcp';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { type InProcess, startServer } from './kit/in-process.ts';

const url = 'https://example.com/login?state=1';

/** Waits, after the page was agreed to, until the test has been there. */
let arrived: PromiseWithResolvers<void>;

const logIn = createMcpTool('log_in')
  .description('Sends the person to a page to log in.')
  .parameters(z.object({}))
  .elicits({})
  .execute(function* (_, ctx) {
    const page = yield* ctx.elicit({ mode: 'url', message: 'Log in to Travel.', url });
    if (page.action !== 'accept') return page.action;
    yield* until(arrived.promise);
    yield* page.completed();
    return 'logged in';
  });

const needsLogin = createMcpTool('needs_login')
  .description('Cannot begin before the person has logged in.')
  .parameters(z.object({}))
  .elicits({})
  .execute(function* () {
    throw new UrlElicitationRequiredError({
      elicitations: [{ message: 'Log in to Travel.', url, elicitationId: 'login-7' }],
    });
  });

let running: InProcess | undefined;
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** A client with what it was asked, and the pages that it was told are done. */
interface Person {
  readonly asked: unknown[];
  readonly completed: string[];
  call(name: string): Promise<unknown>;
}

type Modes = { readonly form?: Record<string, never>; readonly url?: Record<string, never> };
type Answer = 'accept' | 'decline' | 'cancel';

async function person2025(at: URL, answer: Answer, elicitation: Modes = { url: {} }): Promise<Person> {
  const client = new Client2025({ name: 'test', version: '1.0.0' }, { capabilities: { elicitation } });
  const asked: unknown[] = [];
  const completed: string[] = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params);
    return { action: answer };
  });
  client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) => {
    completed.push(params.elicitationId);
  });
  await client.connect(new Http2025(at) as Parameters<typeof client.connect>[0]);
  open.push(client);
  return { asked, completed, call: (name) => client.callTool({ name, arguments: {} }) };
}

async function person2026(at: URL, answer: Answer, elicitation: Modes = { url: {} }): Promise<Person> {
  const client = new Client2026(
    { name: 'test', version: '1.0.0' },
    { capabilities: { elicitation }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const asked: unknown[] = [];
  client.setRequestHandler('elicitation/create', ({ params }) => {
    asked.push(params);
    return { action: answer };
  });
  await client.connect(new Http2026(at));
  open.push(client);
  return { asked, completed: [], call: (name) => client.callTool({ name, arguments: {} }) };
}

async function start(): Promise<URL> {
  arrived = Promise.withResolvers<void>();
  running = await startServer({ tools: [logIn, needsLogin] });
  return running.url;
}

describe.each([
  ['2025', person2025],
  ['2026', person2026],
] as const)('a client of %s that can open pages', (era, person) => {
  it('is asked with the address, and the call goes on when it has agreed', async () => {
    const { asked, completed, call } = await person(await start(), 'accept');
    const result = call('log_in');
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    arrived.resolve();
    expect(await result).toMatchObject({ content: [{ type: 'text', text: 'logged in' }] });
    expect(asked).toEqual([expect.objectContaining({ mode: 'url', message: 'Log in to Travel.', url })]);
    // The later revision has no notice, and this client does not read the id that it gets.
    const { elicitationId } = asked[0] as { elicitationId?: string };
    if (era === '2026') expect(elicitationId).toBeUndefined();
    else expect(completed).toEqual([elicitationId]);
  });

  it.each(['decline', 'cancel'] as const)('may answer with %s', async (answer) => {
    const { call, completed } = await person(await start(), answer);
    expect(await call('log_in')).toMatchObject({ content: [{ type: 'text', text: answer }] });
    expect(completed).toEqual([]);
  });

  it('that has forms only is asked for nothing, and the call says what is missing', async () => {
    const { asked, call } = await person(await start(), 'accept', { form: {} });
    const said = await call('log_in').catch((error: unknown) => error);
    const text = said instanceof Error ? said.message : JSON.stringify(said);
    expect(text).toContain('needs a client that can open a page for the user');
    expect(asked).toEqual([]);
  });
});

describe('a call that cannot begin before the person has been to a page', () => {
  it('is answered with -32042, and the client is told when the page has done its part', async () => {
    const { call, completed } = await person2025(await start(), 'accept');
    const error = await call('needs_login').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RequiredOnTheWire);
    expect((error as RequiredOnTheWire).elicitations).toEqual([
      { mode: 'url', message: 'Log in to Travel.', url, elicitationId: 'login-7' },
    ]);
    running?.server.pageCompleted('login-7');
    running?.server.pageCompleted('login-7');
    await vi.waitFor(() => expect(completed).toEqual(['login-7']));
  });

  it('tells nobody but the client that got the error', async () => {
    const at = await start();
    const [asked, other] = [await person2025(at, 'accept'), await person2025(at, 'accept')];
    await asked.call('needs_login').catch(() => {});
    running?.server.pageCompleted('login-7');
    await vi.waitFor(() => expect(asked.completed).toEqual(['login-7']));
    expect(other.completed).toEqual([]);
  });

  it.each([
    ['2025', () => start().then((at) => person2025(at, 'accept', { form: {} }))],
    ['2026', () => start().then((at) => person2026(at, 'accept'))],
  ] as const)(
    'gives the address to the model of a client of %s that has no such error',
    async (_, person) => {
      const { call } = await person();
      expect(await call('needs_login')).toMatchObject({
        isError: true,
        content: [{ type: 'text', text: expect.stringContaining(`Log in to Travel. ${url}`) }],
      });
    },
  );
});
