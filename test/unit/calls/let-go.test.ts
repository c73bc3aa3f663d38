import { all, type Operation, run, sleep, withResolvers } from 'effection';
import { expect, it } from 'vitest';
import * as z from 'zod';
import type { CallSnapshot } from '#src/calls/messages.ts';
import { createMcpTool } from '#src/core/index.ts';
import type { CallStore } from '#src/runtime/journal/call-store.ts';
import { createMemoryStore } from '#src/stores/index.ts';
import { accept, type CallRig, callRig, leg, said } from './call-rig.ts';

/** Works until it is told to go on, and asks meanwhile. */
function working() {
  const go = withResolvers<void>('the work goes on');
  const did: string[] = [];
  const tool = createMcpTool('work')
    .description('Works, and asks')
    .parameters(z.object({}))
    .durable()
    .elicits({ row: z.object({ n: z.number().max(30) }) })
    .execute(function* (_, ctx) {
      const [{ n }] = yield* all([
        ctx.elicit.strict('row', { message: 'Which row?' }),
        ctx.step('work', function* () {
          try {
            did.push('begun');
            yield* go.operation;
          } finally {
            did.push('over');
          }
        }),
      ]);
      return `row ${n}`;
    });
  return { tool, go, did };
}

const keeps = () => ({ beside: { looked: true }, until: Date.now() + 60_000 });
const stop = { id: 'stop', digest: '', stop: 'enough' };

function* until(
  { calls }: CallRig,
  { name }: CallSnapshot,
  is: (snapshot: CallSnapshot) => boolean,
): Operation<CallSnapshot> {
  for (;;) {
    const snapshot = yield* calls.get(name);
    if (snapshot && is(snapshot)) return snapshot;
    yield* sleep(2);
  }
}

/** A store each of whose answers takes a moment. */
function late(store: CallStore): CallStore {
  return new Proxy(store, {
    get(target, name: keyof CallStore) {
      const operation = target[name]?.bind(target) as ((...given: unknown[]) => unknown) | undefined;
      if (!operation || name === 'watch') return operation;
      return function* (...given: unknown[]) {
        yield* sleep(1);
        return yield* operation(...given) as Operation<unknown>;
      };
    },
  });
}

it('a call that is let go works on alone, and does each step once, also where the store takes its time', () =>
  run(function* () {
    const rig = yield* callRig({ store: late(createMemoryStore()) });
    const { tool, go, did } = working();
    const begun = yield* rig.calls.start({ ...rig.beginning(tool), keeps: keeps() }, leg('', {}), 'begun');
    expect(begun).toMatchObject({ beside: { looked: true } });
    expect(begun.round).toBeUndefined();
    const { asks } = yield* until(rig, begun, ({ status }) => status === 'waiting');
    yield* rig.calls.send(begun.name, said('m', { row: accept({ n: 7 }) }, { [String(asks[0]?.id)]: 1 }));
    go.resolve();
    const { end } = yield* until(rig, begun, ({ status }) => status === 'ended');
    expect(end).toMatchObject({ type: 'result', value: 'row 7' });
    expect(did).toEqual(['begun', 'over']);
    expect(rig.manager.listActive()).toEqual([]);
  }));

it('what it asks while it works is read in another process, and answered from there', () =>
  run(function* () {
    const store = createMemoryStore();
    const [one, two] = [yield* callRig({ store }), yield* callRig({ store })];
    const { tool, go } = working();
    const begun = yield* one.calls.start({ ...one.beginning(tool), keeps: keeps() }, leg('', {}), 'begun');
    const [ask] = (yield* until(two, begun, ({ asks }) => asks.length > 0)).asks;
    yield* two.calls.send(begun.name, said('m', { row: accept({ n: 99 }) }, { [String(ask?.id)]: 1 }));
    yield* until(two, begun, ({ asks }) => asks[0]?.attempt === 2);
    yield* two.calls.send(begun.name, said('n', { row: accept({ n: 7 }) }, { [String(ask?.id)]: 2 }));
    yield* until(two, begun, ({ asks }) => asks.length === 0);
    go.resolve();
    expect((yield* until(two, begun, ({ end }) => end !== undefined)).end).toMatchObject({ value: 'row 7' });
  }));

it('a stop from another process ends it at once, and what its holder does then counts no more', () =>
  run(function* () {
    const store = createMemoryStore();
    const [one, two] = [
      // It hears of nothing, as one that stands still.
      yield* callRig({
        store: new Proxy(store, {
          get: (all, name) => (name === 'watch' ? () => () => {} : Reflect.get(all, name).bind(all)),
        }),
      }),
      yield* callRig({ store }),
    ];
    const { tool, did } = working();
    const begun = yield* one.calls.start({ ...one.beginning(tool), keeps: keeps() }, leg('', {}), 'begun');
    const [ask] = (yield* until(one, begun, ({ asks }) => asks.length > 0)).asks;
    expect(yield* two.calls.send(begun.name, stop)).toBe('left');
    const stopped = { status: 'ended', end: { type: 'aborted', reason: 'enough' } };
    expect(yield* two.calls.get(begun.name)).toMatchObject(stopped);
    const late = said('m', { row: accept({ n: 7 }) }, { [String(ask?.id)]: 1 });
    expect(yield* one.calls.send(begun.name, late)).toBe('closed');
    expect(did).toEqual(['begun', 'over']);
    for (const { calls } of [one, two]) expect(yield* calls.get(begun.name)).toMatchObject(stopped);
    expect(yield* two.calls.send(begun.name, stop)).toBe('again');
  }));

it.each([
  ['in memory', () => undefined],
  ['in a store', () => createMemoryStore()],
])('%s it is there for its time: then it is stopped, and nobody finds it', (_, store) =>
  run(function* () {
    const rig = yield* callRig({ store: store() });
    const { tool, did } = working();
    const short = { beside: {}, until: Date.now() + 500 };
    const begun = yield* rig.calls.start({ ...rig.beginning(tool), keeps: short }, leg('', {}), 'begun');
    while (did.length < 2) yield* sleep(5);
    expect(yield* rig.calls.get(begun.name)).toBeUndefined();
    expect(yield* rig.calls.send(begun.name, stop)).toBe('unknown');
    expect(yield* rig.calls.list()).toEqual([]);
  }),
);
