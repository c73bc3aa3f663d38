import { useEffect, useState } from 'react';
import { withoutMarks } from '../src/core/messages/plain-line.ts';
import type { Snapshot } from '../src/panel-port/index.ts';
import { askingOf } from './page/page-state.ts';
import { t } from './parts/l10n.ts';
import { shapeOf } from './value/value-shape.ts';

/** Tells people who cannot see the panel that a question came or that the call has ended; never each log line. */
export function LiveRegion({ snapshot }: { snapshot: Snapshot }) {
  const { stage } = snapshot.head;
  // The region is there before its text, or readers would not notice the text.
  const [isThere, setThere] = useState(false);
  useEffect(() => setThere(true), []);
  return (
    <div className="visually-hidden" role="status" aria-live="polite" aria-atomic="true">
      {/* Another element for what is asked again: the same words in it are news. */}
      {isThere && <span key={askingOf(stage) ?? stage.kind}>{newsOf(snapshot)}</span>}
    </div>
  );
}

/** What is new about a snapshot's stage, as a sentence; `''` while nothing is asked or over. */
export function newsOf({ head: { call, stage } }: Snapshot): string {
  switch (stage.kind) {
    case 'question': {
      const { number, attempt, problem = '' } = stage.question;
      const message = withoutMarks(stage.question.message);
      return attempt > 1
        ? t('Question {0} is asked again. {1} {2}', number, problem, message)
        : t('Question {0}: {1}', number, message);
    }
    case 'parameters':
      return stage.problem ? t('Unknown parameters: {0}', stage.problem) : '';
    case 'result': {
      const shape = shapeOf(stage.value);
      const done = t('“{0}” is done.', call.title);
      return shape.kind === 'text' ? `${done} ${shape.text.slice(0, 200)}` : done;
    }
    case 'error':
      return t('“{0}” failed: {1}', call.title, stage.error.message);
    case 'aborted':
      return t('{0} was stopped.', call.title);
    case 'running':
      return '';
  }
}
