import { useDraft, usePrimaryAction, type ViewProps } from 'parley-mcp/webview';
import type { FormEvent } from 'react';
import type { TableSize } from './connection.ts';
import type { Migration } from './database.ts';
import './migrate.css';

/** What the plan shows; it responds with the script. */
export type MigrationPlanProps = ViewProps<
  {
    readonly migrations: readonly Migration[];
    readonly tables: readonly TableSize[];
    readonly script: string;
  },
  string
>;

/** Each statement with what it locks or loses, and the script to edit. */
export function MigrationPlan({ migrations, tables, script, onRespond }: MigrationPlanProps) {
  const [text, setText] = useDraft('script', script);
  const [edits, setEdits] = useDraft('edits', false);
  const rows = new Map(tables.map((table) => [table.table, table.rows]));
  const answer = () => {
    if (text.trim() !== '') onRespond(text);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    answer();
  };
  const apply = usePrimaryAction(text === script ? 'Apply' : 'Try and Apply', answer, {
    disabled: text.trim() === '',
    other: { label: edits ? 'Show Plan' : 'Edit SQL', onPress: () => setEdits(!edits) },
  });

  return (
    <form className="p-stack" onSubmit={submit}>
      {edits ? (
        <textarea
          className="migrate-script"
          aria-label="SQL"
          rows={Math.min(30, text.split('\n').length + 2)}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      ) : (
        migrations.map(({ name, statements }) => (
          <section key={name} className="p-card" aria-label={name}>
            <strong>{name}</strong>
            <ol className="migrate-statements">
              {statements.map(({ sql, table, risk, locks }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: statements have no other name, and stay
                <li key={at}>
                  <pre>{sql}</pre>
                  {(risk ?? locks) !== undefined && (
                    <p className="migrate-risk">
                      {risk} {locks}
                      {(rows.get(table ?? '') ?? 0) > 0 && ` It has ${rows.get(table ?? '')} rows.`}
                    </p>
                  )}
                </li>
              ))}
            </ol>
          </section>
        ))
      )}
      {apply}
    </form>
  );
}

/** What the last question shows; it responds with what to do. */
export type TableSizesProps = ViewProps<
  { readonly before: readonly TableSize[]; readonly after: readonly TableSize[] },
  'keep' | 'restore'
>;

/** How many rows each table had and has. */
export function TableSizes({ before, after, onRespond }: TableSizesProps) {
  const had = new Map(before.map(({ table, rows }) => [table, rows]));
  const has = new Map(after.map(({ table, rows }) => [table, rows]));
  const names = [...new Set([...had.keys(), ...has.keys()])].sort();
  const keep = usePrimaryAction('Keep the Changes', () => onRespond('keep'), {
    other: { label: 'Restore the Backup', onPress: () => onRespond('restore') },
  });
  return (
    <div className="p-stack">
      <table className="migrate-tables">
        <thead>
          <tr>
            <th>Table</th>
            <th>Rows before</th>
            <th>Rows now</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name} className={had.get(name) === has.get(name) ? '' : 'migrate-changed'}>
              <td>{name}</td>
              <td>{had.get(name) ?? '–'}</td>
              <td>{has.get(name) ?? '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {keep}
    </div>
  );
}
