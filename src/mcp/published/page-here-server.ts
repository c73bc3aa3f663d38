import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type Operation, race } from 'effection';
import { aborted } from '../../runtime/call/aborted.ts';
import { readJson } from '../http/body.ts';
import { createHttpServer } from '../http/http-server.ts';
import { HTTP_LIMITS } from '../http/limits.ts';
import { sendJson } from '../http/respond.ts';
import { admit } from '../http/strangers.ts';
import type { GuestAddress, GuestTabs } from './guest-tabs.ts';
import { doorHtml, enterHtml, type TabPage, tabHtml } from './page-here-html.ts';
import {
  ALWAYS,
  app,
  converse,
  html,
  isFromPage,
  originFor,
  type PageServerParts,
  refusePage,
  STILL,
  sendPlain,
} from './page-server.ts';
import type { PublishedPage } from './published-pages.ts';

/** What it is served with. */
export type InnerPageParts = Pick<PageServerParts, 'pages' | 'run'>;

/** The page of a process, for what serves it. */
export interface InnerPage {
  /** The origin at which it is reached, once it is. */
  origin(): string | undefined;
  find(id: string): PublishedPage | undefined;
  /** What a tab shows that is in, by which it is known. */
  readonly tab: string;
  isTab(given: unknown): boolean;
  /** Lets in who has a key, once. A link that was opened by hand takes a press, too. */
  enter(key: string, isPressed: boolean): 'in' | 'over' | 'refused';
  /** Opens it in the person's browser, whoever wants that; false where nothing here can. */
  again(): Operation<boolean>;
  /** Other processes of this person, whose questions are in this tab, too. */
  readonly guests: GuestTabs;
  /** One of them has something to ask. Says whether the person has the tab before them, or will have. */
  join(): Operation<boolean>;
  /** How many calls ask now. */
  readonly asking: number;
  /** What the tab shows, once that is other than it was. */
  listed(after: number): Operation<{ readonly at: number; readonly pages: readonly TabPage[] }>;
}

/** The server of a process's own page; it listens nowhere yet. */
export function createPageServer(
  here: InnerPage,
  parts: InnerPageParts,
  report: (message: string, cause?: unknown) => void,
): Server {
  return createHttpServer((req, res) => serve(here, parts, req, res), report);
}

async function serve(
  here: InnerPage,
  parts: InnerPageParts,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { method, headers, url = '' } = req;
  const origin = originFor(here.origin(), headers.host);
  const [path = '', query = ''] = url.split('?', 2);
  const [, room = '', id = ''] = path.split('/');
  const page = here.find(id);
  if (origin === undefined) return sendPlain(res, 404, 'Not found', 'This page does not exist.');
  if (method === 'GET') {
    if (path === '/') return tab(res, { door: doorHtml(here.asking) });
    if (path === '/open') return html(res, 200, enterHtml(query), STILL);
    if (room === 'frame' && page) return await app(parts, res, page);
    if (room === 'frame' && here.guests.has(id)) return await here.guests.forward(req, res, room, id, LIMITS);
  }
  if (method !== 'POST') return sendPlain(res, 404, 'Not found', 'This page does not exist.');
  if (path === '/open') return await enter(here, req, res);
  // Nothing but our own page posts the rest.
  if (!isFromPage(req, origin)) return refusePage(res);
  if (path === '/') return await again(here, parts, req, res);
  if (!here.isTab(headers['x-parley-tab'])) return refusePage(res);
  admit(req.socket);
  if (room === 'list') {
    // Nobody looks at a tab that is closed.
    const gone = new AbortController();
    res.once('close', () => gone.abort());
    const listed = await parts.run(() => race([here.listed(Number(id)), aborted(gone.signal)]));
    if (listed) sendJson(res, 200, listed, ALWAYS);
  } else if (room === 'join') await join(here, parts, req, res);
  else if (here.guests.has(id)) await here.guests.forward(req, res, room, id, LIMITS);
  else if (page) await converse({ ...parts, limits: LIMITS }, req, res, page, room);
  else sendPlain(res, 410, 'This question is over', 'It is not asked any more.');
}

/** A person's own browser, on their machine: an answer may have files in it. */
const LIMITS = { ...HTTP_LIMITS, maxBody: 12 * 2 ** 20 };

/** Who has the secret of the tab is a process of this user. */
async function join(
  here: InnerPage,
  { run }: InnerPageParts,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const body = await readJson(req, HTTP_LIMITS);
  const { port, secret } = Object(body.ok && body.value) as Partial<GuestAddress>;
  if (!Number.isInteger(port) || port === undefined || typeof secret !== 'string') return refusePage(res);
  run(() => here.guests.follow({ port, secret })).catch(() => {});
  const isSeen = await run(() => here.join());
  sendJson(res, 200, { isSeen }, ALWAYS);
}

/** Longest form with a key, bytes. */
const MAX_FORM = 1_000;

/** Lets in the browser that has a key. */
async function enter(here: InnerPage, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { headers } = req;
  if (headers['sec-fetch-mode'] !== 'navigate' || Number(headers['content-length'] ?? MAX_FORM) >= MAX_FORM)
    return refusePage(res);
  let form = '';
  for await (const chunk of req) form += String(chunk);
  const key = new URLSearchParams(form).get('key') ?? '';
  const entered = here.enter(key, headers['sec-fetch-user'] === '?1');
  if (entered === 'refused') return refusePage(res);
  if (entered === 'over')
    return sendPlain(res, 410, 'This link has expired', 'It works once. Ask the agent where the page is.');
  admit(req.socket);
  tab(res, { tab: here.tab });
}

/** Opens the page again, at the person's word: in their browser, whoever has pressed. */
async function again(
  here: InnerPage,
  { run }: InnerPageParts,
  { headers }: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  if (headers['sec-fetch-user'] !== '?1') return refusePage(res);
  if (await run(() => here.again()))
    return sendPlain(res, 200, 'Opened', 'The questions are in your browser.');
  sendPlain(res, 200, 'No browser could be opened', 'Open the link that the agent shows.');
}

function tab(res: ServerResponse, what: Parameters<typeof tabHtml>[1]): void {
  const nonce = randomBytes(16).toString('base64');
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'unsafe-inline'; connect-src 'self'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'`;
  html(res, 200, tabHtml(nonce, what), policy);
}
