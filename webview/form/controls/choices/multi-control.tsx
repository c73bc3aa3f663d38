import type { MultiSelectProperty } from '../../../../src/core/form/kinds/choices.ts';
import { t } from '../../../parts/l10n.ts';
import { type Keywords, rowsOf, type SomeField } from '../../field/field.ts';
import type { ControlProps } from '../control.ts';
import type { Choice } from './choice.ts';
import { Filtered, MANY } from './filtered.tsx';
import { Options } from './options.tsx';
import { RankButtons } from './rank-buttons.tsx';
import { fitInARow } from './short-row.ts';

/** Any number of choices. */
export interface MultiField
  extends SomeField,
    Keywords<MultiSelectProperty, 'minItems' | 'maxItems' | 'ordered'> {
  readonly kind: 'multi';
  readonly choices: readonly Choice[];
}

/** Any number of choices, each with a tick; in order of preference where the field asks for one. */
export function MultiControl(props: ControlProps<MultiField>) {
  const { field, head, state, raw, onChange } = props;
  const ids = rowsOf(raw).filter((id) => typeof id === 'string');
  if (field.choices.length < MANY) {
    const row = !field.ordered && fitInARow(field.choices) ? 'options-row' : '';
    return <Ticks {...props} ids={ids} choices={field.choices} className={`options ${row}`} />;
  }
  return (
    <Filtered
      choices={field.choices}
      head={head}
      disabled={state.disabled}
      chosen={ids}
      onAll={(matching) => onChange(inOrder(field, [...ids, ...matching.map(({ id }) => id)]))}
    >
      {(choices) => <Ticks {...props} ids={ids} choices={choices} className="options options-many" />}
    </Filtered>
  );
}

function Ticks({
  field,
  head,
  state,
  onChange,
  ids,
  choices,
  className,
}: ControlProps<MultiField> & {
  ids: readonly string[];
  choices: readonly Choice[];
  className: string;
}) {
  const toggle = (id: string): void =>
    onChange(inOrder(field, ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be scrolled or laid out as a grid everywhere
    <div className={className} role="group" tabIndex={-1} data-invalid={state['aria-invalid']} {...head}>
      {field.ordered && (
        <p className="field-help">{t('The first one you select has the highest priority.')}</p>
      )}
      <Options
        type="checkbox"
        choices={choices}
        head={head}
        disabled={state.disabled}
        isChosen={(id) => ids.includes(id)}
        onPick={toggle}
        {...(field.ordered && {
          beside: (id) => (
            <RankButtons
              title={choices.find((choice) => choice.id === id)?.title ?? id}
              id={id}
              ids={ids}
              disabled={state.disabled}
              onChange={onChange}
            />
          ),
        })}
      />
    </div>
  );
}

/** Each choice once: as preferred, or as the field lists them. */
function inOrder({ choices, ordered }: MultiField, ids: readonly string[]): readonly string[] {
  const once = [...new Set(ids)];
  return ordered ? once : choices.map(({ id }) => id).filter((id) => once.includes(id));
}
