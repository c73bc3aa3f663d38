import { withoutEscapes } from './without-escapes.ts';

/** As much of a line as is looked at: what follows could not be seen anyhow. */
const LONGEST = 500;

/**
 * The first line of a text that may be Markdown, as one reads it: without the marks. For places that show one line and no formatting,
 * such as tabs and rows. Marks that may be something else, as in `src/**` or `*.ts`, stay.
 */
export function plainLine(given: string): string {
  const text = withoutEscapes(given);
  for (const line of text.split('\n', 50)) {
    if (/^\s*(```|~~~)/.test(line)) continue;
    const read = withoutMarks(
      line.slice(0, LONGEST).replace(/^\s*(#{1,6}\s+|>\s?|[-*+]\s+(\[[ xX]\]\s+)?)/, ''),
    ).trim();
    if (/[\p{L}\p{N}]/u.test(read)) return read;
  }
  return text.trim().split('\n', 1)[0] ?? '';
}

/** A line without the marks of Markdown; what is in code stays as it is. */
export function withoutMarks(line: string): string {
  return line
    .split(/(`+[^`]+`+)/)
    .map((part, at) => (at % 2 === 1 ? part.replace(/^`+|`+$/g, '') : withoutEmphasis(part)))
    .join('');
}

/** Between letters, and beside a slash or a star, these are no emphasis. */
function withoutEmphasis(text: string): string {
  return text
    .replace(/!?\[([^\]\n]*)\]\([^()\s]*\)/g, '$1')
    .replace(/(?<![\w*/])\*\*(?=[^\s*/])([^*\n]*[^\s*])\*\*(?![\w*/])/g, '$1')
    .replace(/(?<![\w/])__(?=[^\s_])([^\n]*?[^\s_])__(?![\w/])/g, '$1')
    .replace(/(?<=^|[\s("'“‘])([*_])(?=[^\s*_])([^*_\n]*[^\s*_])\1(?=$|[\s)"'”’]|[.,;:!?](?:\s|$))/g, '$2')
    .replace(/~~(?=\S)([^~\n]*\S)~~/g, '$1');
}
