import type { MarkedToken, Token, Tokens } from 'marked';
import { createElement, Fragment, type ReactNode, useMemo } from 'react';
import { CodeText } from './code-text.tsx';
import { Text } from './text.tsx';

/** Cuts Markdown into what it is made of. */
export type ReadMarkdown = (text: string) => readonly Token[];

/** What {@link MarkdownBody} takes. */
export interface MarkdownBodyProps {
  readonly read: ReadMarkdown;
  readonly text: string;
  readonly inline: boolean;
}

/**
 * Markdown as elements. The library only reads: what it finds becomes elements of this page, one by one, and what is not
 * listed here is shown as the text that it was. Nothing is ever parsed as HTML.
 */
export function MarkdownBody({ read, text, inline }: MarkdownBodyProps) {
  const blocks = useMemo(() => {
    try {
      return read(text);
    } catch {
      return undefined; // so deep or so odd that the library gives up
    }
  }, [read, text]);
  if (!blocks) return <Text>{text}</Text>;
  const [only] = blocks;
  if (inline && only?.type === 'paragraph' && blocks.length === 1) {
    return <span dir="auto">{inner((only as Tokens.Paragraph).tokens, 0)}</span>;
  }
  return <div className="md">{inner(blocks, 0)}</div>;
}

/** Deeper than this nobody nests on purpose. */
const DEEPEST = 16;

function inner(tokens: readonly Token[] = [], depth: number): ReactNode {
  return tokens.map((token, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the tokens of a text never move
    <Fragment key={at}>{depth > DEEPEST ? token.raw : element(token as MarkedToken, depth + 1)}</Fragment>
  ));
}

function element(token: MarkedToken, depth: number): ReactNode {
  const below = () => inner('tokens' in token ? token.tokens : [], depth);
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      // The page has headings of its own, which these are not part of.
      return (
        <p className={`md-heading md-heading-${token.depth}`} dir="auto">
          {below()}
        </p>
      );
    case 'paragraph':
      return <p dir="auto">{below()}</p>;
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <pre className="md-code" tabIndex={0}>
          <code>
            <CodeText language={token.lang}>{token.text}</CodeText>
          </code>
        </pre>
      );
    case 'blockquote':
      return <blockquote>{below()}</blockquote>;
    case 'list':
      return createElement(
        token.ordered ? 'ol' : 'ul',
        token.ordered && token.start !== '' ? { start: token.start } : null,
        ...token.items.map((item) => (
          <li key={item.raw} dir="auto">
            {item.task && (item.checked ? '☑ ' : '☐ ')}
            {inner(
              item.tokens.filter(({ type }) => type !== 'checkbox'),
              depth,
            )}
          </li>
        )),
      );
    case 'table':
      return <Table table={token} depth={depth} />;
    case 'hr':
      return <hr />;
    case 'br':
      return <br />;
    case 'strong':
      return <strong>{below()}</strong>;
    case 'em':
      return <em>{below()}</em>;
    case 'del':
      return <del>{below()}</del>;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'link':
      return isWeb(token.href) ? (
        <a href={token.href} title={token.href}>
          {below()}
        </a>
      ) : (
        token.raw
      );
    case 'image':
      // The page fetches nothing: a picture of the web is a link to it.
      return isWeb(token.href) ? (
        <a href={token.href} title={token.href}>
          {token.text || token.href}
        </a>
      ) : (
        token.raw
      );
    case 'escape':
      return token.text;
    case 'text':
      return token.tokens ? below() : decoded(token.text);
    default:
      return token.raw;
  }
}

function Table({ table, depth }: { table: Tokens.Table; depth: number }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className="table-scroll" tabIndex={0}>
      <table className="rows">
        <thead>
          <tr>
            {table.header.map((cell, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a table never move
              <th key={at} scope="col">
                {inner(cell.tokens, depth)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a table never move
            <tr key={at}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a table never move
                <td key={column}>{inner(cell.tokens, depth)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Links lead to the web, and VS Code asks before it opens one; commands, files and scripts are text. */
function isWeb(href: string): boolean {
  return /^(https?:\/\/|mailto:)/i.test(href) && URL.canParse(href);
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
};

function decoded(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (entity, name: string) => ENTITIES[name] ?? entity);
}
