import { Fragment, type ReactNode } from 'react';
import { withoutEscapes } from '../../src/core/messages/without-escapes.ts';

/**
 * Text of a tool: its line breaks are kept and its web addresses can be followed. It is never read as HTML or Markdown.
 */
export function Text({ children, className = '' }: { children: string; className?: string }) {
  return <span className={`p-text ${className}`}>{linked(withoutEscapes(children))}</span>;
}

// An address ends before the punctuation that ends a sentence.
const ADDRESS = /https?:\/\/[^\s<>"'`{}|\\^]*[^\s<>"'`{}|\\^.,;:!?)\]]/g;

function linked(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(ADDRESS)) {
    if (!URL.canParse(match[0])) continue;
    parts.push(
      text.slice(end, match.index),
      <a key={match.index} href={match[0]}>
        {match[0]}
      </a>,
    );
    end = match.index + match[0].length;
  }
  parts.push(<Fragment key="end">{text.slice(end)}</Fragment>);
  return parts;
}
