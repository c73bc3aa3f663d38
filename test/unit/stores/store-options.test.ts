import { expect, it } from 'vitest';
import { createMemoryStore, createSqliteStore } from '#src/stores/index.ts';
import { createPostgresStore } from '#src/stores/postgres/index.ts';

const keys = [new Uint8Array(32)];

it.each<[string, () => unknown, string]>([
  [
    'a store on a disk',
    () => createSqliteStore({ folder: 'calls', keys, bound: {} } as never),
    "createSqliteStore knows no option 'bound': it knows folder, keys, bounds",
  ],
  [
    'a store in memory',
    () => createMemoryStore({ bounds: { maxCalls: 3 } } as never),
    "bounds: a store knows no option 'maxCalls': it knows calls,",
  ],
  [
    'a store in a database',
    () => createPostgresStore({ keys, connectionString: 'postgres://x' } as never),
    "createPostgresStore knows no option 'connectionString': it knows url,",
  ],
])('%s refuses an option that it does not know', (_, make, words) => {
  expect(make).toThrow(words);
});
