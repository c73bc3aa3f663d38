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

export const views = { pick: Pick, approval: ApprovalTable };
