import type { VscodeTextfield } from '@vscode-elements/elements/dist/vscode-textfield/index.js';
import { type FormEvent, useRef } from 'react';
import type { NumberField } from '../field/field.ts';
import { type ControlProps, textOf } from './control.ts';
import { useInnerAria } from './use-inner-aria.ts';

/** A number as text: what is half typed stays, the wheel changes nothing, and the error is ours to word. */
export function NumberControl({
  field,
  ids,
  describedBy,
  raw,
  invalid,
  disabled,
  onChange,
}: ControlProps & { field: NumberField }) {
  const ref = useRef<VscodeTextfield>(null);
  const signed = (field.minimum ?? field.exclusiveMinimum ?? -1) < 0;
  const inputMode = signed ? 'text' : field.kind === 'integer' ? 'numeric' : 'decimal';
  useInnerAria(ref, { describedBy, invalid, required: field.required, inputMode });
  return (
    <vscode-textfield
      ref={ref}
      id={ids.control}
      className="control control-number"
      data-control
      label={field.title}
      invalid={invalid}
      disabled={disabled}
      value={textOf(raw)}
      onInput={(event: FormEvent<VscodeTextfield>) => onChange(event.currentTarget.wrappedElement.value)}
    />
  );
}
