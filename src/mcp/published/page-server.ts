import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Operation } from 'effection';
import { isLoopback } from '../../core/page/page-address.ts';
import { sendInput, watchInput } from '../../panel-port/index.ts';
import type { OwnPages } from '../apps/own-pages.ts';
import { PageLine } from '../apps/page-line.ts';
import { readJson } from '../http/body.ts';
import { hostnameOf } from '../http/guard.ts';
import { sendJson } from '../http/respond.ts';
import { admit } from '../http/strangers.ts';
import { plainHtml, shellHtml, welcomeHtml } from './page-html.ts';
import type { PublishedPage, PublishedPages } from './published-pages.ts';

/** What serving pages needs. */
export interface PageServerParts {
  readonly published: PublishedPages;
  readonly pages: OwnPages;
  readonly limits: { readonly maxBody: number; readonly bodyTimeout: number };
  run<T>(op: () => Operation<T>): Promise<T>;
}

/** Between two looks whether a tab is still there, milliseconds. */
const LOOK = 5_000;

const COOKIE = 'parley_page';

/** A day: longer than any call waits. */
const COOKIE_LIFE = 86_400;

/** Headers of every answer. */
export const ALWAYS = {
  'cache-control': 'no-store',
  // Not `no-referrer`: with that a form says that it comes from nowhere.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
};

/** The policy of a page that runs nothing. */
export const STILL =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/** Within it nothing is reached, and nothing is shared: not even the origin. */
const WITHIN =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts";

/** Answers a request for a published page; nothing for any other path. */
export async function servePage(
  parts: PageServerParts,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { published } = parts;
  const origin = originFor(published.origin(), req.headers.host);
  const [path = '', leaf = ''] = (req.url ?? '').split('?', 2);
  const page = published.find(path.slice('/ask/'.length));
  if (origin === undefined) return sendPlain(res, 404, 'Not found', 'This page does not exist.');
  if (!page)
    return sendPlain(
      res,
      410,
      'This link has expired',
      'It was for one question, which was answered or was open for too long.',
    );
  const may = await published.mayOpen(page, req.headers);
  if (may === 'log in') return sendPlain(res, 401, 'Log in first', 'Log in, then open the link again.');
  if (may === 'no')
    return sendPlain(
      res,
      403,
      'This link is not for you',
      'It was created for another user and does not work here.',
    );
  const isTheirs = published.isTheirs(page, cookieOf(req));
  if (req.method === 'GET' && leaf === '') {
    if (isTheirs) return shell(res, page);
    return page.browser ? taken(res) : html(res, 200, welcomeHtml(page), STILL);
  }
  if (req.method === 'GET' && leaf === 'app' && isTheirs) return await app(parts, res, page);
  // Nothing but our own page posts, and a preview posts nothing.
  if (req.method !== 'POST' || !isFromPage(req, origin))
    return sendPlain(res, 405, 'Not here', 'Open the link in a browser.');
  if (leaf === '' && isTheirs) return back(res, page);
  if (leaf === '' && req.headers['sec-fetch-user'] !== '?1') return refusePage(res);
  if (leaf === '') return claim(published, res, page, origin);
  if (!isTheirs) return taken(res);
  admit(req.socket);
  return await converse(parts, req, res, page, leaf);
}

/**
 * The origin of a page as its browser knows it; nothing where it comes by a name that is not ours, as a page that rebinds DNS does. What is
 * published on this machine may be reached by any name and port of this machine, for ports are forwarded.
 */
export function originFor(published: string | undefined, host = ''): string | undefined {
  if (published === undefined) return undefined;
  const { protocol, hostname, host: own } = new URL(published);
  if (host === own || (isLoopback(hostname) && isLoopback(hostnameOf(host) ?? '')))
    return `${protocol}//${host}`;
  return undefined;
}

/** Whether a page of this server sends it. Behind a tunnel it has the origin of that, and only its browser knows that this is its own. */
export function isFromPage({ headers }: IncomingMessage, origin: string): boolean {
  const { origin: named, 'sec-fetch-site': site } = headers;
  return named === origin || (named !== undefined && site === 'same-origin');
}

function claim(published: PublishedPages, res: ServerResponse, page: PublishedPage, origin: string): void {
  const cookie = published.claim(page);
  if (cookie === undefined) {
    taken(res);
    return;
  }
  const secure = origin.startsWith('https:') ? '; Secure' : '';
  res.setHeader(
    'set-cookie',
    `${COOKIE}=${cookie}; Path=/ask/${page.id}; Max-Age=${COOKIE_LIFE}; HttpOnly; SameSite=Lax${secure}`,
  );
  back(res, page);
}

function back(res: ServerResponse, { id }: PublishedPage): void {
  res.writeHead(303, { ...ALWAYS, location: `/ask/${id}` }).end();
}

function shell(res: ServerResponse, page: PublishedPage): void {
  const nonce = randomBytes(16).toString('base64');
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'unsafe-inline'; connect-src 'self'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;
  html(res, 200, shellHtml(page, nonce), policy);
}

/** The document with the questions of a call. */
export async function app(
  { pages, run }: Pick<PageServerParts, 'pages' | 'run'>,
  res: ServerResponse,
  { session }: PublishedPage,
): Promise<void> {
  const { plugin, tool } = session;
  html(res, 200, await run(() => pages.document(plugin ?? tool, '-')), WITHIN);
}

/** The line to the tab that has a page open, as long as it has. */
function lineTo(page: PublishedPage, pages: OwnPages): PageLine {
  if (page.line) return page.line;
  const line = new PageLine();
  line.begin(pages.callOf(page.session).guests.join(line.end));
  const looking = setInterval(() => {
    if (page.line === line && !line.isGone()) return;
    clearInterval(looking);
    line.close();
    if (page.line === line) delete page.line;
    // Who closes the page again is sent anew.
    page.isAgreed = false;
  }, LOOK).unref();
  page.line = line;
  return line;
}

/** What the page asks and says. */
export async function converse(
  { pages, limits, run }: Omit<PageServerParts, 'published'>,
  req: IncomingMessage,
  res: ServerResponse,
  page: PublishedPage,
  leaf: string,
): Promise<void> {
  const body = await readJson(req, limits);
  if (!body.ok) return sendJson(res, body.status, { error: body.message }, ALWAYS);
  const line = lineTo(page, pages);
  if (leaf === 'watch') {
    const { success, data } = watchInput.safeParse(body.value);
    if (!success) return sendJson(res, 400, { error: 'malformed' }, ALWAYS);
    return sendJson(res, 200, await run(() => line.poll(data.after, data.after === 0)), ALWAYS);
  }
  const said = sendInput().safeParse(body.value);
  if (leaf !== 'send' || !said.success) return sendJson(res, 400, { error: 'malformed' }, ALWAYS);
  line.receive(said.data.messages);
  sendJson(res, 200, {}, ALWAYS);
}

function cookieOf({ headers }: IncomingMessage): string | undefined {
  for (const one of headers.cookie?.split(';') ?? []) {
    const [name, value] = one.trim().split('=', 2);
    if (name === COOKIE) return value;
  }
  return undefined;
}

function taken(res: ServerResponse): void {
  sendPlain(res, 403, 'This link was already used', 'It works only in the browser that opened it first.');
}

/** For a model that has a shell, and for whoever else is no person who presses. */
export function refusePage(res: ServerResponse): void {
  sendPlain(
    res,
    403,
    'Not here',
    'Refused: this page is for the person alone, in their browser. If you are a model: do not answer for the user. Wait for the result of the tool that asks.',
  );
}

/** A page that says something. */
export function sendPlain(res: ServerResponse, status: number, title: string, text: string): void {
  html(res, status, plainHtml(title, text), STILL);
}

/** Answers with a document. */
export function html(res: ServerResponse, status: number, text: string, policy: string): void {
  if (res.headersSent || res.destroyed) return;
  res.writeHead(status, {
    ...ALWAYS,
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'content-security-policy': policy,
  });
  res.end(text);
}
