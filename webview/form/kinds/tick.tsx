import type { ControlProps } from '../controls/control.ts';
import { absent, right } from '../field/checked.ts';
import type { ControlKind } from '../field/control-kind.ts';
import type { SomeField } from '../field/field.ts';

/** Yes or no. */
interface TickField extends SomeField {
  readonly kind: 'boolean';
}

/** Yes or no. */
export const tickField: ControlKind<TickField> = {
  // A tick cannot say `null`.
  of: ({ type }, { nullable }) => (type === 'boolean' && !nullable ? { kind: 'boolean' } : undefined),
  raw: (_, value) => (typeof value === 'boolean' ? value : undefined),
  check: ({ required }, raw) => (typeof raw === 'boolean' ? right(raw) : required ? right(false) : absent),
  Control: TickControl,
};

/** A tick with its label beside it. */
function TickControl({ field, head, state, raw, onChange }: ControlProps<TickField>) {
  const { 'aria-labelledby': label, ...named } = head;
  return (
    <label className="option">
      <input
        type="checkbox"
        {...named}
        disabled={state.disabled}
        aria-invalid={state['aria-invalid']}
        checked={raw === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span id={label}>{field.title}</span>
    </label>
  );
}
