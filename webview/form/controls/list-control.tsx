import { t } from '../../parts/l10n.ts';
import { below, type ListField, rowsOf } from '../field/field.ts';
import { blankOf } from '../field/raw-of.ts';
import type { NestedProps } from './control.ts';
import { Rows } from './rows.tsx';

/** Any number of things of one kind, a row for each. */
export function ListControl({ field, head, state, path, raw, draw, onChange }: NestedProps<ListField>) {
  const rows = rowsOf(raw);
  return (
    <Rows
      head={head}
      title={field.title}
      rows={rows}
      blank={blankOf(field.item)}
      most={field.maxItems}
      disabled={state.disabled}
      draw={(row, at) =>
        draw({
          field: { ...field.item, name: String(at), title: t('{0} {1}', field.title, at + 1) },
          path: below(path, at),
          raw: row,
          bare: true,
          onChange: (next) => onChange(rows.with(at, next ?? '')),
        })
      }
      onChange={onChange}
      {...(field.item.kind === 'string' && { split: linesOf })}
    />
  );
}

function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
