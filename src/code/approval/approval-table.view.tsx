import { t, useDraft, usePrimaryAction, type ViewProps } from 'parley-mcp/webview';
import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import { withoutUnseen } from '../../core/messages/shown-json.ts';
import { ApprovalCall } from './approval-call.view.tsx';
import { argumentsProblem } from './arguments-text.ts';
import type { ApprovalRow, TableAnswer } from './questions.ts';
import './approval-table.css';

/** What the table shows. It responds with the rows that may run, and what was made of their arguments. */
export type ApprovalTableProps = ViewProps<
  { readonly rows: readonly ApprovalRow[]; readonly code: string; readonly offerRest?: number | undefined },
  TableAnswer
>;

/** Calls to tick, with their arguments to read and edit. One stop for Tab: the arrow keys walk, Space ticks, F2 edits. */
export function ApprovalTable({ rows, code, offerRest, onRespond }: ApprovalTableProps) {
  const [ticked, setTicked] = useDraft<readonly string[]>(
    'ticked',
    rows.filter((row) => row.ticked).map(({ id }) => id),
  );
  // Text by row, where it is not what the code gave.
  const [edits, setEdits] = useDraft<Readonly<Record<string, string>>>('edits', {});
  const [rest, setRest] = useDraft<number | null>('rest', null);
  const [current, setCurrent] = useState(rows[0]?.id ?? '');
  const [editing, setEditing] = useState<string | undefined>();
  const table = useRef<HTMLTableElement>(null);

  const running = rows.filter(({ id }) => ticked.includes(id));
  const broken = running.filter(({ id }) => argumentsProblem(edits[id]) !== undefined);
  const answer = () => {
    if (running.length === 0 || broken.length > 0) return;
    const changed = running.flatMap(({ id }) => {
      const text = edits[id];
      return text === undefined ? [] : [[id, JSON.parse(text) as unknown] as const];
    });
    onRespond({
      run: running.map(({ id }) => id),
      ...(changed.length > 0 ? { edits: JSON.stringify(Object.fromEntries(changed)) } : {}),
      ...(rest === null ? {} : { rest }),
    });
  };
  const action = usePrimaryAction(labelOf(running.length, rows.length), answer, {
    disabled: running.length === 0 || broken.length > 0,
  });

  const toggle = (id: string) =>
    setTicked(ticked.includes(id) ? ticked.filter((one) => one !== id) : [...ticked, id]);
  const edit = (row: ApprovalRow, text: string | undefined) => {
    const { [row.id]: _, ...others } = edits;
    setEdits(text === undefined || text === row.arguments ? others : { ...others, [row.id]: text });
  };
  const focusOn = (id: string) =>
    table.current?.querySelector<HTMLInputElement>(`input[value="${CSS.escape(id)}"]`)?.focus();

  const walk = (event: KeyboardEvent) => {
    const boxes = [...(table.current?.querySelectorAll<HTMLInputElement>('input[type="checkbox"]') ?? [])];
    const at = boxes.indexOf(event.target as HTMLInputElement);
    if (at < 0) return;
    if (event.key === 'F2') setEditing(boxes[at]?.value);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: boxes.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    boxes[Math.min(Math.max(to, 0), boxes.length - 1)]?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    answer();
  };

  const mixed = new Set(rows.map(({ tool }) => tool)).size > 1;
  const everything = ticked.length === rows.length;
  return (
    <form className="p-stack" onSubmit={submit}>
      <div className="p-row approval-head">
        <span className="p-title">{mixed ? t('Calls') : rows[0]?.title}</span>
        <span className="p-badge">{rows.length}</span>
        <span className="p-spacer" />
        {rows.length > 1 && (
          <button
            type="button"
            className="approval-link"
            onClick={() => setTicked(everything ? [] : rows.map(({ id }) => id))}
          >
            {everything ? t('Clear All Calls') : t('Select All Calls')}
          </button>
        )}
      </div>
      <table
        className="approval-table"
        ref={table}
        onKeyDown={walk}
        aria-label={t('Calls that can make changes')}
      >
        <thead className="approval-names">
          <tr>
            <th scope="col">{t('Runs')}</th>
            <th scope="col">{t('Call')}</th>
            <th scope="col">{t('Edit')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <ApprovalCall
              key={row.id}
              row={row}
              named={mixed}
              ticked={ticked.includes(row.id)}
              text={edits[row.id]}
              reachable={row.id === current}
              editing={row.id === editing}
              onToggle={() => toggle(row.id)}
              onFocus={() => setCurrent(row.id)}
              onEdit={(text) => edit(row, text)}
              onOpen={() => setEditing(row.id)}
              onClose={() => {
                setEditing(undefined);
                focusOn(row.id);
              }}
            />
          ))}
        </tbody>
      </table>
      <details>
        <summary>{t('The code')}</summary>
        <code className="approval-arguments">{withoutUnseen(code)}</code>
      </details>
      {offerRest !== undefined && (
        <Rest title={rows[0]?.title ?? ''} offered={offerRest} rest={rest} onChange={setRest} />
      )}
      {action}
    </form>
  );
}

interface RestProps {
  readonly title: string;
  readonly offered: number;
  readonly rest: number | null;
  onChange(rest: number | null): void;
}

function Rest({ title, offered, rest, onChange }: RestProps) {
  const id = useId();
  return (
    <div className="p-row approval-rest">
      <input
        id={id}
        type="checkbox"
        className="p-check"
        checked={rest !== null}
        onChange={(event) => onChange(event.target.checked ? offered : null)}
      />
      <label htmlFor={id}>{t('Allow similar calls, up to')}</label>
      <input
        type="number"
        className="approval-number"
        min={1}
        max={1000}
        value={rest ?? offered}
        disabled={rest === null}
        aria-label={t('How many more calls of {0} may run', title)}
        onChange={(event) =>
          onChange(Math.min(1000, Math.max(0, Math.trunc(event.target.valueAsNumber) || 0)))
        }
      />
      <span>{t('more calls of {0} in this run, with any arguments, without asking', title)}</span>
    </div>
  );
}

function labelOf(running: number, all: number): string {
  if (running === 0) return t('Select Calls to Run');
  if (all === 1) return t('Run');
  return running === all ? t('Run All {0}', all) : t('Run {0} of {1}', running, all);
}
