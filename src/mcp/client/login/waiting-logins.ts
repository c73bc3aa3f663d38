import { letters } from '../../published/letters.ts';

/** A login that somebody has yet to do, at a server behind this one. */
export interface WaitingLogin {
  readonly principal: string;
  readonly server: string;
  /** Where they do it. */
  readonly page: URL;
  /**
   * Takes what the page that they came back to has shown them. True when the login is over by that, well or badly: one that was refused
   * there ends with whatever is said, and so does one of which something else was said too often.
   */
  finish(said: string): boolean;
}

/** What somebody who comes back from a login is shown. */
export type Arrival =
  /** The code that proves to their client that it was they who logged in. */
  | { readonly type: 'code'; readonly server: string; readonly code: string }
  /** The login was begun at another process: the text that it takes instead. */
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'refused'; readonly server: string }
  /** It is none of ours, is over, or was shown already. */
  | { readonly type: 'unknown' };

/**
 * Logins of principals that wait for them. Whoever opens a login page need not be who called: so the page that they come back to shows a
 * code, and the login counts only when the caller says that code. A link that was sent to somebody else logs nobody in.
 */
export interface WaitingLogins {
  /** Waits until somebody has logged in on a page, and the principal has said so. */
  send(
    whose: { readonly principal: string; readonly server: string },
    to: { readonly page: URL; readonly state: string; readonly signal: AbortSignal },
  ): Promise<URLSearchParams>;
  /** Those of a principal. */
  of(principal: string): readonly WaitingLogin[];
  /** Calls back when there are others. Returns what stops it. */
  subscribe(listener: () => void): () => void;
  /** Somebody came back from a login page, with this query. */
  arrive(query: URLSearchParams): Arrival;
}

/** How often something else than the code may be said. */
const TRIES = 5;

/** A query that somebody has to carry by hand is no longer than this. */
const MAX_TEXT = 4_000;

interface Waiting extends WaitingLogin {
  came?: { readonly query: URLSearchParams; readonly code: string };
}

export function createWaitingLogins(): WaitingLogins {
  const byState = new Map<string, Waiting>();
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of [...listeners]) listener();
  };
  return {
    send({ principal, server }, { page, state, signal }) {
      return new Promise((resolve, reject) => {
        let tries = 0;
        const over = (end: () => void) => {
          if (byState.get(state) !== waiting) return;
          byState.delete(state);
          signal.removeEventListener('abort', stop);
          end();
          tell();
        };
        const waiting: Waiting = {
          principal,
          server,
          page,
          finish(said) {
            const query = queryIn(said, state, waiting.came);
            if (query) over(() => resolve(query));
            else if (++tries >= TRIES) over(() => reject(new Error('the code of the login was not entered')));
            return byState.get(state) !== waiting;
          },
        };
        const stop = () => over(() => reject(new Error('the login no longer waits')));
        byState.set(state, waiting);
        signal.addEventListener('abort', stop);
        if (signal.aborted) stop();
        tell();
      });
    },
    of: (principal) => [...byState.values()].filter((one) => one.principal === principal),
    subscribe(listener) {
      const own = () => listener();
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    arrive(query) {
      const state = query.get('state') ?? '';
      const waiting = byState.get(state);
      if (!waiting) {
        const text = query.toString();
        const isOurs = /^[\w-]{43}$/.test(state) && query.has('code') && text.length <= MAX_TEXT;
        return isOurs ? { type: 'text', text } : { type: 'unknown' };
      }
      const { server } = waiting;
      // Whoever opens the same address later, such as from a history, reads no code.
      if (waiting.came) return { type: 'unknown' };
      const code = letters(8);
      waiting.came = { query, code };
      return query.has('code') ? { type: 'code', server, code } : { type: 'refused', server };
    },
  };
}

/** What the login page sent back, where this says it. */
function queryIn(said: string, state: string, came: Waiting['came']): URLSearchParams | undefined {
  const text = said.trim();
  if (came && (!came.query.has('code') || text.toUpperCase().replace(/[^A-Z\d]/g, '') === came.code))
    return came.query;
  const query = new URLSearchParams(text);
  return query.get('state') === state && query.has('code') ? query : undefined;
}
