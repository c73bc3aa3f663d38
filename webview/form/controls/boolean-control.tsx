import type { BooleanField } from '../field/field.ts';
import { type ControlProps, describedBy } from './control.ts';

/** A tick with its label beside it. */
export function BooleanControl({
  field,
  ids,
  raw,
  invalid,
  disabled,
  onChange,
  ...rest
}: ControlProps & { field: BooleanField }) {
  return (
    <label className="option">
      <input
        type="checkbox"
        id={ids.control}
        data-control
        checked={raw === true}
        disabled={disabled}
        aria-invalid={invalid}
        {...describedBy(rest.describedBy)}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>{field.title}</span>
    </label>
  );
}
