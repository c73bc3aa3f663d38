import type { DatabaseSync } from 'node:sqlite';

/**
 * Opens a file with Node's own SQLite, which is loaded with the first. Node 22 says once on stderr that it is experimental; a client of a
 * server on stdio shows that as an error.
 */
export function openSqlite(file: string): DatabaseSync {
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...more: unknown[]) => {
    if (!String(warning).startsWith('SQLite is an experimental feature'))
      Reflect.apply(emitWarning, process, [warning, ...more]);
  };
  try {
    const { DatabaseSync: Database } = process.getBuiltinModule('node:sqlite');
    return new Database(file);
  } finally {
    process.emitWarning = emitWarning;
  }
}
