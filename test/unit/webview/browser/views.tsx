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

/** Holds what it takes: digits, and two of three. */
function Choosy() {
  const [digits, setDigits] = useState('');
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const [presses, setPresses] = useState(0);
  const tick = (name: string) => {
    if (ticked.includes(name)) setTicked(ticked.filter((one) => one !== name));
    else if (ticked.length < 2) setTicked([...ticked, name]);
  };
  return (
    <div onClickCapture={() => setPresses(presses + 1)}>
      <label>
        Code
        <input
          value={digits}
          onChange={({ target: { value } }) => /^\d*$/.test(value) && setDigits(value)}
          // biome-ignore lint/a11y/noAutofocus: it is asked for
          autoFocus
        />
      </label>
      {['a', 'b', 'c'].map((name) => (
        <label key={name}>
          <input type="checkbox" checked={ticked.includes(name)} onChange={() => tick(name)} />
          {name}
        </label>
      ))}
      <output>{`${ticked.join()} after ${presses}`}</output>
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

export const views = { pick: Pick, choosy: Choosy, noted: Noted, approval: ApprovalTable };
