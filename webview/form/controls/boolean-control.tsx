import type { BooleanField } from '../field/field.ts';
import type { ControlProps } from './control.ts';

/** A tick with its label beside it. */
export function BooleanControl({ field, head, state, raw, onChange }: ControlProps<BooleanField>) {
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
