import { Markdown, useDraft, usePrimaryAction, type ViewProps } from 'parley-mcp/webview';
import { type FormEvent, useId } from 'react';
import type { Facts } from './look.ts';
import type { Plan } from './questions.ts';
import { type Bump, raised } from './version.ts';
import './release.css';

/** What the plan of a release shows; it responds with the version and the notes. */
export type ReleasePlanProps = ViewProps<
  Pick<Facts, 'version' | 'commits' | 'lastTag'> & { readonly suggested: string; readonly notes: string },
  Plan
>;

const BUMPS: readonly (readonly [Bump, string])[] = [
  ['patch', 'Fixes'],
  ['minor', 'New features'],
  ['major', 'Breaking changes'],
];

/** Version, notes with their preview, and the commits that they are about. */
export function ReleasePlan({ version, commits, lastTag, suggested, notes, onRespond }: ReleasePlanProps) {
  const [next, setNext] = useDraft('version', suggested);
  const [text, setText] = useDraft('notes', notes);
  const [isShown, setShown] = useDraft('preview', false);
  const id = useId();
  const isComplete = next.trim() !== '' && text.trim() !== '';

  const answer = () => {
    if (isComplete) onRespond({ version: next.trim(), notes: text.trim() });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    answer();
  };
  const commit = usePrimaryAction(`Commit and Tag ${next.trim()}`, answer, {
    disabled: !isComplete,
    other: { label: isShown ? 'Edit Notes' : 'Preview Notes', onPress: () => setShown(!isShown) },
  });
  const choices = BUMPS.map(([bump, label]) => [raised(version, bump), label] as const).filter(
    ([choice], at, all) => all.findIndex(([other]) => other === choice) === at,
  );

  return (
    <form className="p-stack release" onSubmit={submit}>
      <fieldset className="release-versions">
        <legend>
          Version <span className="p-muted">after {version}</span>
        </legend>
        {choices.map(([choice, label]) => (
          <button
            key={choice}
            type="button"
            className="p-choice"
            aria-pressed={next === choice}
            onClick={() => setNext(choice)}
          >
            {choice} <span className="p-muted">{label}</span>
          </button>
        ))}
        <input
          className="release-version"
          aria-label="Another version"
          value={next}
          onChange={({ currentTarget }) => setNext(currentTarget.value)}
        />
      </fieldset>
      {isShown ? (
        <section className="p-card" aria-label="Preview of the notes">
          <Markdown>{text}</Markdown>
        </section>
      ) : (
        <>
          <label htmlFor={id}>Release notes</label>
          <textarea
            id={id}
            className="release-notes"
            rows={Math.min(20, text.split('\n').length + 2)}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        </>
      )}
      <details>
        <summary>
          {commits.length} {commits.length === 1 ? 'commit' : 'commits'} since {lastTag ?? 'the beginning'}
        </summary>
        <ul className="release-commits">
          {commits.map(({ hash, subject }) => (
            <li key={hash}>
              <code>{hash}</code> {subject}
            </li>
          ))}
        </ul>
      </details>
      {commit}
    </form>
  );
}

/** What the last question shows; it responds with whether to push as well. */
export type PackedFilesProps = ViewProps<
  {
    readonly tag: string;
    readonly remote?: string | undefined;
    readonly files: readonly { readonly path: string; readonly size: number }[];
  },
  boolean
>;

/** All files that npm would publish, the largest first. */
export function PackedFiles({ tag, remote, files, onRespond }: PackedFilesProps) {
  const [pushes, setPushes] = useDraft('push', remote !== undefined);
  const sorted = [...files].sort((a, b) => b.size - a.size);
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const answer = () => onRespond(pushes);
  const publish = usePrimaryAction(`Publish ${tag}`, answer);

  return (
    <form
      className="p-stack release"
      onSubmit={(event) => {
        event.preventDefault();
        answer();
      }}
    >
      <div className="release-files">
        <table>
          <caption>
            {files.length} files, {inKilobytes(total)}
          </caption>
          <tbody>
            {sorted.map(({ path, size }) => (
              <tr key={path}>
                <td>{path}</td>
                <td className="release-size">{inKilobytes(size)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {remote !== undefined && (
        <label>
          <input
            type="checkbox"
            className="p-check"
            checked={pushes}
            onChange={({ currentTarget }) => setPushes(currentTarget.checked)}
          />{' '}
          Push the commit and the tag to {remote}
        </label>
      )}
      {publish}
    </form>
  );
}

function inKilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
