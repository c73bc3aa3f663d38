import { errorText, openFrame, type StageOf, type TracePart } from '../../src/panel-port/index.ts';
import { usePage } from '../page/page-context.ts';
import { Codicon } from '../parts/icon.tsx';
import { t } from '../parts/l10n.ts';
import { Text } from '../parts/text.tsx';
import { CopyButton } from '../value/copy-button.tsx';

/** The error, its cause, and the lines of the author's files that it came through. */
export function Failure({ error }: { error: StageOf<'error'>['error'] }) {
  const { message, hint, trace = [] } = error;
  const internal = trace.flatMap((part) => part.internal).length;
  return (
    <>
      <div className="stage-head">
        <h2 className="stage-overline" id="stage-title">
          {t('Failed')}
        </h2>
        <CopyButton text={() => errorText(error)} />
      </div>
      <div className="card card-error">
        <p className="failure">
          <Codicon name="error" className="failure-icon" />
          <Text>{message}</Text>
        </p>
        {hint && (
          <p className="failure-hint">
            <Text>{hint}</Text>
          </p>
        )}
        {trace.map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the errors of a chain never move
          <div className="failure-part" key={at}>
            {at > 0 && (
              <p>
                <span className="muted">{t('caused by:')}</span> <Text>{part.title}</Text>
              </p>
            )}
            <OwnFrames part={part} at={at} />
          </div>
        ))}
        {internal > 0 && (
          <details className="disclosure failure-internal">
            <summary>
              {internal === 1 ? t('Show 1 internal frame') : t('Show {0} internal frames', internal)}
            </summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
            <pre className="stack" tabIndex={0}>
              {trace.map(({ title, internal: frames }) => [title, ...frames].join('\n    ')).join('\n')}
            </pre>
          </details>
        )}
      </div>
    </>
  );
}

function OwnFrames({ part, at }: { part: TracePart; at: number }) {
  const page = usePage();
  return (
    <ul>
      {part.own.map(({ text, label }, frame) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the frames of an error never move
        <li key={frame}>
          <button
            type="button"
            className="link"
            title={text}
            onClick={() => page.post(openFrame({ part: at, frame }))}
          >
            {label}
          </button>
        </li>
      ))}
    </ul>
  );
}
