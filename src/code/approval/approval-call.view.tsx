import { t } from 'parley-mcp/webview';
import { useId } from 'react';
import { argumentsProblem, oneLine } from './arguments-text.ts';
import type { ApprovalRow } from './questions.ts';

/** Characters of arguments that are shown at once. */
const SHOWN = 400;

/** What a row of the table shows, and says of itself. */
export interface ApprovalCallProps {
  readonly row: ApprovalRow;
  /** Whether it says which tool it is. */
  readonly named: boolean;
  readonly ticked: boolean;
  /** What was made of its arguments. */
  readonly text: string | undefined;
  readonly reachable: boolean;
  readonly editing: boolean;
  onToggle(): void;
  onFocus(): void;
  onEdit(text: string | undefined): void;
  onOpen(): void;
  onClose(): void;
}

/** One call: whether it runs, and with what. */
export function ApprovalCall(props: ApprovalCallProps) {
  const { row, named, ticked, text, reachable, editing, onToggle, onFocus, onEdit, onOpen, onClose } = props;
  const problem = argumentsProblem(text) ?? (text === undefined ? row.problem : undefined);
  const problemId = useId();
  const shown = text ?? row.arguments;
  const tabIndex = reachable ? 0 : -1;
  return (
    <tr className={ticked ? 'approval-row' : 'approval-row approval-off'}>
      <td>
        <input
          type="checkbox"
          className="p-check"
          value={row.id}
          checked={ticked}
          tabIndex={tabIndex}
          onChange={onToggle}
          onFocus={onFocus}
          aria-label={`${row.title} ${oneLine(shown)}`}
        />
      </td>
      <td className="approval-call">
        {(named || row.destructive || text !== undefined) && (
          <div className="p-row">
            {named && <span>{row.title}</span>}
            {row.destructive && <span className="p-badge approval-destructive">{t('destructive')}</span>}
            {text !== undefined && <span className="p-badge">{t('edited')}</span>}
          </div>
        )}
        {editing ? (
          <textarea
            className="approval-text"
            aria-label={t('Arguments of {0} as JSON', row.title)}
            aria-invalid={problem !== undefined}
            aria-describedby={problem === undefined ? undefined : problemId}
            value={shown}
            rows={Math.min(16, shown.split('\n').length + 1)}
            spellCheck={false}
            // biome-ignore lint/a11y/noAutofocus: it was just asked for
            autoFocus
            onChange={(event) => onEdit(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return;
              // Not the panel's: that would end the question.
              event.stopPropagation();
              onClose();
            }}
          />
        ) : (
          <Arguments json={shown} />
        )}
        {problem !== undefined && (
          <div id={problemId} className="approval-problem" role="alert">
            {problem}
          </div>
        )}
      </td>
      <td className="approval-tools">
        <button
          type="button"
          className="approval-link"
          tabIndex={tabIndex}
          onClick={editing ? onClose : onOpen}
        >
          {editing ? t('Done') : t('Edit')}
          <span className="approval-hidden"> {oneLine(shown)}</span>
        </button>
        {text !== undefined && (
          <button
            type="button"
            className="approval-link"
            tabIndex={tabIndex}
            onClick={() => onEdit(undefined)}
          >
            {t('Undo')}
            <span className="approval-hidden"> {t('the edit of {0}', oneLine(row.arguments))}</span>
          </button>
        )}
      </td>
    </tr>
  );
}

/** Arguments to read: short ones in a line, long ones as far as they can be taken in at once. */
function Arguments({ json }: { readonly json: string }) {
  const line = oneLine(json);
  if (line.length <= 120) return <code className="approval-arguments">{line}</code>;
  if (json.length <= SHOWN) return <code className="approval-arguments">{json}</code>;
  return (
    <details>
      <summary>
        <code className="approval-arguments">{line.slice(0, SHOWN)}…</code>{' '}
        <span className="p-muted">{t('{0} characters', json.length)}</span>
      </summary>
      <code className="approval-arguments">{json}</code>
    </details>
  );
}
