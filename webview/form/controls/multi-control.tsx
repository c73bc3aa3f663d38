import type { MultiField } from '../field/field.ts';
import { type ControlProps, describedBy } from './control.ts';

/** Any number of choices, each with a tick. */
export function MultiControl({
  field,
  ids,
  raw,
  invalid,
  disabled,
  onChange,
  ...rest
}: ControlProps & { field: MultiField }) {
  const chosen = new Set(Array.isArray(raw) ? raw : []);
  const toggle = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChange(field.choices.map((choice) => choice.id).filter((other) => next.has(other)));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be scrolled or laid out as a grid everywhere
    <div
      className={`options ${field.choices.length > 10 ? 'options-many' : ''}`}
      id={ids.control}
      role="group"
      aria-labelledby={ids.label}
      tabIndex={-1}
      data-control
      data-invalid={invalid}
      {...describedBy(rest.describedBy)}
    >
      {field.choices.map((choice) => (
        <label className="option" key={choice.id}>
          <input
            type="checkbox"
            checked={chosen.has(choice.id)}
            disabled={disabled}
            aria-invalid={invalid}
            onChange={() => toggle(choice.id)}
          />
          <span>{choice.title}</span>
        </label>
      ))}
    </div>
  );
}
