import { Codicon, Markdown, useDraft, usePrimaryAction, type ViewProps } from 'parley-mcp/webview';
import type { FormEvent } from 'react';
import type { Outdated } from './look.ts';
import type { Outcome } from './questions.ts';
import './upgrade.css';

/** What the table shows; it responds with a line such as `react@19.0.0` for each that is ticked. */
export type OutdatedTableProps = ViewProps<{ readonly outdated: readonly Outdated[] }, readonly string[]>;

type Target = Outdated['targets'][number];

/** What is behind, with its risks and its changes: to tick, and to choose the version of. */
export function OutdatedTable({ outdated, onRespond }: OutdatedTableProps) {
  // The version of each that is ticked; `null` where it was unticked.
  const [chosen, setChosen] = useDraft<Readonly<Record<string, string | null>>>('chosen', {});
  const rows = outdated.map((one) => {
    const choice = chosen[one.name];
    const safe = one.targets.find((target) => risksOf(target).length === 0);
    const version = choice === undefined ? safe?.version : (choice ?? undefined);
    const target = one.targets.find((some) => some.version === version) ?? safe ?? one.targets[0];
    return { ...one, on: version !== undefined, target };
  });
  const ticked = rows.flatMap(({ name, on, target }) => (on && target ? [`${name}@${target.version}`] : []));
  const answer = () => onRespond(ticked);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ticked.length > 0) answer();
  };
  const upgrade = usePrimaryAction(`Upgrade ${ticked.length} of ${rows.length}`, answer, {
    disabled: ticked.length === 0,
  });
  const choose = (name: string, version: string | null) => setChosen({ ...chosen, [name]: version });

  return (
    <form className="p-stack" onSubmit={submit}>
      <table className="upgrade">
        <thead>
          <tr>
            <th>Dependency</th>
            <th>From</th>
            <th>To</th>
            <th>Risks</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, current, dev, page, deprecated, targets, on, target }) => (
            <tr key={name}>
              <td>
                <label>
                  <input
                    type="checkbox"
                    className="p-check"
                    checked={on}
                    onChange={() => choose(name, on ? null : (target?.version ?? null))}
                  />{' '}
                  {name}
                </label>
                {dev && <div className="p-muted upgrade-under">For development</div>}
                {target && target.changes !== '' && (
                  <details className="upgrade-under">
                    <summary>Changes</summary>
                    <Markdown>{target.changes}</Markdown>
                  </details>
                )}
                {target?.changes === '' && page !== undefined && (
                  <a className="upgrade-under" href={page}>
                    Releases
                  </a>
                )}
              </td>
              <td>
                {current}
                {deprecated !== undefined && <div className="p-muted">Deprecated</div>}
              </td>
              <td>
                {targets.length === 1 ? (
                  target?.version
                ) : (
                  <select
                    className="upgrade-version"
                    aria-label={`Version of ${name}`}
                    value={target?.version}
                    onChange={({ currentTarget }) => choose(name, currentTarget.value)}
                  >
                    {targets.map(({ version }) => (
                      <option key={version}>{version}</option>
                    ))}
                  </select>
                )}
              </td>
              <td>
                {target && risksOf(target).length > 0
                  ? risksOf(target).map((risk) => (
                      <div key={risk} className="p-row upgrade-risk">
                        <Codicon name="warning" /> {risk}
                      </div>
                    ))
                  : target && (target.step === 'patch' ? 'Fixes only' : 'New features')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {upgrade}
    </form>
  );
}

function risksOf({ step, deprecated, needsNode }: Target): string[] {
  return [
    ...(step === 'major' ? ['May break'] : []),
    ...(deprecated === undefined ? [] : [`Deprecated: ${deprecated}`]),
    ...(needsNode === undefined ? [] : [`Needs Node ${needsNode}`]),
  ];
}

/** What the last question shows; it responds with what to do. */
export type OutcomesProps = ViewProps<{ readonly outcomes: readonly Outcome[] }, 'keep' | 'undo'>;

/** What is committed, and what npm or the tests say of the rest. */
export function Outcomes({ outcomes, onRespond }: OutcomesProps) {
  const keep = usePrimaryAction('Keep the Commits', () => onRespond('keep'), {
    other: { label: 'Undo All of Them', onPress: () => onRespond('undo') },
  });
  return (
    <div className="p-stack">
      <ul className="upgrade-outcomes">
        {outcomes.map(({ name, from, to, red }) => (
          <li key={name}>
            <Codicon name={red === undefined ? 'pass' : 'error'} /> {name} {from} → {to}{' '}
            <span className="p-muted">{red === undefined ? 'Committed' : 'Red, and rolled back'}</span>
            {red !== undefined && (
              <details>
                <summary>Output</summary>
                <pre className="upgrade-output">{red}</pre>
              </details>
            )}
          </li>
        ))}
      </ul>
      {keep}
    </div>
  );
}
