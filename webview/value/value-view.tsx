import { useState } from 'react';
import type { JsonValue } from '../../src/core/messages/json.ts';
import { readableName } from '../../src/core/messages/readable-name.ts';
import { readOn } from '../parts/focus.ts';
import { t } from '../parts/l10n.ts';
import { Text } from '../parts/text.tsx';
import { JsonTree } from './json-tree.tsx';
import { LongText } from './long-text.tsx';
import { isScalar, type Scalar, shapeOf } from './value-shape.ts';

/** A value in the shape that reads best. */
export function ValueView({ value, name }: { value: JsonValue; name?: string }) {
  const shape = shapeOf(value);
  switch (shape.kind) {
    case 'nothing':
      return <p className="muted">{t('The tool finished without a result.')}</p>;
    case 'text':
      return (
        <div className="value-text">
          <LongText>{shape.text}</LongText>
        </div>
      );
    case 'record':
      return <RecordTable members={shape.members} />;
    case 'rows':
      return <RowsTable columns={shape.columns} rows={shape.rows} label={name ?? t('Result as a table')} />;
    case 'tree':
      return <JsonTree value={value} />;
  }
}

function RecordTable({ members }: { members: readonly (readonly [string, JsonValue])[] }) {
  return (
    <table className="record">
      <tbody>
        {members.map(([name, value]) => (
          <tr key={name}>
            <th scope="row" title={name}>
              {readableName(name)}
            </th>
            <td>
              <Member value={value} name={readableName(name)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Member({ value, name }: { value: JsonValue; name: string }) {
  if (isScalar(value)) return <Cell value={value} />;
  const isList = Array.isArray(value) && value.every(isScalar);
  return isList ? <Cell value={value.join('\n')} /> : <ValueView value={value} name={name} />;
}

function RowsTable({
  columns,
  rows,
  label,
}: {
  columns: readonly string[];
  rows: readonly Readonly<Record<string, Scalar>>[];
  label: string;
}) {
  const [limit, setLimit] = useState(PAGE);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="table-scroll" aria-label={label} tabIndex={0}>
      <table className="rows">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" title={column}>
                {readableName(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, limit).map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a result never move
            <tr key={at}>
              {columns.map((column) => (
                <td key={column}>
                  <Cell value={row[column]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > limit && (
        <button
          type="button"
          className="link"
          onClick={({ currentTarget }) => {
            if (rows.length <= limit + PAGE)
              readOn(currentTarget.parentElement?.querySelector('tbody > :last-child'));
            setLimit(limit + PAGE);
          }}
        >
          {t('{0} more', rows.length - limit)}
        </button>
      )}
    </section>
  );
}

/** Rows of a table that are drawn at once. */
const PAGE = 200;

function Cell({ value }: { value: Scalar | undefined }) {
  if (value === null || value === undefined || value === '') return <span className="muted">—</span>;
  if (typeof value === 'boolean') return <>{value ? t('Yes') : t('No')}</>;
  return typeof value === 'number' ? <span className="number">{value}</span> : <Text>{value}</Text>;
}
