import { createHash } from 'node:crypto';
import { type Operation, until } from 'effection';
import type { SecretStorage } from 'vscode';
import { textPairsIn } from '../../core/schema/text-pairs.ts';
import { fromThenable, useListener } from '../bridge.ts';

/** What the person allowed and gave once, kept where no file of a workspace and no setting reaches. */
export interface Vault {
  /** The hash of what was allowed to be started or reached under this name. */
  allowed(owner: string, name: string): string | undefined;
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

const CONSENTS = 'parley.servers.allowed';

/** Servers whose consent is kept; the oldest are asked about again. */
const MOST = 1_000;

/** What is kept, as it is now. `changed` is told when another window has allowed a server or taken its permission back. */
export function* useVault(secrets: SecretStorage, changed: () => void): Operation<Vault> {
  let consents: ReadonlyMap<string, string> = new Map();
  let last = lookAgain();
  yield* useListener(secrets.onDidChange, ({ key }) => {
    if (key === CONSENTS) last = last.then(hear).catch(() => {});
  });
  yield* until(last);

  async function read(): Promise<Map<string, string>> {
    try {
      return new Map(textPairsIn(JSON.parse((await secrets.get(CONSENTS)) ?? '[]')));
    } catch {
      return new Map();
    }
  }

  async function lookAgain(): Promise<void> {
    consents = await read();
  }

  /** This window hears of what it has written itself, too, and of what others have before it writes. */
  async function hear(): Promise<void> {
    const before = consents;
    await lookAgain();
    if (!isSame(before, consents)) changed();
  }

  /** On what is there now: another window may have written since. One after the other, or one would write over what the other did. */
  function* change(apply: (all: Map<string, string>) => void): Operation<void> {
    const mine = last.then(async () => {
      await hear();
      const all = new Map(consents);
      apply(all);
      consents = new Map([...all].slice(-MOST));
      await secrets.store(CONSENTS, JSON.stringify([...consents]));
    });
    last = mine.catch(() => {});
    yield* until(mine);
  }

  const keyOf = (owner: string, name: string) => JSON.stringify([owner, name]);
  return {
    allowed: (owner, name) => consents.get(keyOf(owner, name)),
    *allow(owner, name, hash) {
      yield* change((all) => {
        all.delete(keyOf(owner, name));
        all.set(keyOf(owner, name), hash);
      });
    },
    *takeBack(owner, name) {
      yield* change((all) => void all.delete(keyOf(owner, name)));
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

function isSame(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([key, hash]) => other.get(key) === hash);
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
