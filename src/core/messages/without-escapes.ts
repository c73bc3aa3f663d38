/** ECMA-48: control sequences such as colours, strings such as the addresses of links, and what is one character long. */
const ESCAPES = new RegExp(
  [
    '(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]',
    '(?:\\u001b[PX\\]^_]|[\\u0090\\u0098\\u009d-\\u009f])[^\\u0007\\u001b\\u009c]*(?:\\u0007|\\u001b\\\\|\\u009c)?',
    '\\u001b[ -/]*[0-~]',
  ].join('|'),
  'g',
);

/**
 * A text without what only a terminal reads: what a command printed in colours is read here as its words. For where a text is shown;
 * what is kept and handed on stays as it was written.
 *
 * @example
 * withoutEscapes('\u001b[32m✓\u001b[39m 12 passed'); // '✓ 12 passed'
 */
export function withoutEscapes(text: string): string {
  return text.replace(ESCAPES, '');
}
