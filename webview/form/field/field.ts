import type { JsonValue } from '../../../src/core/messages/json.ts';

/** A field of any kind. */
export interface SomeField {
  readonly kind: string;
  /** The property's name in the answer. */
  readonly name: string;
  /** What a person reads; the property's title, or its name in words. */
  readonly title: string;
  readonly description?: string | undefined;
  readonly required: boolean;
  /** Filled in at first. */
  readonly default?: JsonValue | undefined;
  /** Left empty, a required field answers `null` (parameters only; elicitation knows no `null`). */
  readonly nullable?: boolean | undefined;
  /** The heading of the page it is on, in a form of several. */
  readonly page?: string | undefined;
}

/** The keywords of a property that its field has, too. */
export type Keywords<Property, Name extends keyof Property> = {
  readonly [K in Name]?: Property[K] | undefined;
};

/**
 * What a control holds, valid or not: the text as typed, a tick, the ids of what is chosen, the rows of a list, the members
 * of a group, the `{ key, value }` pairs of a record. `undefined` is a field that nobody touched and that has no default.
 */
export type Raw = string | boolean | readonly Raw[] | RawValues | undefined;

/** Controls by field name. */
export interface RawValues {
  readonly [name: string]: Raw;
}

/** What a date control holds while only a part of the date is typed in: the browser does not tell which part. */
export const INCOMPLETE = '\u2026';

/** What a choice holds before words of one's own: no id of a choice begins so. */
export const OWN = '\u001d';

/** The words of one's own that a choice holds; nothing where it holds a choice. */
export function ownWords(raw: unknown): string | undefined {
  return typeof raw === 'string' && raw.startsWith(OWN) ? raw.slice(OWN.length) : undefined;
}

/** The rows of a list or the ids of what is chosen. */
export function rowsOf(raw: Raw): readonly Raw[] {
  return Array.isArray(raw) ? raw : [];
}

/** The members of a group or of a pair. */
export function membersOf(raw: Raw): RawValues | undefined {
  return typeof raw === 'object' && !Array.isArray(raw) ? (raw as RawValues) : undefined;
}

/** Is it a field that nobody has put anything into? */
export function isBlank(raw: Raw): boolean {
  if (raw === undefined || raw === '') return true;
  return typeof raw === 'object' && Object.values(raw).every(isBlank);
}

// A character that no property's name has in practice.
const STEP = '\u001f';

/** Where a member of a field is: its path is unique in its form. */
export function below(path: string, step: string | number): string {
  return `${path}${STEP}${step}`;
}

/** The name of the field of the form that a path leads into. */
export function topOf(path: string): string {
  return path.split(STEP, 1)[0] ?? '';
}
