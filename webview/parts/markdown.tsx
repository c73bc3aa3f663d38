import { useEffect, useState } from 'react';
import { withoutEscapes } from '../../src/core/messages/without-escapes.ts';
import { MarkdownBody, type ReadMarkdown } from './markdown-body.tsx';
import { Text } from './text.tsx';

/** What is longer is shown as it is. */
const LONGEST = 200_000;

/**
 * Text of a tool that may be Markdown: headings, lists, code, tables, links. HTML in it is text, and a link leads to the web
 * or nowhere. Plain text is shown as it was written.
 */
export function Markdown({ children, inline = false }: { children: string; inline?: boolean }) {
  const text = withoutEscapes(children);
  const marked = text.length <= LONGEST && looksLikeMarkdown(text);
  const read = useReader(marked);
  return marked && read ? <MarkdownBody read={read} text={text} inline={inline} /> : <Text>{text}</Text>;
}

// Most texts are plain: who reads them never loads what reads Markdown. It shares nothing with the page, so that the build
// makes it a file of its own.
let reader: ReadMarkdown | undefined;

function useReader(needed: boolean): ReadMarkdown | undefined {
  const [, setLoaded] = useState(reader !== undefined);
  useEffect(() => {
    if (!needed || reader) return;
    import('marked').then(
      ({ lexer }) => {
        reader = (text) => lexer(text, { gfm: true, breaks: true });
        setLoaded(true);
      },
      () => undefined, // the text can be read without
    );
  }, [needed]);
  return reader;
}

const MARKS = [
  /^ {0,3}(#{1,6} |[-*+] |\d{1,9}[.)] |> |```|~~~|\|.*\|)/m, // a heading, a list, a quotation, a fence, a table
  /`[^`\n]+`/, // code
  /(\*\*|__)\S/, // strong
  /(^|[\s(])[*_][^\s*_][^\n]*[^\s*_][*_]($|[\s).,;:!?])/m, // emphasis
  /\[[^\]\n]+\]\([^)\s]+\)/, // a link
];

/** Does a text use any of the marks of Markdown? */
export function looksLikeMarkdown(text: string): boolean {
  return MARKS.some((mark) => mark.test(text));
}
