import type { JsonObject, JsonValue } from '../../core/messages/json.ts';
import { maskOf, textsOfSecrets } from '../../core/messages/secrets/mask-secrets.ts';
import { defined } from '../../core/schema/defined.ts';
import type { TimelineRow } from '../../panel-port/index.ts';

/**
 * Rows of a timeline as a page shows them: what is a secret in any of `all` stands in none of them. What is asked now is no row: its form
 * and its views get what they were given.
 */
export function shownRows(rows: readonly TimelineRow[], all: readonly TimelineRow[] = rows): TimelineRow[] {
  const mask = maskOf(all.flatMap(secretsOf));
  return rows.map((row) => ({ ...row, ...mask(said(row)) }) as TimelineRow);
}

/** Rows never change, and there may be many changes a second. */
const known = new WeakMap<TimelineRow, readonly string[]>();

function secretsOf(row: TimelineRow): readonly string[] {
  const found = known.get(row) ?? [...textsOfSecrets(said(row))];
  known.set(row, found);
  return found;
}

/** What a row says, without what makes it a row. */
function said(row: TimelineRow): JsonObject {
  switch (row.type) {
    case 'started':
      return defined({ params: row.params });
    case 'log':
      return { message: row.message, ...defined({ data: row.data }) };
    case 'question':
      return { message: row.message, ...defined({ content: row.content as JsonValue, error: row.error }) };
    case 'sampling':
      return defined({ prompt: row.prompt, text: row.text, error: row.error });
    case 'progress':
    case 'ended':
      return defined({ message: row.message });
    case 'gap':
      return {};
  }
}
