import { t } from '../../../parts/l10n.ts';
import { OWN, ownWords, type SomeField } from '../../field/field.ts';
import { type ControlProps, shownText } from '../control.ts';
import type { Choice } from './choice.ts';
import { Filtered, MANY } from './filtered.tsx';
import { Options } from './options.tsx';
import { fitInARow, hasHelp } from './short-row.ts';

/** One of some choices. */
export interface SingleField extends SomeField {
  readonly kind: 'single';
  readonly choices: readonly Choice[];
  /** Words of one's own answer it, too: its control holds them behind {@link OWN}. */
  readonly other?: boolean | undefined;
}

/** So many choices are shown at once; more of them fold into a select, and many into a box with a filter. */
const MOST_RADIOS = 6;

/** One of some choices, or words of one's own where those answer it, too. */
export function SingleControl(props: ControlProps<SingleField>) {
  const { field, head, state, raw, onChange } = props;
  if (!field.other) return <Choices {...props} />;
  return (
    <>
      <Choices {...props} />
      <input
        className="input option-other"
        type="text"
        dir="auto"
        placeholder={t('Other…')}
        aria-label={t('Other answer')}
        aria-describedby={head['aria-labelledby']}
        disabled={state.disabled}
        value={ownWords(raw) ?? ''}
        onChange={({ currentTarget: { value } }) => onChange(value === '' ? '' : OWN + value)}
      />
    </>
  );
}

function Choices(props: ControlProps<SingleField>) {
  const { field, head, state, raw } = props;
  const { length } = field.choices;
  if (length >= MANY) {
    return (
      <Filtered
        choices={field.choices}
        head={head}
        disabled={state.disabled}
        chosen={field.choices.flatMap(({ id }) => (id === raw ? [id] : []))}
      >
        {(choices) => <Radios {...props} choices={choices} className="options options-many" />}
      </Filtered>
    );
  }
  if (length > MOST_RADIOS && !field.choices.some(hasHelp)) return <Select {...props} />;
  const row = fitInARow(field.choices) ? 'options-row' : '';
  return <Radios {...props} choices={field.choices} className={`options ${row}`} />;
}

function Radios({
  field,
  head,
  state,
  raw,
  onChange,
  choices,
  className,
}: ControlProps<SingleField> & { choices: readonly Choice[]; className: string }) {
  const { disabled, ...said } = state;
  return (
    <div className={className} role="radiogroup" tabIndex={-1} {...head} {...said}>
      <Options
        type="radio"
        choices={choices}
        head={head}
        disabled={disabled}
        isChosen={(id) => id === raw}
        onPick={onChange}
      />
      {/* Without a choice the default would count. */}
      {!field.required &&
        field.default === undefined &&
        shownText(raw) !== '' &&
        ownWords(raw) === undefined && (
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

function Select({ field, head, state, raw, onChange }: ControlProps<SingleField>) {
  return (
    <span className="select">
      <select
        {...head}
        {...state}
        value={ownWords(raw) === undefined ? shownText(raw) : ''}
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
