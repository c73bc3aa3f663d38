import { SetupError } from './setup-error.ts';

/** What one header of a TOML file is for: from the header to the end of its last value. Before the first header the path is empty. */
export interface TomlTable {
  readonly path: readonly string[];
  readonly start: number;
  end: number;
  /** The keys written in it, as paths. */
  readonly keys: (readonly string[])[];
}

const KEY = /[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;
const SPACE = /[ \t]*/y;
const STRING =
  /"""(?:[^"\\]|\\[\s\S]|"(?!""))*"{3,5}|'''(?:[^']|'(?!''))*'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;
const REST = /[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y;
const WITHIN = /(?:\s|#[^\n]*(?:\n|$))*/y;
const SCALAR = /(?:true|false|[+-]?(?:inf|nan)|[+-]?\d[\w.+:-]*(?: \d\d:[\w.+:-]*)?)(?=[\s,#\]}]|$)/y;

/**
 * Where the tables of a TOML file are: enough to add one and to take it away again, with everything else as it is written.
 * @throws `SetupError` for a file that is not TOML
 */
export function tomlTables(text: string): readonly TomlTable[] {
  const tables: TomlTable[] = [{ path: [], start: 0, end: 0, keys: [] }];
  let at = 0;

  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  const wrong = (): SetupError =>
    new SetupError(`it is not TOML that can be read, at line ${text.slice(0, at).split('\n').length}`);
  const must = (pattern: RegExp): string => {
    const found = take(pattern);
    if (found === undefined) throw wrong();
    return found;
  };
  const path = (): string[] => {
    const keys: string[] = [];
    do {
      take(SPACE);
      keys.push(plain(must(KEY)));
      take(SPACE);
    } while (take(/\./y));
    return keys;
  };
  const value = (depth = 0): void => {
    if (depth > 100) throw wrong();
    if (take(STRING) !== undefined || take(SCALAR) !== undefined) return;
    const close = must(/[[{]/y) === '[' ? /\]/y : /\}/y;
    for (take(WITHIN); take(close) === undefined; take(WITHIN)) {
      if (close.source === '\\}') {
        path();
        must(/=/y);
        take(SPACE);
      }
      value(depth + 1);
      take(WITHIN);
      if (take(/,/y) === undefined) {
        must(close);
        return;
      }
    }
  };

  while (at < text.length) {
    const start = at;
    take(SPACE);
    if (take(REST) !== undefined) continue;
    const open = take(/\[\[?/y);
    if (open === undefined) {
      tables.at(-1)?.keys.push(path());
      must(/=/y);
      take(SPACE);
      value();
    } else {
      tables.push({ path: path(), start, end: at, keys: [] });
      must(open === '[[' ? /\]\]/y : /\]/y);
    }
    must(REST);
    const last = tables.at(-1);
    if (last) last.end = at;
  }
  return tables;
}

function plain(key: string): string {
  if (key.startsWith("'")) return key.slice(1, -1);
  if (!key.startsWith('"')) return key;
  try {
    return String(JSON.parse(key));
  } catch {
    // An escape of TOML alone: no name of ours has one.
    return key;
  }
}
