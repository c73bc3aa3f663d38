import type { FetchLike } from '@modelcontextprotocol/client';
import { asLabel } from '../../../core/messages/label.ts';
import { isObject } from '../../../core/schema/is-object.ts';

/** A login without a person did not come about. The message is a sentence without secrets. */
export class LoginRefused extends Error {}

/**
 * A `fetch` for logins with credentials, whose refusals are the end of it: the SDK would bring the same credentials once more, and say what it was
 * answered on the console. What an authorization server says is somebody else's word, in which the credentials may come back.
 *
 * @param signal aborts what is asked
 */
export function refusedPlainly(fetch: FetchLike, signal: AbortSignal): FetchLike {
  return async (input, init) => {
    const response = await fetch(input, {
      ...init,
      signal: init?.signal ? AbortSignal.any([init.signal, signal]) : signal,
    });
    const isMoved = response.status >= 300 && response.status < 400;
    if (init?.method !== 'POST' || isMoved) return response;
    const { status, headers } = response;
    const answer = jsonIn(await response.text());
    if (response.ok && isObject(answer) && typeof answer.error !== 'string')
      return new Response(JSON.stringify(answer), { status, headers });
    throw new LoginRefused(
      `the login at ${new URL(input).host} was refused: ${withoutSecrets(saidIn(answer, status), init)}`,
    );
  };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function saidIn(answer: unknown, status: number): string {
  const { error, error_description } = isObject(answer) ? answer : {};
  if (typeof error !== 'string') return `it answered ${status}, without a word that can be read`;
  return typeof error_description === 'string' ? `${error} (${error_description})` : error;
}

/** Fields of a form that anybody could log in with. */
const SECRETS = ['client_secret', 'client_assertion', 'assertion', 'subject_token'];

function withoutSecrets(said: string, { body, headers }: RequestInit): string {
  const form = new URLSearchParams(body instanceof URLSearchParams || typeof body === 'string' ? body : '');
  const [, basic = ''] = (new Headers(headers).get('authorization') ?? '').split(' ');
  const credentials = Buffer.from(basic, 'base64').toString();
  const secrets = [
    ...SECRETS.map((name) => form.get(name) ?? ''),
    basic,
    credentials.slice(credentials.indexOf(':') + 1),
  ];
  const plain = secrets.reduce((text, secret) => (secret === '' ? text : text.replaceAll(secret, '…')), said);
  return asLabel(plain, 300);
}
