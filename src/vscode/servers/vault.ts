import { createHash } from 'node:crypto';
import { type Operation, until } from 'effection';
import type { SecretStorage } from 'vscode';
import { fromThenable, useListener } from '../bridge.ts';

/** What the person allowed and gave once, kept where no file of a workspace and no setting reaches. */
export interface Vault {
  /** The hash of what was allowed to be started or reached under this name. */
  allowed(owner: string, name: string): Operation<string | undefined>;
  allow(owner: string, name: string, hash: string): Operation<void>;
  takeBack(owner: string, name: string): Operation<void>;
  /** What was given for an input of a folder. */
  input(owner: string, id: string): Operation<string | undefined>;
  keepInput(owner: string, id: string, value: string): Operation<void>;
  forgetInput(owner: string, id: string): Operation<void>;
  /** What a login at a server left: its tokens. */
  login(owner: string, name: string): Operation<string | undefined>;
  keepLogin(owner: string, name: string, login: string): Operation<void>;
  forgetLogin(owner: string, name: string): Operation<void>;
}

/**
 * What is kept, as it is now. Each thing has a key of its own: windows write at the same time, and a store of secrets has no way to write
 * only where nothing has changed.
 *
 * @param changed told when another window has allowed a server or taken its permission back
 */
export function* useVault(secrets: SecretStorage, changed: () => void): Operation<Vault> {
  /** Consents as this window has seen or written them last: it hears of what it has written itself, too. */
  const seen = new Map<string, string | undefined>();

  /** What cannot be read was not allowed. */
  async function look(key: string): Promise<string | undefined> {
    const now = await Promise.resolve(secrets.get(key)).catch(() => undefined);
    seen.set(key, now);
    return now;
  }
  async function hear(key: string): Promise<void> {
    const before = seen.get(key);
    if ((await look(key)) !== before) changed();
  }
  yield* useListener(secrets.onDidChange, ({ key }) => {
    if (key.startsWith(CONSENT)) void hear(key);
  });

  return {
    allowed: (owner, name) => until(look(consentKey(owner, name))),
    *allow(owner, name, hash) {
      const key = consentKey(owner, name);
      seen.set(key, hash);
      yield* fromThenable(secrets.store(key, hash));
    },
    *takeBack(owner, name) {
      const key = consentKey(owner, name);
      seen.set(key, undefined);
      yield* fromThenable(secrets.delete(key));
    },
    *input(owner, id) {
      return yield* fromThenable(secrets.get(inputKey(owner, id)));
    },
    *keepInput(owner, id, value) {
      yield* fromThenable(secrets.store(inputKey(owner, id), value));
    },
    *forgetInput(owner, id) {
      yield* fromThenable(secrets.delete(inputKey(owner, id)));
    },
    *login(owner, name) {
      return yield* fromThenable(secrets.get(loginKey(owner, name)));
    },
    *keepLogin(owner, name, login) {
      yield* fromThenable(secrets.store(loginKey(owner, name), login));
    },
    *forgetLogin(owner, name) {
      yield* fromThenable(secrets.delete(loginKey(owner, name)));
    },
  };
}

const CONSENT = 'parley.servers.allowed.';

function consentKey(owner: string, name: string): string {
  return `${CONSENT}${digestOf([owner, name])}`;
}

function inputKey(owner: string, id: string): string {
  return `parley.servers.input.${digestOf([owner, id])}`;
}

function loginKey(owner: string, name: string): string {
  return `parley.servers.login.${digestOf([owner, name])}`;
}

function digestOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
