import type { Preview } from '../../../../src/core/form/form-schema.ts';
import { Markdown } from '../../../parts/markdown.tsx';

/** What a choice means, to look at before it is made. */
export function ChoicePreview({ title, preview }: { title: string; preview: Preview }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="preview" aria-label={title} tabIndex={0}>
      <Body preview={preview} title={title} />
    </section>
  );
}

function Body({ preview: { kind, text }, title }: { preview: Preview; title: string }) {
  switch (kind) {
    case 'markdown':
      return <Markdown>{text}</Markdown>;
    case 'image':
      return IMAGE.test(text) ? <img className="block-image" src={text} alt={title} /> : null;
    case 'diff':
      return (
        <pre className="preview-code">
          {text.split('\n').map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a text never move
            <span key={at} className={lineClass(line)}>
              {line || ' '}
            </span>
          ))}
        </pre>
      );
    case 'code':
      return <pre className="preview-code">{text}</pre>;
  }
}

// The policy of the page lets nothing else in; an SVG in an image runs no script.
const IMAGE = /^data:image\/[a-z0-9.+-]+;base64,[a-z0-9+/=\s]*$/i;

function lineClass(line: string): string | undefined {
  if (line.startsWith('+')) return 'diff-added';
  if (line.startsWith('-')) return 'diff-removed';
  return line.startsWith('@@') ? 'muted' : undefined;
}
