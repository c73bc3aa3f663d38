import * as z from 'zod';
import type { ContentBlock } from '../../core/messages/content.ts';

const IMAGE = /^data:(image\/[a-z0-9.+-]+);base64,([a-z0-9+/=]+)$/i;

/** Something to show. */
export const item = z
  .object({
    kind: z.enum(['markdown', 'code', 'diff', 'table', 'image']).default('markdown'),
    text: z.string().max(4_000_000).optional().describe('For an image a data: address; not for a table.'),
    rows: z
      .array(z.array(z.union([z.string(), z.number()])).max(30))
      .max(500)
      .optional()
      .describe('Of a table; the first has the headings.'),
    caption: z.string().max(300).optional(),
  })
  .refine(({ kind, rows }) => kind !== 'table' || (rows && rows.length > 0), {
    error: 'a table needs "rows"',
  })
  .refine(({ kind, text }) => kind === 'table' || text, { error: 'it needs "text"' })
  .refine(({ kind, text = '' }) => kind !== 'image' || IMAGE.test(text), {
    error: 'an image is a data: address, such as data:image/png;base64,…',
  })
  .refine(({ kind, text = '' }) => kind === 'image' || text.length <= 60_000, {
    error: 'a text has at most 60,000 characters',
  });

/** Something to show. */
export type Item = z.output<typeof item>;

/** As text that reads well as Markdown and as it is: a picture is named. */
export function asMarkdown({ kind, text = '', rows = [], caption }: Item): string {
  const body = {
    markdown: () => text,
    code: () => fenced(text, ''),
    diff: () => fenced(text, 'diff'),
    table: () => table(rows),
    image: () => '[picture]',
  }[kind]();
  return caption === undefined ? body : `${body}\n\n${caption}`;
}

/** A picture for the client to show; it is none of the model's business again. */
export function pictureOf({ kind, text = '' }: Item): ContentBlock | undefined {
  const [, mimeType, data] = kind === 'image' ? (IMAGE.exec(text) ?? []) : [];
  if (mimeType === undefined || data === undefined) return undefined;
  const block = { type: 'image' as const, mimeType, data, annotations: { audience: ['user'] } };
  return block;
}

/** A fence that nothing in the text ends. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

function table(rows: NonNullable<Item['rows']>): string {
  const columns = Math.max(...rows.map(({ length }) => length), 1);
  const cells = rows.map((row) =>
    Array.from({ length: columns }, (_, at) =>
      String(row[at] ?? '')
        .replace(/\s+/g, ' ')
        .replaceAll('|', '\\|'),
    ),
  );
  const widths = Array.from({ length: columns }, (_, at) =>
    Math.min(60, Math.max(3, ...cells.map((row) => row[at]?.length ?? 0))),
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = cells;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}
