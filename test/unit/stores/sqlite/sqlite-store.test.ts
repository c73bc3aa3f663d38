import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defined } from '#src/core/schema/defined.ts';
import { createSqliteStore } from '#src/stores/index.ts';
import { storeContract } from '../contract/contract.ts';

storeContract('the SQLite store', async ({ bounds, now }) => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-calls-'));
  const options = { folder, keys: [randomBytes(32)], now, ...defined({ bounds }) };
  const [first, second] = [createSqliteStore(options), createSqliteStore(options)];
  return {
    first,
    second,
    close: async () => {
      for (const store of [first, second]) await store.close();
      await rm(folder, { recursive: true });
    },
  };
});
