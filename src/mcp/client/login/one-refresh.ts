import type { StoredOAuthTokens } from '@modelcontextprotocol/client';

/** What an authorization server answered to a refresh. */
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * A `fetch` that brings each refresh token once. Calls that find at one moment that their token is over all ask for a new one, and so do
 * other programs that keep the same login; but a refresh token that comes again is a stolen one to many an authorization server, which
 * then ends the login. Who comes second gets what the first got.
 *
 * @param kept what is kept now: another program may have got something newer
 */
export function withOneRefresh(
  fetch: typeof globalThis.fetch,
  kept: () => Promise<StoredOAuthTokens | undefined>,
): typeof globalThis.fetch {
  let last: { readonly refresh: string; readonly answer: Promise<Answer> } | undefined;

  const answerTo = async (token: string, ask: () => Promise<Response>): Promise<Answer> => {
    const now = await kept();
    if (now?.refresh_token !== undefined && now.refresh_token !== token) {
      return {
        status: 200,
        headers: new Headers({ 'content-type': 'application/json' }),
        text: JSON.stringify(now),
      };
    }
    const response = await ask();
    return { status: response.status, headers: response.headers, text: await response.text() };
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
