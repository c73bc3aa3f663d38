import { Codicon, Markdown, t, useDraft, usePrimaryAction, type ViewProps } from 'parley-mcp/webview';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { Part } from './parts.ts';
import type { GivenReview } from './review.ts';
import '../views.css';
import './plan-review.css';

/** What the review shows; it responds with what the person did. */
export type PlanReviewProps = ViewProps<{ readonly parts: readonly Part[] }, GivenReview>;

type Texts = Readonly<Record<number, string>>;
type Open = { readonly line: number; readonly what: 'comment' | 'edit' };

/** A document, part by part. One stop for Tab: arrows walk over the parts; C comments, E edits, A accepts. */
export function PlanReview({ parts, onRespond }: PlanReviewProps) {
  const [comments, setComments] = useDraft<Texts>('comments', {});
  const [edits, setEdits] = useDraft<Texts>('edits', {});
  const [accepted, setAccepted] = useDraft<readonly number[]>('accepted', []);
  const [general, setGeneral] = useDraft('general', '');
  const [current, setCurrent] = useState(parts[0]?.from ?? 0);
  const [open, setOpen] = useState<Open>();
  const list = useRef<HTMLOListElement>(null);

  const focus = (line: number) => list.current?.querySelector<HTMLElement>(`[data-line="${line}"]`)?.focus();
  const toggle = (line: number) =>
    setAccepted(accepted.includes(line) ? accepted.filter((one) => one !== line) : [...accepted, line]);
  const close = (line: number) => {
    setOpen(undefined);
    focus(line);
  };
  const keep = ({ line, what }: Open, text: string) => {
    const [texts, set] = what === 'comment' ? [comments, setComments] : [edits, setEdits];
    const before = what === 'comment' ? '' : parts.find(({ from }) => from === line)?.text;
    const { [line]: _, ...others } = texts;
    set(text.trim() === (before ?? '').trim() ? others : { ...texts, [line]: text.trim() });
    close(line);
  };

  const said = entriesOf(comments).length + entriesOf(edits).length + (general.trim() === '' ? 0 : 1);
  const answer = (decision: GivenReview['decision']) =>
    onRespond({ decision, comments: entriesOf(comments), edits: entriesOf(edits), accepted, general });
  const approve = () => answer('approve');
  const sendBack = () => answer('revise');
  // What the person said decides what they most likely want.
  const actions = usePrimaryAction(
    said === 0 ? t('Approve') : t('Send Back with {0}', counted(said)),
    said === 0 ? approve : sendBack,
    {
      other:
        said === 0
          ? { label: t('Send Back'), onPress: sendBack }
          : { label: t('Approve, with {0}', counted(said)), onPress: approve },
    },
  );

  const walk = (event: KeyboardEvent<HTMLElement>) => {
    const line = Number((event.target as HTMLElement).dataset.line);
    if (!line || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = parts.findIndex(({ from }) => from === line);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: parts.length - 1 }[event.key];
    const key = event.key.toLowerCase();
    if (to !== undefined) focus(parts[Math.min(Math.max(to, 0), parts.length - 1)]?.from ?? line);
    else if (key === 'c') setOpen({ line, what: 'comment' });
    else if (key === 'e') setOpen({ line, what: 'edit' });
    else if (key === 'a') toggle(line);
    else return;
    event.preventDefault();
  };

  return (
    <div className="p-stack">
      <p className="p-muted plan-help">
        {t('Use the arrow keys to move between parts. Press C to comment, E to edit, A to accept.')}
      </p>
      <ol className="plan-parts" aria-label={t('Document parts')} ref={list} onKeyDown={walk}>
        {parts.map((part) => {
          const line = part.from;
          const isOpen = open?.line === line;
          return (
            <li key={line} className={`plan-part${accepted.includes(line) ? ' plan-accepted' : ''}`}>
              {/* biome-ignore lint/a11y/useSemanticElements: a part of a text is no fieldset */}
              <div
                role="group"
                className="plan-text"
                data-line={line}
                tabIndex={line === current ? 0 : -1}
                onFocus={() => setCurrent(line)}
                aria-label={inWords(part, { edits, comments, accepted })}
              >
                <span className="plan-line p-number" aria-hidden="true">
                  {line}
                </span>
                <div className="plan-body">
                  {edits[line] === '' ? (
                    <del>{part.text}</del>
                  ) : (
                    <Markdown>{edits[line] ?? part.text}</Markdown>
                  )}
                  {edits[line] !== undefined && <span className="p-badge">{t('edited')}</span>}
                </div>
              </div>
              <div className="plan-actions">
                <button
                  type="button"
                  className="tool-button"
                  aria-label={t('Comment on line {0}', line)}
                  onClick={() => setOpen({ line, what: 'comment' })}
                >
                  {t('Comment')}
                </button>
                <button
                  type="button"
                  className="tool-button"
                  aria-label={t('Edit line {0}', line)}
                  onClick={() => setOpen({ line, what: 'edit' })}
                >
                  {t('Edit')}
                </button>
                <button
                  type="button"
                  className="tool-button"
                  aria-pressed={accepted.includes(line)}
                  aria-label={t('Accept line {0}', line)}
                  title={t('Accept')}
                  onClick={() => toggle(line)}
                >
                  <Codicon name="check" />
                </button>
              </div>
              {comments[line] !== undefined && !isOpen && (
                <button
                  type="button"
                  className="plan-comment"
                  onClick={() => setOpen({ line, what: 'comment' })}
                >
                  {comments[line]}
                </button>
              )}
              {isOpen && (
                <Writing
                  label={
                    open.what === 'comment'
                      ? t('Your comment on line {0}', line)
                      : t('Text of line {0}', line)
                  }
                  text={open.what === 'comment' ? (comments[line] ?? '') : (edits[line] ?? part.text)}
                  onKeep={(text) => keep(open, text)}
                  onCancel={() => close(line)}
                />
              )}
            </li>
          );
        })}
      </ol>
      <label className="p-stack">
        {t('Anything else')}
        <textarea
          className="plan-writing"
          rows={2}
          maxLength={4000}
          value={general}
          onChange={(event) => setGeneral(event.target.value)}
        />
      </label>
      {actions}
    </div>
  );
}

interface WritingProps {
  readonly label: string;
  readonly text: string;
  onKeep(text: string): void;
  onCancel(): void;
}

/** Ctrl+Enter keeps what is written, Escape throws it away. */
function Writing({ label, text, onKeep, onCancel }: WritingProps) {
  const [value, setValue] = useState(text);
  const keys = (event: KeyboardEvent) => {
    const keeps = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if (!keeps && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    if (keeps) onKeep(value);
    else onCancel();
  };
  return (
    <div className="plan-open">
      <textarea
        className="plan-writing"
        aria-label={label}
        rows={Math.min(12, Math.max(2, value.split('\n').length))}
        maxLength={20_000}
        value={value}
        // biome-ignore lint/a11y/noAutofocus: the person has just asked to write here
        autoFocus
        onChange={(event) => setValue(event.target.value)}
        onKeyDown={keys}
      />
      <div className="tool-buttons">
        <button type="button" className="tool-button tool-button-primary" onClick={() => onKeep(value)}>
          {t('Keep')}
        </button>
        <button type="button" className="tool-button" onClick={onCancel}>
          {t('Discard')}
        </button>
      </div>
    </div>
  );
}

function entriesOf(texts: Texts): readonly (readonly [number, string])[] {
  return Object.entries(texts).map(([line, text]) => [Number(line), text] as const);
}

function counted(count: number): string {
  return count === 1 ? t('1 Remark') : t('{0} Remarks', count);
}

function inWords(
  { from, text }: Part,
  state: { readonly edits: Texts; readonly comments: Texts; readonly accepted: readonly number[] },
): string {
  const { edits, comments, accepted } = state;
  const words = [
    t('Line {0}: {1}', from, edits[from] ?? text),
    ...(edits[from] === undefined ? [] : [t('edited')]),
    ...(comments[from] === undefined ? [] : [t('comment: {0}', comments[from])]),
    ...(accepted.includes(from) ? [t('accepted')] : []),
  ];
  return words.join(', ');
}
