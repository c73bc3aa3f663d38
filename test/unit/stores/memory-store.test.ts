import { defined } from '#src/core/schema/defined.ts';
import { createMemoryStore } from '#src/stores/index.ts';
import { storeContract } from './contract/contract.ts';

storeContract('the memory store', async ({ bounds, now }) => {
  const store = createMemoryStore({ now, ...defined({ bounds }) });
  return { first: store, second: store, close: async () => {} };
});
