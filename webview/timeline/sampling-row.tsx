import type { RowOf } from '../../src/protocol/index.ts';
import { Text } from '../text.tsx';
import { Line } from './line.tsx';

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
  const said = error ?? text ?? prompt;
  const line = (
    <Line icon="sparkle">
      {STATES[state]} {model}
      {said && <span className="muted">: {said}</span>}
    </Line>
  );
  if (!said) return line;
  return (
    <details className="folded">
      <summary>{line}</summary>
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
