import type { VscodeTextarea } from '@vscode-elements/elements/dist/vscode-textarea/index.js';
import { type FormEvent, useRef } from 'react';
import type { JsonField } from '../field/field.ts';
import { type ControlProps, textOf } from './control.ts';
import { useInnerAria } from './use-inner-aria.ts';

/** JSON as text, for what the flat form cannot express. */
export function JsonControl({
  field,
  ids,
  describedBy,
  raw,
  invalid,
  disabled,
  onChange,
}: ControlProps & { field: JsonField }) {
  const ref = useRef<VscodeTextarea>(null);
  useInnerAria(ref, { describedBy, invalid, required: field.required });
  const text = textOf(raw);
  return (
    <vscode-textarea
      ref={ref}
      id={ids.control}
      className="control"
      data-control
      monospace
      label={field.title}
      invalid={invalid}
      disabled={disabled}
      rows={Math.min(12, Math.max(4, text.split('\n').length))}
      resize="vertical"
      value={text}
      onInput={(event: FormEvent<VscodeTextarea>) => onChange(event.currentTarget.wrappedElement.value)}
    />
  );
}
