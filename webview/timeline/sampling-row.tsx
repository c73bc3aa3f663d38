import type { RowOf } from '../../src/protocol/index.ts';
import { Icon } from '../icon.tsx';
import { Text } from '../text.tsx';

const STATES = {
  open: 'asking',
  consent: 'waiting for your consent to ask',
  answered: 'asked',
  failed: 'could not ask',
  withdrawn: 'stopped asking',
} as const;

/** A completion by the model: who was asked, and what it was about. */
export function SamplingRow({ row }: { row: RowOf<'sampling'> }) {
  const { state, model = 'the model', prompt, text, error } = row;
  const line = (
    <>
      <Icon name="sparkle" className="row-icon" /> {STATES[state]} {model}
    </>
  );
  if (!prompt && !text && !error) return line;
  return (
    <details className="folded">
      <summary>
        {line} <span className="folded-message muted">{error ?? text ?? prompt}</span>
      </summary>
      <div className="folded-body">
        {prompt && <Excerpt title="Prompt">{prompt}</Excerpt>}
        {text && <Excerpt title="Answer">{text}</Excerpt>}
        {error && <p className="field-error">{error}</p>}
      </div>
    </details>
  );
}

function Excerpt({ title, children }: { title: string; children: string }) {
  return (
    <>
      <p className="muted">{title}</p>
      <p>
        <Text>{children}</Text>
      </p>
    </>
  );
}
