import type { JsonObject, JsonValue } from '../core/messages/json.ts';

/** The ways to take a result along. */
export const RESULT_FORMATS = ['text', 'json', 'markdown'] as const;

/** One of the ways to take a result along. */
export type ResultFormat = (typeof RESULT_FORMATS)[number];

/** A result as text to copy, open or save. `blocks` are the MCP content blocks of a tool that returned those. */
export function resultText(
  { value, blocks }: { readonly value: JsonValue; readonly blocks?: readonly JsonObject[] | undefined },
  as: ResultFormat,
): string {
  const json = () => JSON.stringify(value, null, 2);
  if (as === 'json') return json();
  if (blocks && blocks.length > 0)
    return blocks.map((block) => textOf(block) ?? JSON.stringify(block, null, 2)).join('\n\n');
  if (value === null) return '';
  if (typeof value !== 'object') return String(value);
  if (as === 'text') return json();
  return tableOf(value) ?? `\`\`\`json\n${json()}\n\`\`\``;
}

function textOf({ type, text, resource, uri, name }: JsonObject): string | undefined {
  if (type === 'text' && typeof text === 'string') return text;
  if (type === 'resource_link' && typeof uri === 'string') {
    return typeof name === 'string' ? `[${escaped(name)}](<${uri}>)` : uri;
  }
  if (typeof resource !== 'object' || resource === null || Array.isArray(resource)) return undefined;
  const { text: inner } = resource as JsonObject;
  return typeof inner === 'string' ? inner : undefined;
}

/** A table of Markdown, for a flat object and for a list of them. */
function tableOf(value: JsonValue): string | undefined {
  if (!Array.isArray(value)) {
    const members = Object.entries(value as JsonObject);
    return members.length > 0 && members.every(([, member]) => isScalar(member))
      ? table(
          ['', ''],
          members.map(([name, member]) => [name, cell(member)]),
        )
      : undefined;
  }
  const rows = value.filter(isFlat);
  if (rows.length === 0 || rows.length < value.length) return undefined;
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return table(
    columns,
    rows.map((row) => columns.map((column) => cell(row[column]))),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function isFlat(value: JsonValue): value is JsonObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every(isScalar)
  );
}

function isScalar(value: JsonValue | undefined): boolean {
  return typeof value !== 'object' || value === null;
}

function cell(value: JsonValue | undefined): string {
  return value === null || value === undefined ? '' : String(value);
}

/** Text that cannot end a cell, a row or the words of a link. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replace(/[|[\]]/g, '\\$&')
    .replace(/\r?\n/g, ' ');
}
