import type { DrawnKind } from '../../core/form/field-kind.ts';
import { isObject } from '../../core/schema/is-object.ts';
import data from './profiles.json' with { type: 'json' };

/** What a kind of client is known to do other than it declares, or than the protocol lets one expect. What is absent is as it declares. */
export interface ClientProfile {
  /** The kinds of fields that it draws; of a form with any other it draws nothing. All, where nothing is said. */
  readonly fields?: readonly DrawnKind[];
  /** The kinds of fields that begin with their default there. All, where nothing is said. */
  readonly defaults?: readonly DrawnKind[];
  /** Sends no form whose last field, by its name, is a text that stays empty, and has fields in the order of their names. */
  readonly emptyText?: false;
  /** Declares that it opens pages, and declines by itself. */
  readonly url?: false;
  /** Declares that it asks a model, and does not. */
  readonly sampling?: false;
  /** Declares pages in the conversation, and shows none. */
  readonly apps?: false;
  /** Shows the message of a question to the person, so that nothing in it is meant for a model: as it is, in plain words, or as Markdown. */
  readonly message?: 'plain' | 'markdown';
  /** Shows what a call reports of its progress to the person. */
  readonly progress?: true;
  /** After so many rounds of questions it gives up a call of 2026-07-28. */
  readonly rounds?: number;
  /** Milliseconds after which it gives up a call that reports progress; unknown, where nothing is said. */
  readonly timeout?: number;
  /** Declares forms, and may answer them without anybody: it runs headless, too. */
  readonly answersItself?: true;
  /** A person sits before its forms, when it does not answer them by itself. */
  readonly people?: true;
  /** Web links of a result are text to it: as links it loses them, or reads them from the server. */
  readonly links?: 'text';
  /** Pictures, sound and files of a result are words to it: it hands the model their base64 as text. */
  readonly media?: 'text';
}

/** A profile, and whose it is. */
export interface ProfileEntry extends ClientProfile {
  /** The name that clients give themselves; with `*` at the end, what it begins with: `*` for all that have no other entry. */
  readonly name: string;
  /** Only for versions before this one. */
  readonly below?: string;
}

// JSON has no types of its own words: profile.test.ts reads the file with a schema of this shape.
const PROFILES = data as readonly ProfileEntry[];

/** Of clients of which nothing is known. */
const UNKNOWN: ClientProfile = PROFILES.find(({ name }) => name === '*') ?? {};

/** What is known of a client by what it says it is. Anybody may say anything: it is for what is sent, and for no permission. */
export function profileOf(clientInfo: unknown, among: readonly ProfileEntry[] = PROFILES): ClientProfile {
  const { name, version } = isObject(clientInfo) ? clientInfo : {};
  if (typeof name !== 'string') return UNKNOWN;
  return (
    among.find(
      (entry) => isNamed(entry.name, name) && (entry.below === undefined || isBelow(version, entry.below)),
    ) ?? UNKNOWN
  );
}

/** After how many rounds of questions a client gives up a call of 2026-07-28. */
export function roundsOf(clientInfo: unknown): number {
  return profileOf(clientInfo).rounds ?? UNKNOWN.rounds ?? Number.POSITIVE_INFINITY;
}

/** Why a call ends that asks more often, for a model. */
export const TOO_OFTEN =
  'it asks more often than this client answers in one call. Call it from another client, or have it ask for several things in one form';

function isNamed(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

/** By numbers, as `2.1.332`: what stands behind them does not count. What is no version is the newest. */
function isBelow(version: unknown, limit: string): boolean {
  if (typeof version !== 'string') return false;
  const [given, bound] = [version, limit].map((text) =>
    /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?/.exec(text),
  );
  if (!given || !bound) return false;
  for (let at = 1; at <= 3; at++) {
    const difference = Number(given[at] ?? 0) - Number(bound[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
