import { INCOMPLETE } from '../field/field.ts';
import { type ControlProps, shownText } from './control.ts';
import type { TextField } from './text-field.ts';

/** A day or a moment with the browser's own picker. */
export function DateControl({ field, head, state, raw, onChange }: ControlProps<TextField>) {
  // A half-typed date has no text that could be put back.
  const value = raw === INCOMPLETE ? '' : shownText(raw);
  return (
    <input
      {...head}
      {...state}
      className="input input-short"
      type={field.format === 'date' ? 'date' : 'datetime-local'}
      step={value.length > 16 && field.format === 'date-time' ? 1 : undefined}
      value={value}
      onInput={({ currentTarget }) => onChange(typed(currentTarget))}
      // React tells of text only; that a date became incomplete, or empty again, shows when it is left.
      onBlur={({ currentTarget }) => {
        const now = typed(currentTarget);
        if (now !== shownText(raw)) onChange(now);
      }}
    />
  );
}

function typed(control: HTMLInputElement): string {
  return control.value === '' && control.validity.badInput ? INCOMPLETE : control.value;
}
