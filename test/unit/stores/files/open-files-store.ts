import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defined } from '#src/core/schema/defined.ts';
import { createFilesStore } from '#src/stores/index.ts';
import type { OpenStore, StoreUnderTest } from '../contract/contract.ts';

/** Opens stores on a folder of their own, for the contract. */
export function openFilesStore(inHurry?: () => boolean) {
  return async ({ bounds, now }: OpenStore): Promise<StoreUnderTest> => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-calls-'));
    const options = { folder, keys: [randomBytes(32)], now, ...defined({ bounds, inHurry }) };
    return {
      first: createFilesStore(options),
      second: createFilesStore(options),
      close: () => rm(folder, { recursive: true }),
    };
  };
}
