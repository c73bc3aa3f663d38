/** A place in a text; line and column from 1, length in UTF-16 code units. */
export interface TextSpan {
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/** Where a tool of this name begins: the place of `createMcpTool('name'`, the first one or the last. */
export function locateTool(
  text: string,
  name: string,
  which: 'first' | 'last' = 'first',
): TextSpan | undefined {
  const calls = [...text.matchAll(new RegExp(`createMcpTool\\(\\s*(['"\`])${escapeRegExp(name)}\\1`, 'g'))];
  const call = calls.at(which === 'first' ? 0 : -1);
  return call ? placeAt(text, call.index + call[0].length - name.length - 1, name.length) : undefined;
}

/**
 * Where a definition says what an error is about: from `line` on, the first name as a key, and within what follows the
 * next. As many names as can be found.
 */
export function locateKeys(text: string, line: number, names: readonly string[]): TextSpan | undefined {
  let from = offsetOf(text, line);
  let place: TextSpan | undefined;
  for (const name of names) {
    const key = new RegExp(`(?<![\\w$.])(['"]?)${escapeRegExp(name)}\\1\\s*[:(,}]`).exec(text.slice(from));
    if (!key) return place;
    const start = from + key.index + (key[1]?.length ?? 0);
    place = placeAt(text, start, name.length);
    from = start;
  }
  return place;
}

/** Where an export of this name is written. */
export function locateExport(text: string, name: string): TextSpan | undefined {
  const written =
    name === 'default'
      ? /^export default\b/m.exec(text)
      : new RegExp(`(?<=^(?:export\\s+)?(?:const|let|var)\\s+)${escapeRegExp(name)}\\b`, 'm').exec(text);
  return written ? placeAt(text, written.index, written[0].length) : undefined;
}

function placeAt(text: string, offset: number, length: number): TextSpan {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, length };
}

function offsetOf(text: string, line: number): number {
  return text
    .split('\n')
    .slice(0, line - 1)
    .reduce((offset, { length }) => offset + length + 1, 0);
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.|?*+()[\]{}]/g, '\\$&');
}
