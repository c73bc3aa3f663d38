import type { NumberField } from '../field/field.ts';
import { type ControlProps, shownText } from './control.ts';

/** A number as text: what is half typed stays, the wheel changes nothing, and the error is ours to word. */
export function NumberControl({ field, head, state, raw, onChange }: ControlProps<NumberField>) {
  const signed = (field.minimum ?? field.exclusiveMinimum ?? -1) < 0;
  return (
    <input
      {...head}
      {...state}
      className="input input-short"
      inputMode={signed ? 'text' : field.kind === 'integer' ? 'numeric' : 'decimal'}
      placeholder={field.placeholder}
      value={shownText(raw)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
