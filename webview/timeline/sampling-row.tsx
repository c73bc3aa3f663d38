import { plainLine } from '../../src/core/messages/plain-line.ts';
import type { RowOf } from '../../src/panel-port/index.ts';
import { t } from '../parts/l10n.ts';
import { Markdown } from '../parts/markdown.tsx';
import { Line } from './line.tsx';

/** What became of it, with the model's name. */
function stateText(state: RowOf<'sampling'>['state'], model: string): string {
  switch (state) {
    case 'open':
      return t('asking {0}', model);
    case 'consent':
      return t('waiting for your consent to ask {0}', model);
    case 'answered':
      return t('asked {0}', model);
    case 'failed':
      return t('could not ask {0}', model);
    case 'withdrawn':
      return t('cancelled request to {0}', model);
  }
}

/** A completion by the model: who was asked, and what it was about. */
export function SamplingRow({ row }: { row: RowOf<'sampling'> }) {
  const { state, model = t('the model'), prompt, text, error } = row;
  const said = error ?? plainLine(text ?? prompt ?? '');
  const line = (
    <Line icon="sparkle" label={state === 'answered' && said ? stateText(state, model) : undefined}>
      {state === 'answered' && said ? (
        <>
          {t('Model')}: <bdi>{said}</bdi>
          {row.model && <span className="muted"> {row.model}</span>}
        </>
      ) : (
        <>
          {stateText(state, model)}
          {said && (
            <span className="muted">
              : <bdi>{said}</bdi>
            </span>
          )}
        </>
      )}
    </Line>
  );
  if (!said) return line;
  return (
    <details className="folded">
      <summary>{line}</summary>
      <div className="folded-body">
        {prompt && <Excerpt title={t('Prompt')}>{prompt}</Excerpt>}
        {text && <Excerpt title={t('Answer')}>{text}</Excerpt>}
        {error && <p className="field-error">{error}</p>}
      </div>
    </details>
  );
}

function Excerpt({ title, children }: { title: string; children: string }) {
  return (
    <>
      <p className="muted">{title}</p>
      <div>
        <Markdown>{children}</Markdown>
      </div>
    </>
  );
}
