import { type Operation, run, sleep, spawn, suspend, withResolvers } from 'effection';
import { describe, expect, it } from 'vitest';
import { initialState } from '#src/panel/model/state.ts';
import { createPanelStore } from '#src/panel/panel-store.ts';
import type { EndEvent } from '#src/runtime/session/events.ts';
import type { Session } from '#src/runtime/session/session.ts';
import type { CallEntry } from '#src/vscode/calls/call-entry.ts';
import type { KeptCall } from '#src/vscode/calls/history/kept-call.ts';
import { createChatsCalls } from '#src/vscode/calls/ongoing/chats-calls.ts';

const red: EndEvent = { at: 2, time: 1, type: 'result', value: 'red' };
const session = { id: 'call' } as Session;

/** A window with a call of the chat in its list, or not, and a history. */
function aWindow({ principal = 'chat', attach = suspend as () => Operation<Session>, listed = true } = {}) {
  const store = createPanelStore(initialState({ callId: 'call', toolName: 'ask', title: 'Ask' }));
  const back: CallEntry[] = [];
  /** Somebody has looked for the call, and waits for what comes of it. */
  const sought = withResolvers<void>();
  // What finding looks at, and no more.
  const entry: CallEntry = {
    record: () => ({ id: 'call', principal }),
    session: () => undefined,
    attach,
    waiting: () => ({ callerIsBack: () => back.push(entry) }),
    panel: {
      store: {
        ...store,
        subscribe(listener: () => void) {
          const stop = store.subscribe(listener);
          sought.resolve();
          return stop;
        },
      },
    },
  } as unknown as CallEntry;
  const listeners = new Set<() => void>();
  const kept: KeptCall[] = [];
  let known = false;
  const find = createChatsCalls({
    calls: { list: () => (listed ? [entry] : []) },
    history: {
      list: () => kept,
      *read({ callId, principal: whose, toolName }) {
        return { id: callId, principal: whose, toolName, params: {}, startedAt: 1, events: () => [red] };
      },
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    earlier: {
      *known() {
        yield* sleep(1);
        known = true;
      },
    },
  });
  return {
    find,
    back,
    store,
    known: () => known,
    sought: sought.operation,
    keep(whose = 'chat') {
      const call = { callId: 'call', toolName: 'ask', title: 'Ask', startedAt: 1, endedAt: 2, waited: 0 };
      kept.push({ ...call, status: 'completed', principal: whose });
      for (const listener of [...listeners]) listener();
    },
    listeners,
  };
}
const ignored = (): void => {};

describe('a call that @parley made before the window was loaded again', () => {
  it('is taken up for its turn, once it is known where it is', () =>
    run(function* () {
      const window = aWindow({
        *attach() {
          expect(window.known()).toBe(true);
          return session;
        },
      });
      expect(yield* window.find('call', ignored)).toBe(session);
      expect(window.back).toHaveLength(1);
    }));

  it('that is over is how it ended, from the history', () =>
    run(function* () {
      const window = aWindow({ listed: false });
      expect(yield* window.find('call', ignored)).toBeUndefined();
      window.keep();
      expect(yield* window.find('call', ignored)).toBe(red);
    }));

  it('that the person stops meanwhile, without taking it up, is how it ended', () =>
    run(function* () {
      const window = aWindow();
      const found = yield* spawn(() => window.find('call', ignored));
      yield* window.sought;
      window.keep();
      expect(yield* found).toBe(red);
      expect(window.listeners.size).toBe(0);
    }));

  it('of somebody else is none of its', () =>
    run(function* () {
      const window = aWindow({ principal: 'client' });
      window.keep('client');
      expect(yield* window.find('call', ignored)).toBeUndefined();
      expect(window.back).toEqual([]);
    }));

  it('that waits for a button says so once, and whoever looked for it lets go of it when it is stopped', () =>
    run(function* () {
      const window = aWindow();
      const stuck: CallEntry[] = [];
      const finding = yield* spawn(() => window.find('call', (entry) => stuck.push(entry)));
      yield* window.sought;
      expect(stuck).toEqual([]);
      for (const label of ['Try Again', 'Continue']) {
        const pause = { message: 'There is no such tool.', actions: [{ id: 'continue', label }] };
        window.store.dispatch({ type: 'pause', pause, waits: true, time: 1 });
      }
      expect(stuck).toHaveLength(1);
      yield* finding.halt();
      window.store.dispatch({ type: 'pause', pause: undefined, waits: false, time: 1 });
      expect(stuck).toHaveLength(1);
      expect(window.listeners.size).toBe(0);
    }));
});
