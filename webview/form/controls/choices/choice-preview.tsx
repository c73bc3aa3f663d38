import type { Preview } from '../../../../src/core/form/kinds/choices.ts';
import { CodeText } from '../../../parts/code-text.tsx';
import { Markdown } from '../../../parts/markdown.tsx';

interface Shown {
  readonly title: string;
  readonly preview: Preview;
  /** Another one is looked at. */
  readonly hidden: boolean;
}

/** What a choice means, to look at before it is made. */
export function ChoicePreview({ title, preview, hidden }: Shown) {
  return (
    <section
      className={`preview ${hidden ? 'preview-other' : ''}`}
      aria-label={title}
      aria-hidden={hidden}
      tabIndex={hidden ? -1 : 0}
    >
      <Body preview={preview} title={title} />
    </section>
  );
}

function Body({ preview: { kind, text, language }, title }: { preview: Preview; title: string }) {
  switch (kind) {
    case 'markdown':
      return <Markdown>{text}</Markdown>;
    case 'image':
      return IMAGE.test(text) ? <img className="block-image" src={text} alt={title} /> : null;
    case 'diff':
      return (
        <pre className="preview-code">
          {text.split('\n').map((line, at, lines) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a text never move
            <span key={at} className={lineClass(lines, at)}>
              {line || ' '}
            </span>
          ))}
        </pre>
      );
    case 'code':
      return (
        <pre className="preview-code">
          <CodeText language={language}>{text}</CodeText>
        </pre>
      );
  }
}

// The policy of the page lets nothing else in; an SVG in an image runs no script.
const IMAGE = /^data:image\/[a-z0-9.+-]+;base64,[a-z0-9+/=\s]*$/i;

function lineClass(lines: readonly string[], at: number): string | undefined {
  const line = lines[at] ?? '';
  if (isHead(lines, at)) return 'diff-head';
  if (line.startsWith('+')) return 'diff-added';
  if (line.startsWith('-')) return 'diff-removed';
  return line.startsWith('@@') ? 'muted' : undefined;
}

/** What git writes before the names of a file. */
const GIT_HEAD = /^(diff|index|old mode|new mode|new file|deleted file|similarity|rename|copy) /;

/**
 * Whether a line names the file, and is none of its lines: `---` and then `+++`, at the beginning or before a hunk. A line of a file that
 * was removed may begin so, too.
 */
function isHead(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  if (GIT_HEAD.test(line)) return true;
  const from = line.startsWith('+++ ') ? at - 1 : at;
  if (!lines[from]?.startsWith('--- ') || !lines[from + 1]?.startsWith('+++ ')) return false;
  const before = lines.slice(0, from).every((one) => one.trim() === '' || GIT_HEAD.test(one));
  return before || lines[from + 2]?.startsWith('@@') === true;
}
