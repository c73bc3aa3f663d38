import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import { defined } from '#src/core/schema/defined.ts';
import { createPostgresStore } from '#src/stores/postgres/index.ts';
import { type Postgres, startPostgres } from '#test/harness/postgres/postgres.ts';
import { storeContract } from '../contract/contract.ts';

let postgres: Postgres;
let schemas = 0;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

storeContract('the PostgreSQL store', async ({ bounds, now }) => {
  const options = {
    url: postgres.url,
    schema: `contract_${schemas++}`,
    keys: [randomBytes(32)],
    now,
    connections: 5,
    ...defined({ bounds }),
  };
  const [first, second] = [createPostgresStore(options), createPostgresStore(options)];
  return {
    first,
    second,
    close: async () => {
      await first.close();
      await second.close();
    },
  };
});
