import { useEffect, useState } from 'react';
import type { Snapshot } from '../src/protocol/index.ts';
import { shapeOf } from './value/value-shape.ts';

/** Tells people who cannot see the panel that a question came or that the call has ended; never each log line. */
export function LiveRegion({ snapshot }: { snapshot: Snapshot }) {
  const news = newsOf(snapshot);
  const [said, setSaid] = useState('');
  // The region is there before its text, or readers would not notice the text.
  useEffect(() => setSaid(news), [news]);
  return (
    <div className="visually-hidden" role="status" aria-live="polite" aria-atomic="true">
      {said}
    </div>
  );
}

/** What is new about a snapshot's stage, as a sentence; `''` while nothing is asked or over. */
export function newsOf({ head: { call, stage } }: Snapshot): string {
  switch (stage.kind) {
    case 'question': {
      const { number, message, attempt, problem = '' } = stage.question;
      return attempt > 1
        ? `Question ${number} is asked again. ${problem} ${message}`
        : `Question ${number}: ${message}`;
    }
    case 'parameters':
      return stage.problem ? `The parameters need another look: ${stage.problem}` : '';
    case 'result': {
      const shape = shapeOf(stage.value);
      return `${call.title} is done.${shape.kind === 'text' ? ` ${shape.text.slice(0, 200)}` : ''}`;
    }
    case 'error':
      return `${call.title} failed: ${stage.error.message}`;
    case 'aborted':
      return `${call.title} was stopped.`;
    case 'running':
      return '';
  }
}
