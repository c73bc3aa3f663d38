import { useDraft, usePrimaryAction, type ViewProps } from 'parley-mcp/webview';
import type { FormEvent } from 'react';
import type { Suspect } from './flaky.ts';
import './flaky.css';

/** What the table shows; it responds with the tests that are ticked. */
export type FlakyTestsProps = ViewProps<
  { readonly flaky: readonly (Suspect & { readonly owner: string })[]; readonly broken: readonly string[] },
  readonly string[]
>;

/** Flaky tests to tick, with how often each failed, why, and whose it is. */
export function FlakyTests({ flaky, broken, onRespond }: FlakyTestsProps) {
  const [ticked, setTicked] = useDraft<readonly string[]>(
    'ticked',
    flaky.map(({ test }) => test),
  );
  const answer = () => onRespond(ticked);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    answer();
  };
  const quarantine = usePrimaryAction(`Quarantine ${ticked.length} of ${flaky.length}`, answer, {
    disabled: ticked.length === 0,
  });
  const toggle = (test: string) =>
    setTicked(ticked.includes(test) ? ticked.filter((one) => one !== test) : [...ticked, test]);

  return (
    <form className="p-stack" onSubmit={submit}>
      <table className="flaky">
        <thead>
          <tr>
            <th>Test</th>
            <th>Failed</th>
            <th>Changed last by</th>
          </tr>
        </thead>
        <tbody>
          {flaky.map(({ test, failed, runs, whys, owner }) => (
            <tr key={test}>
              <td>
                <label>
                  <input
                    type="checkbox"
                    className="p-check"
                    checked={ticked.includes(test)}
                    onChange={() => toggle(test)}
                  />{' '}
                  {test}
                </label>
                {whys.map((why) => (
                  <div key={why} className="p-muted flaky-why">
                    {why}
                  </div>
                ))}
              </td>
              <td>
                {failed} of {runs}
              </td>
              <td>{owner || '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {broken.length > 0 && <p className="p-muted">Broken, as they fail in every run: {broken.join(', ')}</p>}
      {quarantine}
    </form>
  );
}
