import { createScope, ensure, run, sleep, suspend } from 'effection';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { createMcpTool } from '#src/core/index.ts';
import { Catalog } from '#src/mcp/catalog/catalog.ts';
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

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'Date'] });
  [began, rested, problems, closing, zero] = [[], [], [], [], Date.now()];
  store = createMemoryStore();
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
    host.resolve({ manager, catalog: new Catalog({ tools: [work] }), tasks: undefined, report });
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
    capabilities: {},
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

test('one that is not its own any more is halted', async () => {
  await server();
  await due('long', 50);
  await inSeconds(6);
  await run(() => store.forget({ principal: 'ann', conversation: '', callId: 'long' }));
  await inSeconds(10);
  expect(rested).toEqual(['long']);
});
