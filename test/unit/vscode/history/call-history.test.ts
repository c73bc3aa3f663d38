import { type Operation, run, spawn, withResolvers } from 'effection';
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '#src/runtime/session/events.ts';
import { createMemoryStore } from '#src/stores/index.ts';
import { createCallHistory } from '#src/vscode/calls/history/call-history.ts';
import type { CallRecord, KeptCall } from '#src/vscode/calls/history/kept-call.ts';
import { createKeptCalls, KEPT_FOR } from '#src/vscode/calls/history/kept-calls.ts';

function callAt(startedAt: number, asker?: KeptCall['asker']): KeptCall & { record: CallRecord } {
  const callId = `call-${startedAt}`;
  const events: SessionEvent[] = [
    { at: 1, time: startedAt, type: 'log', level: 'info', message: 'hello', depth: 0 },
    { at: 2, time: startedAt + 5, type: 'result', value: { answer: 42 } },
  ];
  return {
    callId,
    toolName: 'greet',
    title: 'Greet',
    status: 'completed',
    startedAt,
    endedAt: startedAt + 5,
    principal: asker ? 'Cursor x' : '',
    waited: 0,
    ...(asker ? { asker } : {}),
    record: {
      id: callId,
      principal: asker ? 'Cursor x' : '',
      toolName: 'greet',
      params: { who: 'Ada' },
      startedAt,
      events: () => events,
    },
  };
}
const cursor = { name: 'Cursor', icon: 'plug', says: 'cursor 1' };

/** A history as a window has it; several have one store. */
function windowOn(store = createMemoryStore(), enabled = true, now = Date.now) {
  const kept = createKeptCalls(store, '1.0.0', now);
  return createCallHistory({
    *kept() {
      return kept;
    },
    enabled: () => enabled,
  });
}
function* keep(
  history: ReturnType<typeof windowOn>,
  { record, ...call }: ReturnType<typeof callAt>,
): Operation<void> {
  yield* history.keep(call, record);
}
const idsOf = (history: ReturnType<typeof windowOn>) => history.list().map(({ callId }) => callId);

describe('the history of calls', () => {
  it('is there in the next window, newest first, with all that happened', () =>
    run(function* () {
      const store = createMemoryStore();
      const first = windowOn(store);
      yield* keep(first, callAt(1));
      yield* keep(first, callAt(2, cursor));
      const next = windowOn(store);
      expect(next.list()).toEqual([]);
      yield* next.load();
      expect(idsOf(next)).toEqual(['call-2', 'call-1']);
      const [newest] = next.list();
      expect(newest?.asker).toEqual(cursor);
      const record = newest && (yield* next.read(newest));
      expect(record?.params).toEqual({ who: 'Ada' });
      expect(record?.events()).toEqual(callAt(2).record.events());
    }));

  it('tells whoever lists it of every change', () =>
    run(function* () {
      const history = windowOn();
      let changes = 0;
      const stop = history.subscribe(() => changes++);
      yield* keep(history, callAt(1));
      yield* history.forget(new Set(['call-1']));
      expect(changes).toBe(2);
      // Read again, or asked to keep what is not its own, it has nothing new to show.
      yield* history.load();
      yield* history.keep(callAt(3), callAt(3).record, function* () {
        return 'dropped';
      });
      expect(changes).toBe(2);
      expect(idsOf(history)).toEqual([]);
      stop();
      yield* keep(history, callAt(2));
      expect(changes).toBe(2);
    }));

  it('is written to its end, also when the window ends meanwhile', () =>
    run(function* () {
      const store = createMemoryStore();
      const [begun, going] = [withResolvers<void>(), withResolvers<void>()];
      const append = store.appendEvents.bind(store);
      store.appendEvents = function* (...given) {
        begun.resolve();
        yield* going.operation;
        yield* append(...given);
      };
      const slow = windowOn(store);
      const keeping = yield* spawn(() => keep(slow, callAt(1)));
      yield* begun.operation;
      yield* keeping.halt();
      going.resolve();
      yield* slow.written();
      const next = windowOn(store);
      yield* next.load();
      const [call] = next.list();
      const record = call && (yield* next.read(call));
      expect(record?.events()).toEqual(callAt(1).record.events());
    }));

  it.each([
    ['completed', { type: 'result', notKept: true }],
    ['failed', { type: 'error', error: { message: 'the rest of this call was not kept' } }],
    ['aborted', { type: 'aborted', reason: 'the rest of this call was not kept' }],
  ] as const)('says how a call ended that was cut off while it was written: %s', (status, end) =>
    run(function* () {
      const store = createMemoryStore();
      store.appendEvents = function* () {};
      yield* keep(windowOn(store), { ...callAt(1), status });
      const next = windowOn(store);
      yield* next.load();
      const [call] = next.list();
      const record = call && (yield* next.read(call));
      expect(record?.events()).toMatchObject([end]);
    }),
  );

  it('throws one call away, and the others stay', () =>
    run(function* () {
      const store = createMemoryStore();
      const history = windowOn(store);
      for (const time of [1, 2, 3]) yield* keep(history, callAt(time));
      yield* history.forget(new Set(['call-2']));
      const next = windowOn(store);
      yield* next.load();
      expect(idsOf(next)).toEqual(['call-3', 'call-1']);
    }));

  it('throws all of them away, also those that no list shows', () =>
    run(function* () {
      const store = createMemoryStore();
      const history = windowOn(store);
      for (let time = 1; time <= 250; time++) yield* keep(history, callAt(time));
      expect(history.list()).toHaveLength(100);
      yield* history.clear();
      expect(yield* store.list({ limit: 1000 })).toEqual([]);
      expect(history.list()).toEqual([]);
    }));

  it('keeps a call with a result of 50 MB, without that, and 500 calls as far as there is room', () =>
    run(function* () {
      const store = createMemoryStore({ bounds: { callBytes: 4 * 2 ** 20, calls: 300, share: 300 } });
      const history = windowOn(store);
      const value = 'x'.repeat(50 * 2 ** 20);
      const { record, ...huge } = callAt(1_000);
      const [first] = record.events();
      const events = [...(first ? [first] : []), { at: 2, time: 1_005, type: 'result' as const, value }];
      yield* history.keep(huge, { ...record, events: () => events });
      const kept = yield* history.read(huge);
      expect(kept?.events()).toMatchObject([
        { type: 'log', message: 'hello' },
        { type: 'result', notKept: true },
      ]);
      for (let time = 1; time <= 500; time++) yield* keep(history, callAt(time));
      const left = yield* store.list({ limit: 1_000 });
      expect(left).toHaveLength(300);
      expect(left.every(({ ended, held }) => ended && !held)).toBe(true);
    }));

  it('throws away what ended 30 days ago, and nothing that waits', () =>
    run(function* () {
      const store = createMemoryStore();
      const waits = { principal: '', conversation: '', callId: 'waits' };
      yield* store.release(yield* store.begin({ name: waits, header: {} }));
      yield* keep(windowOn(store), callAt(1));
      const later = (milliseconds: number) => windowOn(store, true, () => Date.now() + milliseconds);
      const soon = later(KEPT_FOR - 60_000);
      yield* soon.load();
      expect(idsOf(soon)).toEqual(['call-1']);
      const next = later(KEPT_FOR);
      yield* next.load();
      expect(idsOf(next)).toEqual([]);
      expect((yield* store.list({})).map(({ name }) => name.callId)).toEqual(['waits']);
    }));

  it('lists the others where what is too old cannot be thrown away', () =>
    run(function* () {
      const store = createMemoryStore();
      yield* keep(windowOn(store), callAt(1));
      store.forget = function* () {
        throw new Error('EROFS');
      };
      const next = windowOn(store, true, () => Date.now() + KEPT_FOR);
      yield* next.load();
      expect(idsOf(next)).toEqual([]);
    }));

  it('keeps nothing when the setting says so', () =>
    run(function* () {
      const store = createMemoryStore();
      const history = windowOn(store, false);
      yield* keep(history, callAt(1));
      expect(history.list()).toEqual([]);
      expect(yield* store.list({})).toEqual([]);
    }));

  it('does not know a call any more that another window has thrown away', () =>
    run(function* () {
      const store = createMemoryStore();
      const [one, other] = [windowOn(store), windowOn(store)];
      yield* keep(one, callAt(1));
      yield* other.load();
      yield* one.clear();
      const [call] = other.list();
      expect(call && (yield* other.read(call))).toBeUndefined();
      expect(other.list()).toEqual([]);
    }));

  it('passes over what it did not keep itself', () =>
    run(function* () {
      const store = createMemoryStore();
      const name = { principal: 'p', conversation: 'c', callId: 'x' };
      yield* store.begin({ name, header: { v: 9 }, notes: { kept: { title: 7 } }, ended: true });
      const history = windowOn(store);
      yield* history.load();
      expect(history.list()).toEqual([]);
    }));
});
