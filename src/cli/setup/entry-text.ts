import { isDeepStrictEqual } from 'node:util';
import { applyEdits, modify, type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import type { JsonObject, JsonValue } from '../../core/messages/json.ts';
import { isObject } from '../../core/schema/is-object.ts';
import { NameTakenError, SetupError } from './setup-error.ts';
import { tomlTables } from './toml-tables.ts';

/** Where in a configuration servers are written. */
export interface EntryPlace {
  readonly format: 'json' | 'toml';
  /** The object, or the table, that has them by name. */
  readonly servers: readonly string[];
  readonly name: string;
}

/** Whether the text of an entry is that of a server of ours: only these are replaced and removed. */
type IsOurs = (text: string) => boolean;

/**
 * A configuration with one server written as given, or without it. Comments and all else stay; what is so already is given as it is.
 * @throws `SetupError` where it cannot be read, or has another server of that name
 */
export function withEntry(
  text: string,
  place: EntryPlace,
  entry: JsonObject | undefined,
  isOurs: IsOurs,
): string {
  return place.format === 'json' ? inJson(text, place, entry, isOurs) : inToml(text, place, entry, isOurs);
}

/** An entry as the configuration of its agent says it. */
export function entryText({ format, servers, name }: EntryPlace, entry: JsonObject, eol = '\n'): string {
  if (format === 'toml') return tomlOf([...servers, name], entry, eol);
  const whole = [...servers, name].reduceRight<unknown>((within, key) => ({ [key]: within }), entry);
  return JSON.stringify(whole, null, 2);
}

function inJson(
  text: string,
  { servers, name }: EntryPlace,
  entry: JsonObject | undefined,
  isOurs: IsOurs,
): string {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const body = text.slice(mark.length).trim() === '' ? '{}\n' : text.slice(mark.length);
  const before = read(body);
  let within: unknown = before;
  for (const key of servers) {
    if (within !== undefined && !isObject(within)) break;
    within = within?.[key];
  }
  if (!isObject(before) || (within !== undefined && !isObject(within)))
    throw new SetupError(`its '${servers.join('.')}' is not an object`);
  const there = within !== undefined && Object.hasOwn(within, name) ? within[name] : undefined;
  if (isDeepStrictEqual(there, entry)) return text;
  refuseOther(name, there === undefined ? undefined : JSON.stringify(there), isOurs);
  const edits = modify(body, [...servers, name], entry, {
    formattingOptions: {
      insertSpaces: !/^\t/m.test(body),
      tabSize: 2,
      eol: body.includes('\r\n') ? '\r\n' : '\n',
    },
  });
  const after = applyEdits(body, edits);
  // A key that is written twice, say: what is changed would not be what counts.
  if (!isDeepStrictEqual(read(after), changed(before, [...servers, name], entry)))
    throw new SetupError('it is written in a way in which a change of one server would change more');
  return `${mark}${after}`;
}

/** A copy with another value at the end of a path. */
function changed(object: unknown, [key = '', ...path]: readonly string[], value: unknown): unknown {
  const copy: Record<string, unknown> = isObject(object) ? { ...object } : {};
  const at = path.length === 0 ? value : changed(copy[key], path, value);
  if (at === undefined) delete copy[key];
  else copy[key] = at;
  return copy;
}

function read(text: string): unknown {
  const errors: ParseError[] = [];
  const json: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first === undefined) return json;
  const line = text.slice(0, first.offset).split('\n').length;
  throw new SetupError(
    `it is not JSON that can be read (${printParseErrorCode(first.error)}), at line ${line}`,
  );
}

function inToml(
  text: string,
  { servers, name }: EntryPlace,
  entry: JsonObject | undefined,
  isOurs: IsOurs,
): string {
  const path = [...servers, name];
  const tables = tomlTables(text);
  const begins = (keys: readonly string[], start: readonly string[]) =>
    start.every((key, at) => keys[at] === key);
  const written = (keys: readonly string[]) =>
    begins(keys, path) || (keys.length < path.length && begins(path, keys));
  for (const table of tables)
    for (const key of table.keys)
      if (!begins(table.path, path) && written([...table.path, ...key]))
        throw new SetupError(`it has '${servers.join('.')}' in one line, which is not changed here`);
  const ours = tables.filter((table) => begins(table.path, path));
  const there = ours.map(({ start, end }) => text.slice(start, end)).join('');
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const wanted = entry === undefined ? '' : tomlOf(path, entry, eol);
  if (there === wanted) return text;
  refuseOther(name, there || undefined, isOurs);
  const rest = ours.reduceRight((left, { start, end }) => {
    // The empty line that came with it goes with it.
    const gap =
      left.slice(0, start).endsWith(eol + eol) && (end === left.length || left.startsWith(eol, end));
    return left.slice(0, gap ? start - eol.length : start) + left.slice(end);
  }, text);
  const after =
    entry === undefined
      ? rest
      : `${rest}${rest === '' ? '' : rest.endsWith('\n') ? eol : eol + eol}${wanted}`;
  tomlTables(after);
  return after;
}

function tomlOf(path: readonly string[], entry: JsonObject, eol: string): string {
  const key = (name: string) => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name));
  const pairs = (of: JsonObject) => Object.entries(of).map(([name, one]) => `${key(name)} = ${value(one)}`);
  // Strings and lists of strings are written the same in JSON and in TOML, but for DEL.
  const value = (of: JsonValue | undefined): string =>
    isObject(of) ? `{ ${pairs(of).join(', ')} }` : JSON.stringify(of ?? '').replaceAll('\u007f', '\\u007f');
  return [`[${path.map(key).join('.')}]`, ...pairs(entry), ''].join(eol);
}

function refuseOther(name: string, there: string | undefined, isOurs: IsOurs): void {
  if (there !== undefined && !isOurs(there))
    throw new NameTakenError(`it has another server named '${name}': choose another name with --name`);
}
