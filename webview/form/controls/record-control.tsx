import { t } from '../../parts/l10n.ts';
import { below, membersOf, type RecordField, rowsOf } from '../field/field.ts';
import { blankOf } from '../field/raw-of.ts';
import { type NestedProps, shownText } from './control.ts';
import { Rows } from './rows.tsx';

/** An object whose members the person names: pairs of a name and a value. */
export function RecordControl({ field, head, state, path, raw, draw, onChange }: NestedProps<RecordField>) {
  const pairs = rowsOf(raw);
  return (
    <Rows
      head={head}
      title={field.title}
      rows={pairs}
      blank={{ key: '', value: blankOf(field.value) }}
      disabled={state.disabled}
      draw={(row, at) => {
        const pair = membersOf(row) ?? {};
        return (
          <>
            <input
              className="input list-key"
              data-control
              dir="auto"
              disabled={state.disabled}
              placeholder={t('Name')}
              aria-label={t('{0} {1}: name', field.title, at + 1)}
              value={shownText(pair.key)}
              onChange={(event) => onChange(pairs.with(at, { ...pair, key: event.currentTarget.value }))}
            />
            {draw({
              field: { ...field.value, name: String(at), title: t('{0} {1}: value', field.title, at + 1) },
              path: below(path, at),
              raw: pair.value,
              bare: true,
              onChange: (next) => onChange(pairs.with(at, { ...pair, value: next ?? '' })),
            })}
          </>
        );
      }}
      onChange={onChange}
    />
  );
}
