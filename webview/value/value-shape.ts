import type { JsonObject, JsonValue } from '../../src/core/messages/json.ts';
import { isJsonObject } from '../../src/panel-port/index.ts';

/** A value that fits a table's cell. */
export type Scalar = string | number | boolean | null;

/** How a value is shown. */
export type ValueShape =
  | { kind: 'nothing' }
  | { kind: 'text'; text: string }
  /** An object that is flat but for short lists and tables: a row for each member. */
  | { kind: 'record'; members: readonly (readonly [string, JsonValue])[] }
  /** A list of flat objects: a row for each, a column for each member's name. */
  | { kind: 'rows'; columns: readonly string[]; rows: readonly Readonly<Record<string, Scalar>>[] }
  | { kind: 'tree' };

/** A table scrolls sideways, but with more columns than this nobody finds anything in it. */
const MOST_COLUMNS = 12;

/** How `value` is best shown: as text, as a table where it is flat, as a tree where it is not. */
export function shapeOf(value: JsonValue): ValueShape {
  if (value === null || value === '') return { kind: 'nothing' };
  if (isScalar(value)) return { kind: 'text', text: String(value) };
  if (Array.isArray(value)) {
    const rows = value.filter(isFlat);
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    const fits = rows.length === value.length && rows.length > 0 && columns.length <= MOST_COLUMNS;
    return fits ? { kind: 'rows', columns, rows } : { kind: 'tree' };
  }
  const members = Object.entries(value).filter(
    (member): member is [string, JsonValue] => member[1] !== undefined,
  );
  const fits = members.length > 0 && members.every(([, member]) => isScalar(member) || isInRow(member));
  return fits ? { kind: 'record', members } : { kind: 'tree' };
}

/** The most values of a list that are in one cell. */
const MOST_IN_CELL = 50;

function isInRow(member: JsonValue): boolean {
  if (!Array.isArray(member)) return false;
  return (member.length <= MOST_IN_CELL && member.every(isScalar)) || shapeOf(member).kind === 'rows';
}

/** Is `value` neither a list nor an object? */
export function isScalar(value: JsonValue | undefined): value is Scalar {
  return typeof value !== 'object' || value === null;
}

function isFlat(value: JsonValue | JsonObject): value is Readonly<Record<string, Scalar>> {
  return isJsonObject(value) && Object.keys(value).length > 0 && Object.values(value).every(isScalar);
}

/** A value as text for the clipboard: text as it is, everything else as JSON. */
export function toClipboard(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
