import type { IncomingMessage, ServerResponse } from 'node:http';
import { plainHtml } from '../../published/page-html.ts';
import type { Arrival, WaitingLogins } from './waiting-logins.ts';

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
};

/** Answers who comes back from a login page. */
export function serveCallback(logins: WaitingLogins, req: IncomingMessage, res: ServerResponse): void {
  if (req.method !== 'GET') {
    res.writeHead(405, { allow: 'GET' }).end();
    return;
  }
  const [, query = ''] = (req.url ?? '').split('?', 2);
  const { status, title, text } = said(logins.arrive(new URLSearchParams(query)));
  res.writeHead(status, HEADERS).end(plainHtml(title, text));
}

function said(arrival: Arrival): { readonly status: number; readonly title: string; readonly text: string } {
  switch (arrival.type) {
    case 'code':
      return {
        status: 200,
        title: `${arrival.code.slice(0, 4)}-${arrival.code.slice(4)}`,
        text: `Enter this code where you started to log in to '${arrival.server}'. If you did not start there, do not share it, and close this page.`,
      };
    case 'text':
      return {
        status: 200,
        title: 'Copy this text',
        text: `Enter all of it where you started to log in. If you did not start there, do not share it, and close this page. ${arrival.text}`,
      };
    case 'refused':
      return {
        status: 200,
        title: 'Not logged in',
        text: `The login to '${arrival.server}' was refused or cancelled. Start again in the program that opened this page.`,
      };
    case 'unknown':
      return {
        status: 410,
        title: 'This login is no longer active',
        text: 'Start again in the program that opened this page.',
      };
  }
}
