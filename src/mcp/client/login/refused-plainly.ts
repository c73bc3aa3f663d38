import type { FetchLike } from '@modelcontextprotocol/client';
import { refusalIn, usableAnswer } from './refusal-text.ts';

/** A login did not come about. The message is a sentence without secrets. */
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
    const text = await response.text();
    const refusal = refusalIn(text, response, init);
    if (!refusal) return usableAnswer(text, response);
    throw new LoginRefused(wasRefused(new URL(input), refusal.why));
  };
}

/** A sentence about a login that an authorization server refused. */
export function wasRefused({ host }: URL, why: string): string {
  return `the login at ${host} was refused: ${why}`;
}
