import { setTimeout as delay } from 'node:timers/promises';
import type { StoredOAuthTokens } from '@modelcontextprotocol/client';

/** What an authorization server answered to a refresh. */
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Another program that was first keeps what it got within so many looks, this long apart, milliseconds. */
const LOOKS = 5;
const PAUSE = 200;

/**
 * A `fetch` that brings each refresh token once. Calls that find at one moment that their token is over all ask for a new one, and so do
 * other programs that keep the same login; but a refresh token that comes again is a stolen one to many an authorization server, which
 * then ends the login. Who comes second gets what the first got: one that is refused because another program brought the same token at the
 * same moment looks for what that one keeps.
 *
 * @param kept what is kept now: another program may have got something newer
 * @param pause waits between two looks
 */
export function withOneRefresh(
  fetch: typeof globalThis.fetch,
  kept: () => Promise<StoredOAuthTokens | undefined>,
  pause: () => Promise<unknown> = () => delay(PAUSE),
): typeof globalThis.fetch {
  let last: { readonly refresh: string; readonly answer: Promise<Answer> } | undefined;

  /** What another program got. */
  const gotElsewhere = async (token: string): Promise<Answer | undefined> => {
    const now = await kept();
    if (now?.refresh_token === undefined || now.refresh_token === token) return undefined;
    return {
      status: 200,
      headers: new Headers({ 'content-type': 'application/json' }),
      text: JSON.stringify(now),
    };
  };

  const answerTo = async (token: string, ask: () => Promise<Response>): Promise<Answer> => {
    const before = await gotElsewhere(token);
    if (before) return before;
    const response = await ask();
    const answer = { status: response.status, headers: response.headers, text: await response.text() };
    if (response.ok || !answer.text.includes('invalid_grant')) return answer;
    for (let looks = 0; looks < LOOKS; looks += 1) {
      const meanwhile = await gotElsewhere(token);
      if (meanwhile) return meanwhile;
      await pause();
    }
    return answer;
  };

  return async (input, init) => {
    const form = init?.method === 'POST' && init.body instanceof URLSearchParams ? init.body : undefined;
    const token = form?.get('grant_type') === 'refresh_token' ? form.get('refresh_token') : null;
    if (!form || token === null) return await fetch(input, init);
    // The same token for other scopes is another wish.
    const refresh = form.toString();
    if (last?.refresh !== refresh) {
      const asked = { refresh, answer: answerTo(token, () => fetch(input, init)) };
      last = asked;
      const forget = () => {
        if (last === asked) last = undefined;
      };
      // What failed is tried again.
      asked.answer.then(({ status }) => status !== 200 && forget(), forget);
    }
    const { status, headers, text } = await last.answer;
    return new Response(text || null, { status, headers });
  };
}
