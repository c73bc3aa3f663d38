import { glob } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Runs a statement in each database of calls that a VS Code keeps, by where its settings are. Gives how many rows it changed. */
export async function changeKeptCalls(settingsFile: string, statement: string): Promise<number> {
  return await inKeptCalls(settingsFile, (db) => Number(db.prepare(statement).run().changes));
}

/** How many calls are kept. */
export async function countKeptCalls(settingsFile: string): Promise<number> {
  return await inKeptCalls(settingsFile, (db) => db.prepare('select id from calls').all().length);
}

async function inKeptCalls(settingsFile: string, work: (db: DatabaseSync) => number): Promise<number> {
  const cwd = dirname(settingsFile);
  let sum = 0;
  for await (const file of glob('**/parley.parley-mcp/calls/*/calls.db', { cwd })) {
    const db = new DatabaseSync(join(cwd, file));
    // The editor writes there, too.
    db.exec('pragma busy_timeout = 5000');
    sum += work(db);
    db.close();
  }
  return sum;
}
