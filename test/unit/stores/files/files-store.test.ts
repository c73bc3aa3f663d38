import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defined } from '#src/core/schema/defined.ts';
import { createFilesStore } from '#src/stores/index.ts';
import { storeContract } from '../contract/contract.ts';

storeContract('the files store', async ({ bounds, now }) => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-calls-'));
  const options = { folder, keys: [randomBytes(32)], now, ...defined({ bounds }) };
  return {
    first: createFilesStore(options),
    second: createFilesStore(options),
    close: () => rm(folder, { recursive: true }),
  };
});
