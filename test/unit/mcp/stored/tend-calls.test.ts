import { createScope, ensure, run, sleep, spawn, suspend } from 'effection';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { createCalls } from '#src/calls/calls.ts';
import { type AnyTool, createMcpTool } from '#src/core/index.ts';
import { Catalog } from '#src/mcp/catalog/catalog.ts';
import { giveResponse } from '#src/mcp/era-2026/input-requests.ts';
import { type TendingParts, tendCalls } from '#src/mcp/stored/tend-calls.ts';
import type { CallStore } from '#src/runtime/journal/call-store.ts';
// Loaded with the first call that is taken up, which takes real time.
import '#src/runtime/journal/take-up.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import { createMemoryStore } from '#src/stores/index.ts';

const SECOND = 1_000;

/** What began, in order: when, as seconds of this test, of whom, and the attempt. */
let began: [at: number, who: string, attempt: number][];
/** Whose step is over, or halted. */
let rested: string[];
/** What a server said beside its answers. */
let problems: string[];
let store: CallStore;
/** The tools that servers have. */
let served: readonly AnyTool[];
let closing: (() => Promise<void>)[];
let zero: number;

const work = createMcpTool('work')
  .description('One step that takes a while')
  .parameters(z.object({ who: z.string(), seconds: z.number() }))
  .durable()
  .elicits({})
  .execute(function* ({ who, seconds }, ctx) {
    yield* ctx.step('works', function* ({ attempt }) {
      began.push([Math.floor((Date.now() - zero) / SECOND), who, attempt]);
      yield* ensure(() => void rested.push(who));
      yield* sleep(seconds * SECOND);
    });
    return 'done';
  });

/** A question that nobody is there for, beside what takes its time. */
const asking = createMcpTool('asking')
  .description('Asks, and does something meanwhile')
  .parameters(z.object({ who: z.string(), seconds: z.number() }))
  .durable()
  .elicits({ name: z.object({ name: z.string() }) })
  .execute(function* ({ who, seconds }, ctx) {
    yield* spawn(function* () {
      if (who === 'sleeps') yield* ctx.sleep(60 * SECOND);
      yield* ctx.step('works', function* ({ attempt }) {
        began.push([Math.floor((Date.now() - zero) / SECOND), who, attempt]);
        yield* sleep(seconds * SECOND);
        rested.push(who);
      });
    });
    yield* ctx.elicit('name', { message: 'Who?' });
  });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'Date'] });
  [began, rested, problems, closing, zero] = [[], [], [], [], Date.now()];
  store = createMemoryStore();
  served = [work, asking];
});
afterEach(async () => {
  vi.useRealTimers();
  for (const close of closing) await close();
});

/** A server on the store, as far as it tends calls. */
async function server(): Promise<void> {
  const [scope, destroy] = createScope();
  closing.push(destroy);
  const host = Promise.withResolvers<TendingParts>();
  scope.run(function* () {
    const manager = yield* createSessionManager();
    const report = (message: string, cause: unknown) => problems.push(`${message}: ${cause}`);
    const calls = createCalls({
      ...{ manager, store, report, ttl: 60 * SECOND, give: giveResponse },
      newRound: ({ callId }) => callId,
      run: (op) => scope.run(op),
    });
    host.resolve({
      ...{ manager, calls, tasks: undefined, report },
      get catalog() {
        return new Catalog({ tools: served });
      },
    });
    yield* suspend();
  });
  const parts = await host.promise;
  scope.run(() => tendCalls(parts, store)).catch(() => {});
}

/** A call whose time has come. */
async function due(callId: string, seconds: number, { principal = 'ann', tool = 'work' } = {}) {
  const name = { principal, conversation: '', callId };
  const header = {
    v: 1,
    parley: 'test',
    tool,
    params: { who: callId, seconds },
    ...name,
    capabilities: tool === 'asking' ? { elicitation: { form: true } } : {},
    began: Date.now(),
  };
  await run(function* () {
    const claim = yield* store.begin({ name, header, due: Date.now() });
    yield* store.release(claim);
  });
}

const inSeconds = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * SECOND);
/** The kind of the last line of a call. */
async function lastLine(callId: string): Promise<unknown> {
  const kept = await run(() => store.read({ principal: 'ann', conversation: '', callId }));
  return Object(kept?.lines.at(-1)).t;
}

test('a call that goes on by itself stays with its server, however long its step takes', async () => {
  await server();
  await server();
  await due('long', 50);
  await inSeconds(60);
  expect(began).toEqual([[5, 'long', 1]]);
  expect(await lastLine('long')).toBe('end');
  expect(problems).toEqual([]);
});

test('calls are looked for every five seconds, also where the time of the machine is set during a look', async () => {
  const { due: look } = store;
  let set = 24 * 3_600_000;
  store.due = function* (most) {
    const found = yield* look.call(store, most);
    vi.setSystemTime(Date.now() + set);
    set = 0;
    return found;
  };
  await server();
  await inSeconds(6);
  zero = Date.now();
  await due('short', 1);
  await inSeconds(6);
  expect(began.map(([, who]) => who)).toEqual(['short']);
  expect(problems).toEqual([]);
});

test('one that is not its own any more is halted', async () => {
  await server();
  await due('long', 50);
  await inSeconds(6);
  await run(() => store.forget({ principal: 'ann', conversation: '', callId: 'long' }));
  await inSeconds(10);
  expect(rested).toEqual(['long']);
});

test('many that are due begin at once', async () => {
  await server();
  for (const callId of ['a', 'b', 'c', 'd']) await due(callId, 4);
  await inSeconds(6);
  expect(began).toEqual(['a', 'b', 'c', 'd'].map((who) => [5, who, 1]));
});

test('one begins behind any number that cannot be gone on with here', async () => {
  await server();
  for (let at = 0; at < 150; at += 1) await due(`old-${at}`, 1, { tool: 'gone' });
  await due('served', 1);
  await inSeconds(6);
  expect(began).toEqual([[5, 'served', 1]]);
});

test('what cannot be gone on with is looked at once, and goes on when its tool is served', async () => {
  const reads: string[] = [];
  const kept = store;
  store = new Proxy(kept, {
    get: (target, operation: keyof CallStore) => {
      if (operation === 'read') reads.push(operation);
      return target[operation]?.bind(target);
    },
  });
  served = [];
  await server();
  await due('a', 1);
  await inSeconds(30);
  expect(reads).toHaveLength(1);
  served = [work];
  await inSeconds(6);
  expect(began).toEqual([[35, 'a', 1]]);
});

test('one principal holds up nobody else, however many of its calls are due and however long they take', async () => {
  await server();
  for (let at = 0; at < 200; at += 1) await due(`long-${at}`, 3_600);
  await due('short', 1, { principal: 'bob' });
  await inSeconds(6);
  expect(began).toContainEqual([5, 'short', 1]);
  expect(began).toHaveLength(9);
});

test('nor do many principals together, for longer than until the next look', async () => {
  await server();
  for (let at = 0; at < 40; at += 1) await due(`long-${at}`, 3_600, { principal: `number ${at}` });
  await due('short', 1, { principal: 'zoe' });
  await inSeconds(11);
  expect(began).toContainEqual([10, 'short', 1]);
});

test('calls of one principal that are left go on as soon as others of it are done', async () => {
  await server();
  for (let at = 0; at < 30; at += 1) await due(`short-${at}`, 1);
  await inSeconds(10);
  expect(began.map(([at]) => at)).toEqual([5, 6, 7, 8].flatMap((at) => Array(at < 8 ? 8 : 6).fill(at)));
});

test('one that waits for its client is not put away while a step of it runs', async () => {
  await server();
  await due('works', 30, { tool: 'asking' });
  await inSeconds(90);
  expect(began).toEqual([[5, 'works', 1]]);
  expect(rested).toEqual(['works']);
  expect(await lastLine('works')).toBe('stepped');
});

test('one that waits for its client, and sleeps beside that, goes on when the sleep is over', async () => {
  await server();
  await due('sleeps', 1, { tool: 'asking' });
  await inSeconds(10);
  expect(await lastLine('sleeps')).toMatch(/^(open|timer)$/);
  expect(began).toEqual([]);
  await inSeconds(65);
  expect(began).toEqual([[expect.any(Number), 'sleeps', 1]]);
  expect(await lastLine('sleeps')).toBe('stepped');
});

test('a store that cannot be looked through is reported, and looked through again', async () => {
  const kept = store;
  let failing = true;
  store = new Proxy(kept, {
    get: (target, operation: keyof CallStore) => {
      if (operation === 'due' && failing) throw new Error('no store');
      return target[operation]?.bind(target);
    },
  });
  await server();
  await due('late', 1);
  await inSeconds(6);
  expect(problems).toEqual(['calls that are due could not be looked for: Error: no store']);
  failing = false;
  await inSeconds(5);
  expect(began).toEqual([[10, 'late', 1]]);
});
