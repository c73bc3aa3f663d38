import { INCOMPLETE, type TextField } from '../field/field.ts';
import { type ControlProps, describedBy, textOf } from './control.ts';

/**
 * A day or a moment with the browser's own picker. Not the custom element: that one empties the whole date when one part
 * of it is being retyped.
 */
export function DateControl({
  field,
  ids,
  raw,
  invalid,
  disabled,
  onChange,
  ...rest
}: ControlProps & { field: TextField }) {
  // A half-typed date has no text that could be put back.
  const value = raw === INCOMPLETE ? '' : textOf(raw);
  return (
    <input
      className="input"
      id={ids.control}
      data-control
      type={field.format === 'date' ? 'date' : 'datetime-local'}
      step={value.length > 16 && field.format === 'date-time' ? 1 : undefined}
      value={value}
      disabled={disabled}
      aria-labelledby={ids.label}
      aria-required={field.required}
      aria-invalid={invalid}
      {...describedBy(rest.describedBy)}
      onInput={({ currentTarget }) => onChange(typed(currentTarget))}
      // React tells of text only; that a date became incomplete, or empty again, shows when it is left.
      onBlur={({ currentTarget }) => {
        const now = typed(currentTarget);
        if (now !== textOf(raw)) onChange(now);
      }}
    />
  );
}

function typed(control: HTMLInputElement): string {
  return control.value === '' && control.validity.badInput ? INCOMPLETE : control.value;
}
