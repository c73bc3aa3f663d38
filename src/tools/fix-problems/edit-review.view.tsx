import { t, type ViewProps } from 'parley-mcp/webview';
import type { HunkLine } from './hunk.ts';
import '../views.css';
import './edit-review.css';

/** What a person says to an edit. */
export type EditDecision = 'accept' | 'skip' | 'accept_rest' | 'skip_rest';

/** What the review of an edit shows. */
export type EditReviewProps = ViewProps<
  {
    readonly file: string;
    readonly lines: readonly HunkLine[];
    readonly index: number;
    readonly total: number;
  },
  EditDecision
>;

const SIGNS = { same: ' ', removed: '−', added: '+' };
const WORDS = { same: () => '', removed: () => `${t('removed:')} `, added: () => `${t('added:')} ` };

/** One edit as a diff. Enter accepts it, Tab leads to the other buttons. */
export function EditReview({ file, lines, index, total, onRespond }: EditReviewProps) {
  const rest = total - index;
  return (
    <div className="p-stack">
      <div className="p-row">
        <span className="p-title edit-file">{file}</span>
        <span className="p-spacer" />
        <span className="p-muted p-number">{t('Edit {0} of {1}', index, total)}</span>
      </div>
      <ol className="edit-lines" aria-label={t('Changes in {0}', file)}>
        {lines.map(({ kind, line, text }) => (
          <li key={`${kind} ${line}`} className={`edit-line edit-${kind}`}>
            <span className="edit-number p-number" aria-hidden="true">
              {line}
            </span>
            <span className="edit-sign" aria-hidden="true">
              {SIGNS[kind]}
            </span>
            <span className="edit-text">
              <span className="edit-word">{WORDS[kind]()}</span>
              {text}
            </span>
          </li>
        ))}
      </ol>
      <div className="tool-buttons">
        <button className="tool-button tool-button-primary" type="button" onClick={() => onRespond('accept')}>
          {t('Accept')}
        </button>
        <button className="tool-button" type="button" onClick={() => onRespond('skip')}>
          {t('Skip')}
        </button>
        {rest > 0 && (
          <>
            <span className="p-spacer" />
            <button className="tool-button" type="button" onClick={() => onRespond('accept_rest')}>
              {t('Accept All {0}', rest + 1)}
            </button>
            <button className="tool-button" type="button" onClick={() => onRespond('skip_rest')}>
              {t('Skip the Rest')}
            </button>
          </>
        )}
      </div>
    </div>
  );
}
