import type { Operation } from 'effection';
import type { Memento } from 'vscode';
import { fromThenable } from '../../bridge.ts';

/** That the person allowed a tool, as it was then. */
export interface PolicyWord {
  /** Of what was started or reached. */
  readonly hash: string;
  /** Of what the tool said of itself. */
  readonly fingerprint: string;
  /** What it said, as far as it is kept, to show what has changed. */
  readonly said: string;
}

/** How long a word lasts: for one call, until the window is closed, or for good. */
export type Lasts = 'call' | 'window' | 'always';

/** What the person has said of tools. Kept in the extension's storage, where no workspace and no agent writes. */
export interface Words {
  about(key: string): PolicyWord | undefined;
  keep(key: string, word: PolicyWord, lasts: Exclude<Lasts, 'call'>): Operation<void>;
}

const KEY = 'parley.policy.allowed';

/** Tools that are allowed for good at once; the oldest are asked about again. */
const MOST = 500;

/** The words of a workspace. */
export function createWords(state: Memento): Words {
  const now = new Map<string, PolicyWord>();
  const kept = () => new Map(Object.entries(state.get<Readonly<Record<string, PolicyWord>>>(KEY) ?? {}));
  return {
    about: (key) => now.get(key) ?? kept().get(key),
    *keep(key, word, lasts) {
      now.set(key, word);
      if (lasts === 'window') return;
      const all = kept();
      all.delete(key);
      all.set(key, word);
      yield* fromThenable(state.update(KEY, Object.fromEntries([...all].slice(-MOST))));
    },
  };
}
