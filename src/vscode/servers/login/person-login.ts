import { action, type Operation, race, sleep } from 'effection';
import * as vscode from 'vscode';
import { readPageAddress } from '../../../core/page/page-address.ts';
import { defined } from '../../../core/schema/defined.ts';
import { createLogin, type HttpEntry, type Login } from '../../../mcp/client/index.ts';
import { type Edge, fromThenable } from '../../bridge.ts';
import { openPage } from '../../calls/editor/open-page.ts';
import type { FoundServer } from '../sources/read-sources.ts';
import type { Vault } from '../vault.ts';
import type { Callbacks } from './callbacks.ts';
import type { LoginTurns } from './login-turns.ts';

/** How long a person has to log in, milliseconds. */
const PATIENCE = 600_000;

/** A login at one server, by this window's person. */
export interface PersonLogin extends Login {
  /** Whether they did not log in when they were asked. */
  readonly refused: boolean;
  /** Whether they are asked now. */
  readonly asks: boolean;
  /** They may be asked anew. */
  again(): void;
  /** They want to. Returns whether it takes another attempt to connect; otherwise they are asked now, and that is their answer. */
  agree(): boolean;
}

/** What a login of a person works with. */
export interface PersonLoginParts {
  readonly edge: Edge;
  readonly vault: Pick<Vault, 'login' | 'keepLogin'>;
  readonly callbacks: Callbacks;
  /** The turn of this window, of all that keep the same. */
  readonly turn: LoginTurns;
  /** `refused` or `asks` is another. */
  changed(): void;
  /** Says something in the log of the server. */
  warn(message: string): void;
}

/**
 * Asks the person to log in where a server wants it, and opens its page when they agree. Who does not is asked no more until they
 * start the server again.
 */
export function personLogin(
  found: FoundServer,
  { url, client, scope }: HttpEntry,
  parts: PersonLoginParts,
): PersonLogin {
  const { edge, vault, callbacks, turn, warn, changed } = parts;
  const { owner, name } = found;
  let refused = false;
  let agreed = false;
  let agree: (() => void) | undefined;

  /** Asks in a notification, or is told by the row of the server. */
  function* wanted(host: string): Operation<boolean> {
    if (agreed) return true;
    const logIn = vscode.l10n.t('Log In…');
    const question = vscode.l10n.t('The MCP server “{0}” requires you to log in at {1}.', name, host);
    const told = action<string>((resolve) => {
      agree = () => resolve(logIn);
      changed();
      return () => {
        agree = undefined;
        changed();
      };
    });
    return (
      (yield* race([fromThenable(vscode.window.showInformationMessage(question, logIn)), told])) === logIn
    );
  }

  function* send(given: URL, state: string): Operation<URLSearchParams> {
    const page = readPageAddress(given);
    if (!page.ok) throw new Error(`its login page cannot be opened: ${page.problem}`);
    if (refused) throw new Error(notLoggedIn());
    const agrees = yield* wanted(page.address.host);
    agreed = false;
    if (!agrees) {
      refused = true;
      throw new Error(notLoggedIn());
    }
    // Listened for before the page can answer.
    const answer = race([callbacks.expect(state), late()]);
    const opening = openPage(page.address.href);
    try {
      const query = yield* race([answer, opened(opening)]);
      if (!query.has('error')) return query;
      throw new Error(notLoggedIn());
    } catch (error) {
      refused = true;
      throw error;
    }
  }

  const login = createLogin({
    url,
    ...defined({ client, scope }),
    redirect: callbacks.redirect,
    // Other windows keep it, too.
    shared: true,
    read: () => edge.promise(() => vault.login(owner, name)),
    keep: (text) => edge.promise(() => vault.keepLogin(owner, name, text)),
    turn,
    warn,
    send: (page, state, signal) => edge.promise(() => race([send(page, state), stopped(signal)])),
  });
  return {
    ...login,
    get refused() {
      return refused;
    },
    get asks() {
      return agree !== undefined;
    },
    again() {
      refused = false;
    },
    agree() {
      refused = false;
      const asked = agree;
      asked?.();
      agreed = asked === undefined;
      return agreed;
    },
  };
}

function notLoggedIn(): string {
  return vscode.l10n.t('You are not logged in. Choose “Log In…” on the server to try again.');
}

/** Waits for ever once the page is open. */
function* opened(opening: Operation<boolean>): Operation<never> {
  if (!(yield* opening)) throw new Error(notLoggedIn());
  return yield* action<never>(() => () => {});
}

function* late(): Operation<never> {
  yield* sleep(PATIENCE);
  throw new Error(notLoggedIn());
}

function stopped(signal: AbortSignal): Operation<never> {
  return action<never>((_resolve, reject) => {
    const stop = () => reject(new Error('it is not wanted any more'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    return () => signal.removeEventListener('abort', stop);
  });
}
