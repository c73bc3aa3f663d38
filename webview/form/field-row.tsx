import type { FocusEvent } from 'react';
import { Icon } from '../parts/icon.tsx';
import { Text } from '../parts/text.tsx';
import { BooleanControl } from './controls/boolean-control.tsx';
import type { ControlProps } from './controls/control.ts';
import { JsonControl } from './controls/json-control.tsx';
import { MultiControl } from './controls/multi-control.tsx';
import { NumberControl } from './controls/number-control.tsx';
import { SingleControl } from './controls/single-control.tsx';
import { TextControl } from './controls/text-control.tsx';
import type { Field, Raw } from './field/field.ts';
import { hintOf } from './field/hint-of.ts';

/** What {@link FieldRow} takes. */
export interface FieldRowProps {
  /** The id its control gets; label, help and error derive theirs. */
  readonly id: string;
  readonly field: Field;
  readonly raw: Raw;
  readonly error: string | undefined;
  readonly disabled: boolean;
  readonly onChange: (raw: Raw) => void;
  readonly onLeave: () => void;
}

/** A field: label above, control, help below, and the error where the eye is. */
export function FieldRow({ id, field, raw, error, disabled, onChange, onLeave }: FieldRowProps) {
  const hint = newTo(field.description, hintOf(field));
  const ids = { control: id, label: `${id}-label`, help: `${id}-help`, error: `${id}-error` };
  const control: ControlProps = {
    ids,
    describedBy: [field.description || hint ? ids.help : [], error ? ids.error : []].flat(),
    raw,
    invalid: error !== undefined,
    disabled,
    onChange,
  };
  const leave = (event: FocusEvent): void => {
    if (!event.currentTarget.contains(event.relatedTarget)) onLeave();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: listens to what bubbles up from the control
    <div className={`field field-${field.kind} ${error ? 'field-invalid' : ''}`} onBlur={leave}>
      {field.kind !== 'boolean' && <FieldLabel field={field} id={ids.label} control={id} />}
      <Control field={field} control={control} />
      {(field.description || hint) && (
        <p className="field-help" id={ids.help}>
          {field.description && <Text>{field.description}</Text>}
          {field.description && hint && ' · '}
          {hint}
        </p>
      )}
      {error && (
        <p className="field-error" id={ids.error}>
          <Icon name="error" /> {error}
        </p>
      )}
    </div>
  );
}

/** The hint, unless the author's own words say it already. */
function newTo(description: string | undefined, hint: string | undefined): string | undefined {
  return hint && description?.toLowerCase().includes(hint.toLowerCase()) ? undefined : hint;
}

/** A label that names its control by `aria-label` (the control is in a shadow tree) and focuses it when clicked. */
function FieldLabel({ field, id, control }: { field: Field; id: string; control: string }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a convenience for the pointer, as with a label
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard reaches the control itself
    <div className="field-label" id={id} onClick={() => document.getElementById(control)?.focus()}>
      {field.title}
      {field.required && (
        <span className="required" aria-hidden="true">
          {' '}
          *
        </span>
      )}
    </div>
  );
}

function Control({ field, control }: { field: Field; control: ControlProps }) {
  switch (field.kind) {
    case 'string':
      return <TextControl field={field} {...control} />;
    case 'number':
    case 'integer':
      return <NumberControl field={field} {...control} />;
    case 'boolean':
      return <BooleanControl field={field} {...control} />;
    case 'single':
      return <SingleControl field={field} {...control} />;
    case 'multi':
      return <MultiControl field={field} {...control} />;
    case 'json':
      return <JsonControl field={field} {...control} />;
  }
}
