import { t } from '../../parts/l10n.ts';
import type { SingleField } from '../field/field.ts';
import { type ControlProps, describedBy, textOf } from './control.ts';

/** So many choices are shown at once; more of them fold into a select. */
const MOST_RADIOS = 6;

/** So many short choices, of so many characters in all, stand in one row. */
const MOST_IN_A_ROW = 5;
const SHORT_ROW = 60;

/** One of some choices: all in view where they are few, a select where they are many. */
export function SingleControl(props: ControlProps & { field: SingleField }) {
  return props.field.choices.length <= MOST_RADIOS ? <Radios {...props} /> : <Select {...props} />;
}

function Radios({
  field,
  ids,
  raw,
  invalid,
  disabled,
  onChange,
  ...rest
}: ControlProps & { field: SingleField }) {
  return (
    <div
      className={`options ${inARow(field) ? 'options-row' : ''}`}
      id={ids.control}
      role="radiogroup"
      aria-labelledby={ids.label}
      aria-required={field.required}
      aria-invalid={invalid}
      tabIndex={-1}
      data-control
      {...describedBy(rest.describedBy)}
    >
      {field.choices.map((choice) => (
        <label className="option" key={choice.id}>
          <input
            type="radio"
            name={ids.control}
            checked={raw === choice.id}
            disabled={disabled}
            onChange={() => onChange(choice.id)}
          />
          <span>{choice.title}</span>
        </label>
      ))}
      {/* Without a choice the default would count. */}
      {!field.required && field.default === undefined && textOf(raw) !== '' && (
        <button
          type="button"
          className="link"
          disabled={disabled}
          onClick={(event) => {
            onChange('');
            // The button goes away with the choice, and must not take the keyboard along.
            event.currentTarget.parentElement?.querySelector('input')?.focus();
          }}
        >
          {t('Choose none')}
        </button>
      )}
    </div>
  );
}

function inARow({ choices }: SingleField): boolean {
  const length = choices.reduce((sum, { title }) => sum + title.length, 0);
  return choices.length <= MOST_IN_A_ROW && length <= SHORT_ROW;
}

function Select({
  field,
  ids,
  raw,
  invalid,
  disabled,
  onChange,
  ...rest
}: ControlProps & { field: SingleField }) {
  return (
    <span className="select">
      <select
        id={ids.control}
        data-control
        value={textOf(raw)}
        disabled={disabled}
        aria-labelledby={ids.label}
        aria-required={field.required}
        aria-invalid={invalid}
        {...describedBy(rest.describedBy)}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {/* Nothing is chosen until a person chooses. */}
        <option value="">{field.required ? t('Choose…') : t('(none)')}</option>
        {field.choices.map((choice) => (
          <option key={choice.id} value={choice.id}>
            {choice.title}
          </option>
        ))}
      </select>
      <span className="codicon codicon-chevron-down" aria-hidden="true" />
    </span>
  );
}
