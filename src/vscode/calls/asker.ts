import { asLabel } from '../../core/messages/label.ts';
import type { CallInfo } from '../../panel-port/index.ts';
import type { Translate } from './notices/explain.ts';

/** Who asked for a call. */
export type Origin = 'person' | 'agent' | 'chat' | 'client';

/** Who asked for a call, and their name where it is not the person at the keyboard. */
export type Asker =
  | { readonly kind: 'person' }
  | {
      readonly kind: Exclude<Origin, 'person'>;
      /** From us: the agent's chat, `@parley`, or what the person copied this client's configuration as. */
      readonly name: string;
      /** What the client says it is. Shown beside the name, never believed. */
      readonly says?: string;
    };

/** Codicons of those who ask. */
const icons: Readonly<Record<Exclude<Origin, 'person'>, string>> = {
  agent: 'sparkle',
  chat: 'comment-discussion',
  client: 'plug',
};

/** An asker as panels and lists show them; nothing for the person. */
export function shownAsker(asker: Asker): CallInfo['asker'] {
  if (asker.kind === 'person') return undefined;
  const { name, says } = asker;
  return { name, icon: icons[asker.kind], ...(says === undefined ? {} : { says }) };
}

/** The asker of a call that is kept, by what was shown of it. */
export function askerOf(shown: CallInfo['asker']): Asker {
  if (!shown) return { kind: 'person' };
  const { name, says, icon } = shown;
  const kind = (['agent', 'chat'] as const).find((one) => icons[one] === icon) ?? 'client';
  return { kind, name, ...(says === undefined ? {} : { says }) };
}

const LONGEST = 61;

/** What a program says about itself, in one short line without anything that cannot be seen. */
export function asSaid(text: string): string {
  return asLabel(text, LONGEST);
}

/** An asker in words: `Cursor, which says it is cursor-vscode 1.4`. */
export function askerText({ name, says }: NonNullable<CallInfo['asker']>, t: Translate): string {
  return says === undefined ? name : t('{0}, which identifies itself as {1}', name, says);
}
