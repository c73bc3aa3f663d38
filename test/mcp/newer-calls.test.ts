import { join } from 'node:path';
import { run } from 'effection';
import type { CallStore, StoredCall } from 'parley-mcp/stores';
import { createMemoryStore } from 'parley-mcp/stores';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tempFolder } from '#test/temp-folder.ts';
import { later, plan } from './kit/durable-tools.ts';
import { type InProcess, startServer } from './kit/in-process.ts';
import { beside, plainly, ship } from './kit/task-tools.ts';
import { taskClient } from './kit/tasks.ts';
import { accept, ask, openSession, type Session2025 } from './kit/wire.ts';

const running: InProcess[] = [];
let store: CallStore;

beforeEach(() => {
  store = createMemoryStore();
});
afterEach(async () => {
  for (const one of running.splice(0)) await one.close();
});

async function start(state: CallStore): Promise<InProcess> {
  const server = await startServer({ tools: [plan, later, ship, beside, plainly], state });
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

/** The store as a Parley has it that reads only journals of version 1, and what it did to calls there. */
function older(did: string[]): CallStore {
  const seen = (header: unknown) => {
    const { v } = Object(header);
    return { ...Object(header), v: v > 1 ? 99 : v };
  };
  return changedStore({
    *read(name) {
      const kept = yield* store.read(name);
      return kept && { ...kept, header: seen(kept.header) };
    },
    *claim(name) {
      did.push(`claim ${name.conversation}`);
      const outcome = yield* store.claim(name);
      if (outcome.type !== 'claimed') return outcome;
      return { ...outcome, call: { ...outcome.call, header: seen(outcome.call.header) } };
    },
    *append(claim, what) {
      did.push('append');
      yield* store.append(claim, what);
    },
  });
}

it('a call that a newer version keeps is left alone for it, and its client is told', async () => {
  const [before, after] = [await start(store), await start(newer())];
  const call = { name: 'plan', arguments: { to: 'LIS' } };
  const { requestState } = (await ask(after.url, 'tools/call', call)).result;
  const answers = { ...call, requestState, inputResponses: { day: accept({ day: 'monday' }) } };
  for (const _ of [1, 2]) {
    expect((await ask(before.url, 'tools/call', answers)).error).toMatchObject({
      code: -32000,
      message: expect.stringContaining('started by a newer version of this server'),
    });
  }
  expect((await ask(after.url, 'tools/call', answers)).result.inputRequests).toHaveProperty('seat');
});

it('such a call whose time has come is not taken up here', { timeout: 60_000, tags: 'long' }, async () => {
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
  // Not while its first request is served, however long that takes here.
  const call = { name: 'later', arguments: { log: '', milliseconds: 5_000 } };
  expect((await ask(after.url, 'tools/call', call)).result.resultType).toBe('input_required');
  await after.close();
  running.splice(running.indexOf(after), 1);
  await expect.poll(() => seen.length, { timeout: 30_000 }).toBeGreaterThan(1);
  expect(seen).not.toContain('claim');
  expect(before.problems).toEqual([]);
  expect(await run(() => store.due())).toMatchObject([{ why: 'timer' }]);
});

describe('a task', () => {
  let folder: string;
  let log: string;

  beforeEach(async () => {
    folder = tempFolder();
    log = join(folder, 'log');
  });

  const refusal = { code: -32000, message: expect.stringContaining('started by a newer version') };
  const where = (row: number) => ({ where: accept({ row }) });
  const answerIn = (session: Session2025, id: number, method: string, params: object) =>
    session
      .request(id, method, params)
      .then((reply) => reply.until((message) => message.id === id && message.method === undefined));

  it('that a newer version keeps is seen, and left alone for it; a word to cancel it waits there', async () => {
    const did: string[] = [];
    const [old, current] = [await start(older(did)), await start(store)];
    const [before, after] = [taskClient(old.url), taskClient(current.url)];
    const [kept, dropped] = [await after.begin('ship', { log }), await after.begin('ship', { log })];
    for (const id of [kept, dropped]) {
      await after.until(id, 'input_required');
      expect((await before.get(id)).result).toMatchObject({ status: 'input_required' });
    }
    expect((await before.update(kept, where(7))).error).toMatchObject(refusal);
    const fetched = answerIn(await openSession(old.url), 1, 'tasks/result', { taskId: kept });
    expect((await fetched).error).toMatchObject(refusal);
    expect((await before.cancel(dropped)).result).toMatchObject({ resultType: 'complete' });
    expect(did).toEqual([]);
    expect((await after.get(dropped)).result).toMatchObject({ status: 'cancelled' });
    await after.update(kept, where(7));
    expect((await after.until(kept, 'completed')).result).toMatchObject({
      content: [{ text: 'shipped to 7' }],
    });
    expect(old.problems).toEqual([]);
  });

  it('whose questions stand side by side is marked as new, and no other call is', async () => {
    const { url } = await start(store);
    const session = await openSession(url);
    await answerIn(session, 1, 'tools/call', { name: 'ship', arguments: { log }, task: {} });
    await taskClient(url).begin('ship', { log });
    await ask(url, 'tools/call', { name: 'plan', arguments: { to: 'LIS' } });
    const calls = await run(() => store.list());
    const marked = calls.flatMap(({ header }) => {
      const { tool, v } = Object(header);
      return tool ? [`${tool} ${v}`] : [];
    });
    expect(marked.sort()).toEqual(['plan 1', 'ship 1', 'ship 2']);
  });
});
