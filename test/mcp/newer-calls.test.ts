import { run } from 'effection';
import type { CallStore, StoredCall } from 'parley-mcp/stores';
import { createMemoryStore } from 'parley-mcp/stores';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { later, plan } from './kit/durable-tools.ts';
import { type InProcess, startServer } from './kit/in-process.ts';
import { ask, openSession, sessionAt } from './kit/wire.ts';

const running: InProcess[] = [];
let store: CallStore;

beforeEach(() => {
  store = createMemoryStore();
});
afterEach(async () => {
  for (const one of running.splice(0)) await one.close();
});

async function start(state: CallStore): Promise<InProcess> {
  const server = await startServer({ tools: [plan, later], state });
  running.push(server);
  return server;
}

/** The same store with some of its operations changed. */
function changedStore(changed: Partial<CallStore>): CallStore {
  return new Proxy(store, {
    get(target, name: keyof CallStore) {
      const own = changed[name];
      return own ?? target[name]?.bind(target);
    },
  });
}

/** The store as a Parley has it whose journals have another version. */
function newer(): CallStore {
  const marked = (header: unknown, v: number) => ({ ...Object(header), v });
  const own = (kept: StoredCall): StoredCall => ({ ...kept, header: marked(kept.header, 1) });
  return changedStore({
    *begin(call) {
      return yield* store.begin({ ...call, header: marked(call.header, 99) });
    },
    *read(name) {
      const kept = yield* store.read(name);
      return kept && own(kept);
    },
    *claim(name) {
      const outcome = yield* store.claim(name);
      return outcome.type === 'claimed' ? { ...outcome, call: own(outcome.call) } : outcome;
    },
  });
}

const accept = (content: object) => ({ action: 'accept', content });

it('a call that a newer version keeps is left alone for it, and its client is told', async () => {
  const [before, after] = [await start(store), await start(newer())];
  const call = { name: 'plan', arguments: { to: 'LIS' } };
  const { requestState } = (await ask(after.url, 'tools/call', call)).result;
  const answers = { ...call, requestState, inputResponses: { day: accept({ day: 'monday' }) } };
  for (const _ of [1, 2]) {
    expect((await ask(before.url, 'tools/call', answers)).error).toMatchObject({
      code: -32000,
      message: expect.stringContaining('begun by a newer version of this server'),
    });
  }
  expect((await ask(after.url, 'tools/call', answers)).result.inputRequests).toHaveProperty('seat');
});

it('such a call whose time has come is not taken up here', { timeout: 60_000 }, async () => {
  const seen: string[] = [];
  const before = await start(
    changedStore({
      *due() {
        seen.push('due');
        return yield* store.due();
      },
      *claim(name) {
        seen.push('claim');
        return yield* store.claim(name);
      },
    }),
  );
  await ask(before.url, 'tools/list');
  const after = await start(newer());
  await ask(after.url, 'tools/call', { name: 'later', arguments: { log: '', milliseconds: 10 } });
  await after.close();
  running.splice(running.indexOf(after), 1);
  await expect.poll(() => seen.length, { timeout: 30_000 }).toBeGreaterThan(1);
  expect(seen).not.toContain('claim');
  expect(before.problems).toEqual([]);
  expect(await run(() => store.due())).toMatchObject([{ why: 'timer' }]);
});

it('a session of 2025-11-25 with such a call is left alone, too', async () => {
  const after = await start(newer());
  const session = await openSession(after.url);
  const reply = await session.request(7, 'tools/call', { name: 'plan', arguments: { to: 'LIS' } });
  const { id: read = '' } = (await reply.next()) ?? {};
  await reply.until((message) => message.method === 'elicitation/create');
  await after.close();
  running.splice(running.indexOf(after), 1);
  const before = sessionAt((await start(store)).url, session);
  const refused = await before.get(read);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  const again = sessionAt((await start(newer())).url, session);
  expect((await again.get(read)).status).toBe(200);
});
