import type { ViewProps } from 'parley-mcp/webview';
import type { HunkLine } from './hunk.ts';
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
const WORDS = { same: '', removed: 'removed: ', added: 'added: ' };

/** One edit as a diff. Enter accepts it, Tab leads to the other buttons. */
export function EditReview({ file, lines, index, total, onRespond }: EditReviewProps) {
  const rest = total - index;
  return (
    <div className="p-stack">
      <div className="p-row">
        <span className="p-title edit-file">{file}</span>
        <span className="p-spacer" />
        <span className="p-muted p-number">{`Edit ${index} of ${total}`}</span>
      </div>
      <ol className="edit-lines" aria-label={`Changes in ${file}`}>
        {lines.map(({ kind, line, text }) => (
          <li key={`${kind} ${line}`} className={`edit-line edit-${kind}`}>
            <span className="edit-number p-number" aria-hidden="true">
              {line}
            </span>
            <span className="edit-sign" aria-hidden="true">
              {SIGNS[kind]}
            </span>
            <span className="edit-text">
              <span className="edit-word">{WORDS[kind]}</span>
              {text}
            </span>
          </li>
        ))}
      </ol>
      <div className="p-row">
        <button className="edit-button edit-accept" type="button" onClick={() => onRespond('accept')}>
          Accept
        </button>
        <button className="edit-button" type="button" onClick={() => onRespond('skip')}>
          Skip
        </button>
        {rest > 0 && (
          <>
            <span className="p-spacer" />
            <button className="edit-button" type="button" onClick={() => onRespond('accept_rest')}>
              {`Accept All ${rest + 1}`}
            </button>
            <button className="edit-button" type="button" onClick={() => onRespond('skip_rest')}>
              Skip the Rest
            </button>
          </>
        )}
      </div>
    </div>
  );
}
