import { run } from 'effection';
import { expect, it } from 'vitest';
import { loginsInStore } from '#src/cli/gateway/kept-logins.ts';
import { createMemoryStore } from '#src/stores/memory-store.ts';

it('of replicas that would refresh one login at one moment, one has the turn; what it leaves in the store is taken away', async () => {
  const store = createMemoryStore();
  const [one, other] = [loginsInStore(store), loginsInStore(store)];
  await run(function* () {
    const over = yield* one.turn('alice', 'token');
    expect(yield* other.turn('alice', 'token')).toBeUndefined();
    expect(yield* other.turn('bob', 'token')).toBeDefined();
    if (over) yield* over();
    expect(yield* other.turn('alice', 'token')).toBeDefined();
    expect(yield* store.list({ principal: 'alice' })).toHaveLength(1);
  });
});
