/** One statement of a migration, and what a person should know before it runs. */
export interface Statement {
  readonly sql: string;
  /** The first words of it, in capitals. */
  readonly kind: string;
  /** The table that it changes, where it names one. */
  readonly table?: string | undefined;
  /** What it rewrites or loses; nothing where it is harmless. */
  readonly risk?: string | undefined;
  /** What others cannot do meanwhile. */
  readonly locks?: string | undefined;
}

const KIND =
  /^(create (?:unique )?index|create table|create view|create trigger|alter table|drop table|drop index|drop view|insert into|update|delete from|truncate|pragma|\w+)/i;
const TABLE =
  /^(?:alter table|drop table|create table|truncate(?: table)?|insert into|update|delete from)\s+(?:if (?:not )?exists\s+|only\s+)?("[^"]+"|[\w.]+)/i;
const INDEXED = /^create (?:unique )?index[\s\S]*?\bon\s+("[^"]+"|[\w.]+)/i;

/**
 * Splits a script at its semicolons: not within texts, names, comments, `$$` bodies and the bodies of triggers.
 * Comments before a statement are left out.
 */
export function statementsOf(script: string): Statement[] {
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  const token =
    /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|(\$\w*\$)[\s\S]*?\1|\b(?:begin|case|end)\b|;/gi;
  for (const match of script.matchAll(token)) {
    const word = match[0].toLowerCase();
    if (word === 'case') depth += 1;
    else if (word === 'begin' && /create\s+(temp\w*\s+)?trigger/i.test(script.slice(start, match.index)))
      depth += 1;
    else if (word === 'end' && depth > 0) depth -= 1;
    else if (word === ';' && depth === 0) {
      parts.push(script.slice(start, match.index));
      start = match.index + 1;
    }
  }
  parts.push(script.slice(start));
  return parts.flatMap((part) => {
    const sql = part.replace(/^(\s|--[^\n]*(\n|$)|\/\*[\s\S]*?\*\/)+/, '').trim();
    return sql === '' ? [] : [describe(sql)];
  });
}

/** Whether a script begins or ends transactions by itself: then nobody else can hold it in one. */
export function hasTransactions(statements: readonly Statement[]): boolean {
  return statements.some(({ kind }) =>
    /^(BEGIN|COMMIT|ROLLBACK|END|SAVEPOINT|RELEASE|VACUUM|ATTACH)$/.test(kind),
  );
}

function describe(sql: string): Statement {
  const kind = (KIND.exec(sql)?.[1] ?? '').replace(/\s+/g, ' ').toUpperCase();
  const table = (TABLE.exec(sql)?.[1] ?? INDEXED.exec(sql)?.[1])?.replaceAll('"', '');
  const [risk, locks] = [riskOf(sql, kind), locksOf(sql, kind)];
  return {
    sql,
    kind,
    ...(table !== undefined && { table }),
    ...(risk !== undefined && { risk }),
    ...(locks !== undefined && { locks }),
  };
}

function riskOf(sql: string, kind: string): string | undefined {
  if (kind === 'DROP TABLE') return 'All rows of the table are lost.';
  if (kind === 'TRUNCATE') return 'All rows of the table are lost.';
  if ((kind === 'DELETE FROM' || kind === 'UPDATE') && !/\bwhere\b/i.test(sql)) {
    return kind === 'UPDATE'
      ? 'It has no WHERE: every row is changed.'
      : 'It has no WHERE: every row is deleted.';
  }
  if (/^ALTER TABLE/.test(kind)) {
    if (/\bdrop\s+(column\b|(?!constraint\b)\w)/i.test(sql)) return 'The values of the column are lost.';
    if (/\badd\b[\s\S]*\bnot null\b/i.test(sql) && !/\bdefault\b/i.test(sql)) {
      return 'NOT NULL without a DEFAULT: it fails where the table has rows.';
    }
    if (/\balter\s+(column\s+)?\S+\s+(set data )?type\b/i.test(sql)) {
      return 'The table is written anew.';
    }
  }
  return undefined;
}

/** What it locks, as far as it can be told from its words. */
function locksOf(sql: string, kind: string): string | undefined {
  if (/^ALTER TABLE/.test(kind)) return 'Nobody writes to the table meanwhile.';
  if (/INDEX/.test(kind) && kind.startsWith('CREATE') && !/\bconcurrently\b/i.test(sql)) {
    return 'Nobody writes to the table until the index is built.';
  }
  return undefined;
}
