import { ensure, type Operation, run, scoped, sleep, spawn, useScope } from 'effection';
import { expect, it } from 'vitest';
import * as z from 'zod';
import type { Calls } from '#src/calls/port.ts';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import { servedCalls } from '#src/mcp/served-calls.ts';
import type { CallStore } from '#src/runtime/journal/call-store.ts';
import type { SessionManager } from '#src/runtime/manager/manager.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import type { Session } from '#src/runtime/session/session.ts';
import { createSqliteStore } from '#src/stores/index.ts';
import { createMockMcpClient } from '#src/testing/index.ts';
import { attendCall } from '#src/vscode/calls/attend.ts';
import type { OngoingNote } from '#src/vscode/calls/history/kept-call.ts';
import { findCalls } from '#src/vscode/calls/ongoing/find-calls.ts';
import { type OngoingCalls, useOngoingCalls } from '#src/vscode/calls/ongoing/ongoing-calls.ts';
import { takeUpForMessages } from '#src/vscode/calls/ongoing/waiting-call.ts';
import { tempFolder } from '#test/temp-folder.ts';

const capabilities = { elicitation: { form: true } } as const;
const text = z.object({ text: z.string() });
const twice = createMcpTool('twice')
  .description('Asks twice.')
  .parameters(z.object({}))
  .annotations({ readOnlyHint: true })
  .elicits({ first: text, second: text })
  .execute(function* (_, ctx) {
    const first = yield* ctx.elicit.strict('first', { message: 'First' });
    const second = yield* ctx.elicit.strict('second', { message: 'Second' });
    return `${first.text} ${second.text}`;
  });
const said = (key: string, says: string) => ({
  id: `says ${says}`,
  digest: says,
  answers: { [key]: { action: 'accept', content: { text: says } } },
});

interface Window {
  readonly manager: SessionManager;
  readonly ongoing: OngoingCalls;
  readonly calls: Calls;
  /** Calls of an earlier window, taken up when somebody asks for them. */
  readonly waiting: Map<string, () => Operation<Session | undefined>>;
}

/** A window as the desk makes it, with the person's panel closed: nobody answers there. */
function inWindow<T>(store: CallStore, body: (window: Window) => Operation<T>): Operation<T> {
  return scoped(function* () {
    const scope = yield* useScope();
    const ongoing = yield* useOngoingCalls({
      *store() {
        return store;
      },
      enabled: () => true,
      failed() {},
      lost() {},
    });
    const manager = yield* createSessionManager({ keep: ongoing.keep });
    ongoing.useManager(manager);
    yield* ensure(() => ongoing.windowCloses());
    const waiting: Window['waiting'] = new Map();
    const calls = servedCalls({
      ...{ manager, store, ttl: 3_600_000, report() {} },
      run: (op) => scope.run(op),
      staying: {
        of: ongoing.of,
        *takeUp({ callId }) {
          return yield* waiting.get(callId)?.() ?? [];
        },
      },
    });
    return yield* body({ manager, ongoing, calls, waiting });
  });
}

function noteOf({ id, principal, startedAt, toolName }: Session): OngoingNote {
  const call = { callId: id, toolName, title: toolName, status: 'waiting', startedAt, principal } as const;
  return { ...call, handled: [], goesOn: 'reads' };
}

/** A panel that nobody answers in. */
const closed = {
  ...createMockMcpClient(),
  *elicit() {
    yield* sleep(60_000);
    return { action: 'cancel' } as const;
  },
};

function* asked({ manager, ongoing, calls }: Window): Operation<Session> {
  const session = yield* manager.create({ tool: twice, params: {}, capabilities });
  ongoing.of(session)?.follow(session, noteOf(session));
  yield* spawn(() => attendCall(calls, session, closed));
  yield* sleep(0);
  return session;
}

/** The folder of windows on one workspace, as two processes have it. */
function* useFolder(): Operation<readonly [CallStore, CallStore]> {
  const folder = tempFolder();
  const keys = [new Uint8Array(32).fill(7)];
  return [createSqliteStore({ folder, keys }), createSqliteStore({ folder, keys })];
}

/** The calls of another program on the folder, which runs none of them. */
function* elsewhere(store: CallStore): Operation<Calls> {
  const manager = yield* createSessionManager();
  const scope = yield* useScope();
  return servedCalls({ ...{ manager, store, ttl: 1, report() {} }, run: (op) => scope.run(op) });
}

function* nameIn(store: CallStore) {
  for (;;) {
    const [one] = yield* store.list();
    if (one) return one.name;
    yield* sleep(10);
  }
}

function* untilAsked(session: Session, key: string): Operation<void> {
  while (!session.openAsks().some(({ wireKey }) => wireKey === key)) yield* sleep(10);
}

it('a message that another program leaves for a call of a window is its answer, and a stop its end', () =>
  run(function* () {
    const [here, there] = yield* useFolder();
    yield* inWindow(here, function* (window) {
      const session = yield* asked(window);
      const others = yield* elsewhere(there);
      const name = yield* nameIn(there);
      expect(yield* others.send(name, said('first', 'one'))).toBe('left');
      yield* untilAsked(session, 'second');
      expect(yield* others.send(name, said('first', 'one'))).toBe('again');
      expect(yield* others.send(name, { id: 'enough', digest: '', stop: 'enough' })).toBe('left');
      while (!session.ended()) yield* sleep(10);
      expect(session.ended()).toMatchObject({ type: 'aborted', reason: 'enough' });
    });
  }));

it('a message that is left while no window has the call takes it up in the next', () =>
  run(function* () {
    const [here, there] = yield* useFolder();
    yield* inWindow(here, asked);
    const others = yield* elsewhere(there);
    const name = yield* nameIn(there);
    yield* others.send(name, said('first', 'one'));
    yield* inWindow(here, function* ({ manager, ongoing, calls, waiting }) {
      const [one] = (yield* findCalls(here, yield* here.list())).found;
      if (!one) throw new Error('nothing was found');
      const call = ongoing.found(one.stored.name, one.stored.header);
      yield* call.adopt(one, one.stored.notes.ongoing as OngoingNote);
      let session: Session | undefined;
      const takeUp = function* () {
        const { header, lines } = one.stored;
        const journal = { header, lines };
        session ??= yield* manager.resume({ tool: twice, journal, capabilities, sink: call.sink });
        const taken = session;
        yield* spawn(() => attendCall(calls, taken, closed));
        return taken;
      };
      waiting.set(name.callId, takeUp);
      const taken = { call, hasMessages: one.stored.inbox > 0 };
      const opened = function* () {
        return here;
      };
      yield* spawn(() => takeUpForMessages(opened, taken, { takeUp }));
      while (!session) yield* sleep(10);
      yield* untilAsked(session, 'second');
      expect(yield* calls.send(name, said('second', 'two'))).toBe('left');
      while (!session.ended()) yield* sleep(10);
      expect(session.ended()).toMatchObject({ type: 'result', value: 'one two' });
    });
  }));
