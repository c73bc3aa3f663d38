import { reasonOf } from '../transport/failed-request.ts';
import { refusalIn, usableAnswer } from './refusal-text.ts';
import { wasRefused } from './refused-plainly.ts';

/** What refusals mean for the login of a person. */
export interface RefusedLogin {
  /** Whether somebody has registered its client by hand: nobody registers another one. */
  readonly isOwn: boolean;
  /** It is registered anew next time. */
  forgetClient(): Promise<void>;
}

/** The client is refused, whatever it brings. */
const CLIENT_ERRORS: readonly unknown[] = ['invalid_client', 'unauthorized_client'];

/** No error that the SDK knows: it would bring the same once more, or send the person to a page. */
const OVER = 'login_refused';

/**
 * A `fetch` for logins of people: each code is brought once, and so is a client that nobody can register anew. What else is refused is
 * for the SDK to go on with, in words that hold nothing of what was brought: it says them on the console. Where a refresh finds nobody, the
 * person is not sent to a page, at which nobody would be either.
 */
export function refusedOnce(
  fetch: typeof globalThis.fetch,
  { isOwn, forgetClient }: RefusedLogin,
): typeof globalThis.fetch {
  return async (input, init) => {
    const form = init?.method === 'POST' && init.body instanceof URLSearchParams ? init.body : undefined;
    const grant = form?.get('grant_type');
    if (!init || !grant) return await fetch(input, init);
    const at = new URL(input instanceof Request ? input.url : input);
    const { OAuthError } = await import('@modelcontextprotocol/client');
    let response: Response;
    try {
      response = await fetch(input, init);
    } catch (error) {
      if (grant !== 'refresh_token') throw error;
      throw new OAuthError(
        OVER,
        `the login at ${at.host} cannot be reached to renew it (${reasonOf(error)})`,
      );
    }
    if (response.status >= 300 && response.status < 400) return response;
    const { status, headers } = response;
    const text = await response.text();
    const refusal = refusalIn(text, response, init);
    if (!refusal) return usableAnswer(text, response);
    const { error, why } = refusal;
    const isAgain = error === 'use_dpop_nonce';
    const isOfClient = CLIENT_ERRORS.includes(error);
    if (isAgain || (grant === 'refresh_token' && !(isOfClient && isOwn)))
      return Response.json({ error: error ?? 'server_error', error_description: why }, { status, headers });
    if (isOfClient && !isOwn) await forgetClient();
    throw new OAuthError(OVER, wasRefused(at, why));
  };
}
