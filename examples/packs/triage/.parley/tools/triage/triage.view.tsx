import { Codicon, useDraft, usePrimaryAction, type ViewProps } from 'parley-mcp/webview';
import { type FormEvent, memo } from 'react';
import { doesSomething, type Issue, lineOf, type Wish } from './plan.ts';
import type { Proposal } from './questions.ts';
import './triage.css';

/** What the table shows; it responds with a line for each row that is sent. */
export type TriageTableProps = ViewProps<
  {
    readonly labels: readonly string[];
    readonly issues: readonly Issue[];
    readonly proposals: readonly Proposal[];
  },
  readonly string[]
>;

type Edit = Partial<Wish> & { readonly on?: boolean };

/** All that is open, with what a model proposes: to edit, and to tick what is sent. */
export function TriageTable({ labels, issues, proposals, onRespond }: TriageTableProps) {
  const [edits, setEdits] = useDraft<Readonly<Record<string, Edit>>>('edits', {});
  const [search, setSearch] = useDraft('search', '');
  const proposed = new Map(proposals.map((one) => [one.number, one]));
  const rows = issues.map((issue) => rowOf(issue, proposed.get(issue.number), edits[issue.number]));
  const words = search.toLowerCase().split(/\s+/);
  const shown = rows.filter(({ issue }) => {
    const text = `#${issue.number} ${issue.title} ${issue.author} ${issue.labels.join(' ')}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const sent = rows.filter(({ on, wish }) => on && doesSomething(wish));
  const edit = (number: number, change: Edit) =>
    setEdits((before) => ({ ...before, [number]: { ...before[number], ...change } }));
  const tick = (on: boolean) =>
    setEdits((before) => ({
      ...before,
      ...Object.fromEntries(shown.map(({ issue: { number } }) => [number, { ...before[number], on }])),
    }));
  const answer = () => onRespond(sent.map(({ wish, issue }) => lineOf(wish, issue.title)));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (sent.length > 0) answer();
  };
  const send = usePrimaryAction(`Send ${sent.length} of ${rows.length}`, answer, {
    disabled: sent.length === 0,
  });

  return (
    <form className="p-stack" onSubmit={submit}>
      <div className="p-row triage-bar">
        <input
          type="search"
          className="triage-input"
          aria-label="Filter"
          placeholder="Filter by title, author, label"
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <button type="button" className="p-choice" onClick={() => tick(true)}>
          Tick All
        </button>
        <button type="button" className="p-choice" onClick={() => tick(false)}>
          Untick All
        </button>
      </div>
      {shown.length === 0 ? (
        <p className="p-muted">None of {rows.length} has these words.</p>
      ) : (
        <table className="triage">
          <thead>
            <tr>
              <th aria-label="Send" />
              <th>Issue</th>
              <th>What is sent</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <IssueRow key={row.issue.number} {...row} labels={labels} edit={edit} />
            ))}
          </tbody>
        </table>
      )}
      {send}
    </form>
  );
}

interface Row {
  readonly issue: Issue;
  readonly why: string;
  readonly on: boolean;
  readonly wish: Wish;
}

function rowOf(issue: Issue, proposal: Proposal | undefined, edit: Edit = {}): Row {
  const { on, ...changed } = edit;
  const wish = {
    number: issue.number,
    labels: proposal?.labels ?? [],
    close: proposal?.close ?? false,
    reply: proposal?.reply ?? '',
    ...changed,
  };
  return { issue, why: proposal?.why ?? '', on: on ?? doesSomething(wish), wish };
}

type IssueRowProps = Row & {
  readonly labels: readonly string[];
  readonly edit: (number: number, change: Edit) => void;
};

/** Drawn anew only where it was changed: there may be 500 of them. */
const IssueRow = memo(
  function IssueRow({ issue, why, on, wish, labels, edit }: IssueRowProps) {
    const { number } = issue;
    const others = labels.filter((label) => !issue.labels.includes(label) && !wish.labels.includes(label));
    return (
      <tr>
        <td>
          <input
            type="checkbox"
            className="p-check"
            aria-label={`Send #${number}`}
            checked={on}
            onChange={() => edit(number, { on: !on })}
          />
        </td>
        <td>
          <a href={issue.url}>#{number}</a> {issue.title}
          <div className="p-muted">
            {issue.author}, {issue.day}
            {issue.labels.length > 0 && ` · ${issue.labels.join(', ')}`}
          </div>
          {why !== '' && (
            <div className="p-muted">
              <Codicon name="sparkle" /> {why}
            </div>
          )}
          {issue.body !== '' && (
            <details>
              <summary className="p-muted">Text</summary>
              <div className="triage-body">{issue.body}</div>
            </details>
          )}
        </td>
        <td>
          <div className="p-row triage-labels">
            {wish.labels.map((label) => (
              <button
                key={label}
                type="button"
                className="p-badge triage-label"
                aria-label={`Leave out ${label} of #${number}`}
                onClick={() => edit(number, { labels: wish.labels.filter((one) => one !== label) })}
              >
                {label} <Codicon name="close" />
              </button>
            ))}
            {others.length > 0 && (
              <select
                className="triage-input"
                aria-label={`Add a label to #${number}`}
                value=""
                onChange={({ currentTarget }) =>
                  edit(number, { on: true, labels: [...wish.labels, currentTarget.value] })
                }
              >
                <option value="">Add label…</option>
                {others.map((label) => (
                  <option key={label}>{label}</option>
                ))}
              </select>
            )}
            <label>
              <input
                type="checkbox"
                className="p-check"
                checked={wish.close}
                onChange={() => edit(number, wish.close ? { close: false } : { on: true, close: true })}
              />{' '}
              Close
            </label>
          </div>
          <textarea
            className="triage-input triage-reply"
            aria-label={`Reply to #${number}`}
            placeholder="Reply"
            rows={wish.reply === '' ? 1 : Math.min(8, wish.reply.split('\n').length + 1)}
            value={wish.reply}
            onChange={({ currentTarget }) => edit(number, { on: true, reply: currentTarget.value })}
          />
        </td>
      </tr>
    );
  },
  (before, after) =>
    before.on === after.on &&
    JSON.stringify(before.wish) === JSON.stringify(after.wish) &&
    before.issue === after.issue,
);
