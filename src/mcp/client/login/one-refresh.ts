import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { StoredOAuthTokens } from '@modelcontextprotocol/client';
import type { LoginPort } from './login.ts';

/** What was answered, for as many as have asked the same. */
export interface HeldAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** What came of waiting: what another program got, or a turn; neither when it took too long. */
interface Waited {
  readonly before?: HeldAnswer | undefined;
  readonly over?: (() => Promise<void>) | undefined;
}

/** Another program that was first keeps what it got within so many looks, this long apart, milliseconds. */
const LOOKS = 5;
const PAUSE = 200;

/** So often is looked while another program asks: a little longer than an authorization server may take (`login-fetch.ts`). */
const LOOKS_MEANWHILE = 175;

/** What a refresh needs of the login that it is for. */
export interface RefreshParts {
  /** What is kept now: another program may have got something newer. */
  kept(): Promise<StoredOAuthTokens | undefined>;
  turn?: LoginPort['turn'];
  /** Waits between two looks. */
  pause?(): Promise<unknown>;
}

/**
 * A `fetch` that brings each refresh token once. Calls that find at one moment that their token is over all ask for a new one, and so do
 * other programs that keep the same login; but a refresh token that comes again is a stolen one to many an authorization server, which
 * then ends the login. Who comes second gets what the first got: programs take turns where they can, and one that is refused because
 * another program brought the same token at the same moment looks for what that one keeps.
 */
export function withOneRefresh(
  fetch: typeof globalThis.fetch,
  { kept, turn, pause = () => delay(PAUSE) }: RefreshParts,
): typeof globalThis.fetch {
  let last: { readonly refresh: string; readonly answer: Promise<HeldAnswer> } | undefined;

  /** What another program got since these were kept, within so many looks. */
  const gotElsewhere = async (token: string, old: StoredOAuthTokens | undefined, looks: number) => {
    for (let look = 1; ; look += 1) {
      const now = await kept();
      if (now && isNewer(now, token, old)) return answerOf(now);
      if (look >= looks) return undefined;
      await pause();
    }
  };

  /** Waits for the turn of this program, or for what another one got in its turn. */
  const waited = async (token: string, old: StoredOAuthTokens | undefined): Promise<Waited> => {
    const name = nameOf(token, old);
    for (let look = 0; look < LOOKS_MEANWHILE; look += 1) {
      // Where nobody can say whose turn it is, it is everybody's.
      const over = await turn?.(name).catch(() => nothingToEnd);
      // Who had the turn before may have kept something, and ended.
      const before = await gotElsewhere(token, old, 1);
      if (before) await over?.();
      if (before || over || !turn) return { before, over };
      await pause();
    }
    return {};
  };

  const answerTo = async (token: string, ask: () => Promise<Response>): Promise<HeldAnswer> => {
    const old = await kept();
    const { before, over } = await waited(token, old);
    if (before) return before;
    let isOk = false;
    try {
      const response = await ask();
      const answer = await holdAnswer(response);
      isOk = response.ok;
      if (isOk || !answer.text.includes('invalid_grant')) return answer;
      return (await gotElsewhere(token, old, LOOKS)) ?? answer;
    } finally {
      // What was got is kept by who asked us; then others find it there.
      if (over)
        void (isOk ? gotElsewhere(token, old, LOOKS) : Promise.resolve()).then(over).catch(nothingToEnd);
    }
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
    return responseFrom(await last.answer);
  };
}

/** An answer, read whole. */
export async function holdAnswer(response: Response): Promise<HeldAnswer> {
  const { status, headers } = response;
  return { status, headers, text: await response.text() };
}

/** An answer for one of those who have asked. */
export function responseFrom({ status, headers, text }: HeldAnswer): Response {
  return new Response(text || null, { status, headers });
}

async function nothingToEnd(): Promise<void> {}

function isNewer(now: StoredOAuthTokens, token: string, old: StoredOAuthTokens | undefined): boolean {
  if (now.refresh_token === undefined) return false;
  // Many a server goes on with the same refresh token.
  return now.refresh_token !== token || (old !== undefined && now.access_token !== old.access_token);
}

function answerOf(tokens: StoredOAuthTokens): HeldAnswer {
  return {
    status: 200,
    headers: new Headers({ 'content-type': 'application/json' }),
    text: JSON.stringify(tokens),
  };
}

/** Says nothing about the tokens. */
function nameOf(token: string, old: StoredOAuthTokens | undefined): string {
  return createHash('sha256')
    .update(JSON.stringify([token, old?.access_token]))
    .digest('hex')
    .slice(0, 32);
}
