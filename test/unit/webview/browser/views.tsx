import { useEffect, useMemo, useState } from 'react';
import { ApprovalTable } from '#src/code/approval/approval-table.view.tsx';
import { useDraft } from '#webview/api.ts';

/** Things to pick from, as shipped views look. */
function Pick({ options, onRespond }: { options: readonly string[]; onRespond(value: string): void }) {
  const [picked, setPicked] = useDraft<string | null>('picked', null);
  return (
    <div className="p-stack">
      {options.map((option) => (
        <button
          type="button"
          className="p-choice"
          key={option}
          aria-pressed={option === picked}
          onFocus={() => setPicked(option)}
          onClick={() => onRespond(option)}
        >
          <span className="p-title">{option}</span> <span className="p-badge">new</span>
        </button>
      ))}
    </div>
  );
}

/** As libraries for React do it: the part notes itself in an effect, and the whole looks it up once its element is there. */
function Noted() {
  const [notes] = useState(() => new Set<string>());
  const [element, setElement] = useState<Element | null>(null);
  const known = useMemo(() => (element ? [...notes].join() : 'no element'), [element, notes]);
  return (
    <div ref={setElement}>
      <Part notes={notes} />
      <output>{`knows ${known}`}</output>
    </div>
  );
}

function Part({ notes }: { notes: Set<string> }) {
  useEffect(() => {
    notes.add('its part');
    return () => void notes.delete('its part');
  });
  return <hr />;
}

export const views = { pick: Pick, noted: Noted, approval: ApprovalTable };
