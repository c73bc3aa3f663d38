import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asLabel } from '#src/core/messages/label.ts';
import { plainLine } from '#src/core/messages/plain-line.ts';
import { withoutEscapes } from '#src/core/messages/without-escapes.ts';
import { plainText } from '#src/vscode/calls/escaped-markdown.ts';

describe('a text that was written for a terminal', () => {
  it('is read without colours, links and cursor movements', () => {
    expect(withoutEscapes('\u001b[1;32m✓\u001b[39m 12 \u001b[38;5;208mpassed\u001b[0m')).toBe('✓ 12 passed');
    expect(withoutEscapes('\u001b]8;;https://example.org\u001b\\here\u001b]8;;\u0007 it is')).toBe(
      'here it is',
    );
    expect(withoutEscapes('\u001b[2K\u001b[1G50 %\u001b[?25h\u001b(B')).toBe('50 %');
    expect(withoutEscapes('\u009b31mred\u009b0m')).toBe('red');
  });

  it('stays as it is where it has none of them, also what looks like one', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => withoutEscapes(text) === text));
    expect(withoutEscapes('array[31m]\n\tä 🙂')).toBe('array[31m]\n\tä 🙂');
  });

  it('is read in a moment, however often one begins and does not end', () => {
    const hostile = '\u001b]'.repeat(200_000) + '\u001b['.repeat(200_000);
    expect(withoutEscapes(hostile).length).toBeLessThan(hostile.length);
  });

  it('is so on a line, in a label and in the chat', () => {
    const text = '\u001b[33mwarn\u001b[39m no lockfile';
    expect([plainLine(text), asLabel(text), plainText(text)]).toEqual(Array(3).fill('warn no lockfile'));
  });
});
