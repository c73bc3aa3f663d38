import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { all, ensure, type Operation, run, scoped, sleep, until, withResolvers } from 'effection';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { ClaimLostError } from '#src/core/errors/store-errors.ts';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import type { CallStore } from '#src/runtime/journal/call-store.ts';
import { readJournal } from '#src/runtime/journal/take-up.ts';
import type { SessionManager } from '#src/runtime/manager/manager.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import { isEnd, type SessionEvent } from '#src/runtime/session/events.ts';
import type { Session } from '#src/runtime/session/session.ts';
import { createMemoryStore, createSqliteStore } from '#src/stores/index.ts';
import { type KeptCall, type OngoingNote, readEvents } from '#src/vscode/calls/history/kept-call.ts';
import { createKeptCalls } from '#src/vscode/calls/history/kept-calls.ts';
import { findCalls } from '#src/vscode/calls/ongoing/find-calls.ts';
import { type OngoingCalls, useOngoingCalls } from '#src/vscode/calls/ongoing/ongoing-calls.ts';
import { wholeEvents } from '#src/vscode/calls/ongoing/whole-events.ts';
import { tempFolder } from '#test/temp-folder.ts';

const capabilities = { elicitation: { form: true } } as const;
const answer = (text: string) => ({ action: 'accept', content: { text } }) as const;

const twice = createMcpTool('twice')
  .description('Asks twice.')
  .parameters(z.object({ name: z.string() }))
  .annotations({ readOnlyHint: true })
  .elicits({ first: z.object({ text: z.string() }), second: z.object({ text: z.string() }) })
  .execute(function* ({ name }, ctx) {
    yield* ctx.log('info', 'begun');
    const first = yield* ctx.elicit.strict('first', { message: `First for ${name}` });
    const second = yield* ctx.elicit.strict('second', { message: `Second for ${name}` });
    return [first.text, second.text];
  });

const huge = createMcpTool('huge')
  .description('Gives more than is kept of a call.')
  .parameters(z.object({}))
  .annotations({ readOnlyHint: true })
  .elicits({ first: z.object({ text: z.string() }) })
  .execute(function* (_, ctx) {
    yield* ctx.elicit.strict('first', { message: 'First' });
    return 'x'.repeat(200_000);
  });

const silent = createMcpTool('silent')
  .description('Asks nothing.')
  .parameters(z.object({}))
  .elicits({})
  .execute(function* () {
    return 1;
  });

function noteOf({ id, principal, startedAt, toolName }: Session): OngoingNote {
  const call = { callId: id, toolName, title: toolName, status: 'waiting', startedAt, principal } as const;
  return { ...call, handled: [], goesOn: 'reads' };
}
const keptOf = (session: Session): KeptCall => ({
  ...noteOf(session),
  status: 'completed',
  endedAt: session.startedAt + 1,
  waited: 0,
});

interface Window {
  readonly manager: SessionManager;
  readonly ongoing: OngoingCalls;
  readonly failures: unknown[];
}

/** A window as the desk makes it. It closes when the body ends. */
function inWindow<T>(
  store: CallStore,
  body: (window: Window) => Operation<T>,
  number?: number,
  enabled = () => true,
): Operation<T> {
  return scoped(function* () {
    const failures: unknown[] = [];
    const ongoing = yield* useOngoingCalls({
      *store() {
        return store;
      },
      window: number,
      enabled,
      failed: (error) => failures.push(error),
      lost() {},
    });
    const manager = yield* createSessionManager({ keep: ongoing.keep });
    ongoing.useManager(manager);
    yield* ensure(() => ongoing.windowCloses());
    return yield* body({ manager, ongoing, failures });
  });
}

function* askedTwice({ manager, ongoing }: Window): Operation<Session> {
  const session = yield* manager.create({ tool: twice, params: { name: 'Ada' }, capabilities });
  ongoing.of(session)?.follow(session, noteOf(session));
  yield* session.respond('elicit-1', answer('one'));
  return session;
}

function* endOf(session: Session): Operation<SessionEvent> {
  for (let at = 0; ; ) {
    const event = yield* session.nextEvent(at);
    if (isEnd(event)) return event;
    ({ at } = event);
  }
}

/** What an operation throws. */
function* result(operation: Operation<unknown>): Operation<unknown> {
  try {
    return yield* operation;
  } catch (error) {
    return error;
  }
}

const KEY = new Uint8Array(32).fill(7);

function* useFolder(): Operation<CallStore & { readonly folder: string }> {
  const folder = tempFolder();
  return Object.assign(createSqliteStore({ folder, keys: [KEY] }), { folder });
}

/** Changes the events of all calls. */
function damageEvents(folder: string): void {
  const db = new DatabaseSync(join(folder, 'calls.db'));
  db.exec('update events set body = zeroblob(50)');
  db.close();
}

describe('calls that have not ended', () => {
  it('keep what their page left in the moment in which the window closes', () =>
    run(function* () {
      const store = yield* useFolder();
      yield* inWindow(store, function* (window) {
        const session = yield* askedTwice(window);
        window.ongoing.of(session)?.remember({ drafts: { text: 'half an ans' } });
      });
      const [kept] = yield* store.list();
      expect(kept?.notes.memory).toEqual({ drafts: { text: 'half an ans' } });
    }));

  it('keep what their page left as soon as it did, for a window that is killed', () =>
    run(function* () {
      const store = yield* useFolder();
      yield* inWindow(store, function* (window) {
        const session = yield* askedTwice(window);
        window.ongoing.of(session)?.remember({ drafts: { text: 'Grace' } });
        const memories = () => run(() => store.list()).then((all) => all.map(({ notes }) => notes.memory));
        yield* until(
          vi.waitFor(async () => expect(await memories()).toEqual([{ drafts: { text: 'Grace' } }])),
        );
      });
    }));

  it('keep what their page left last a moment later, however soon after that the window is killed', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const store = createMemoryStore();
    const killed = withResolvers<void>();
    const window = run(() =>
      inWindow(store, function* (parts) {
        const session = yield* askedTwice(parts);
        for (const text of ['G', 'Gr', 'Gra']) {
          parts.ongoing.of(session)?.remember({ drafts: { text } });
          yield* sleep(100);
        }
        yield* killed.operation;
      }),
    );
    await vi.advanceTimersByTimeAsync(300);
    const [kept] = await run(() => store.list());
    expect(kept?.notes.memory).toEqual({ drafts: { text: 'Gra' } });
    killed.resolve();
    await window;
  });

  it('and were begun by a newer Parley are left to it, and keep waiting', () =>
    run(function* () {
      const store = createMemoryStore();
      yield* inWindow(store, function* (window) {
        yield* askedTwice(window);
        yield* sleep(300);
      });
      const summaries = (yield* store.list()).map((one) => ({ ...one, header: { v: 99, later: true } }));
      const { found, elsewhere } = yield* findCalls(store, summaries);
      expect(found).toEqual([]);
      expect(new Set(elsewhere.keys())).toEqual(new Set(summaries.map(({ name }) => name.callId)));
      expect(yield* store.list()).toMatchObject([{ held: false, ended: false }]);
    }));

  it('are there for the next window, which takes them up where they were', () =>
    run(function* () {
      const store = yield* useFolder();
      yield* inWindow(store, function* (window) {
        yield* askedTwice(window);
        // Its events are written a little later.
        yield* sleep(300);
        expect(window.failures).toEqual([]);
      });
      yield* inWindow(store, function* ({ manager, ongoing }) {
        const summaries = yield* store.list();
        const { found, elsewhere } = yield* findCalls(store, summaries);
        expect(elsewhere.size).toBe(0);
        const [one] = found;
        if (!one) throw new Error('nothing was found');
        // The window let go of the question as it closed; the journal says that it is open.
        expect(one.events.at(-1)).toMatchObject({ type: 'ask_closed', id: 'elicit-2', how: 'withdrawn' });
        const whole = wholeEvents(readEvents(one.events), readJournal(one.stored).lines);
        expect(whole).toMatchObject([
          { type: 'log', message: 'begun' },
          { type: 'elicit_request' },
          { type: 'ask_closed' },
          { type: 'elicit_request', ask: { request: { message: 'Second for Ada' } } },
        ]);
        const call = ongoing.found(one.stored.name, one.stored.header);
        yield* call.adopt(one, one.stored.notes.ongoing as OngoingNote);
        const { header, lines } = one.stored;
        const journal = { header, lines };
        const session = yield* manager.resume({ tool: twice, journal, capabilities, sink: call.sink });
        yield* session.respond('elicit-2', answer('two'));
        expect(yield* endOf(session)).toMatchObject({ value: ['one', 'two'] });
        expect(yield* ongoing.finish(session, keptOf(session))).toBe('written');
      });
      const kept = createKeptCalls(store, '1');
      expect(yield* kept.ongoing()).toEqual([]);
      expect(yield* kept.list(10)).toMatchObject([{ toolName: 'twice', status: 'completed' }]);
    }));

  it('go on by their journal where their events are damaged, which are written anew', () =>
    run(function* () {
      const store = yield* useFolder();
      yield* inWindow(store, function* (window) {
        yield* askedTwice(window);
        yield* sleep(300);
      });
      damageEvents(store.folder);
      yield* inWindow(store, function* ({ manager, ongoing, failures }) {
        const problems: unknown[] = [];
        const { found } = yield* findCalls(store, yield* store.list(), {
          onProblem: (error) => problems.push(error),
        });
        expect(problems).toMatchObject([{ code: 'STORE_DAMAGED' }]);
        const [one] = found;
        if (!one) throw new Error('nothing was found');
        const call = ongoing.found(one.stored.name, one.stored.header);
        const note = one.stored.notes.ongoing as OngoingNote;
        yield* call.adopt(one, note);
        const { header, lines } = one.stored;
        const session = yield* manager.resume({
          ...{ tool: twice, journal: { header, lines }, capabilities, sink: call.sink },
          events: readEvents(one.events),
        });
        ongoing.of(session)?.follow(session, note, 0);
        yield* session.respond('elicit-2', answer('two'));
        expect(yield* endOf(session)).toMatchObject({ value: ['one', 'two'] });
        expect(yield* ongoing.finish(session, keptOf(session))).toBe('written');
        expect(failures).toEqual([]);
        const kept = readEvents(yield* store.readEvents(one.stored.name));
        expect(kept.at(-1)).toMatchObject({ type: 'result' });
        expect(kept).toContainEqual(expect.objectContaining({ type: 'ask_closed', id: 'elicit-2' }));
      });
    }));

  it('belong to one window', () =>
    run(function* () {
      const store = yield* useFolder();
      yield* inWindow(store, function* (window) {
        const session = yield* askedTwice(window);
        const { found, elsewhere } = yield* findCalls(store, yield* store.list());
        expect(found).toEqual([]);
        expect([...elsewhere.keys()]).toEqual([session.id]);
      });
      const both = [
        yield* findCalls(store, yield* store.list()),
        yield* findCalls(store, yield* store.list()),
      ];
      expect(both.map(({ found, elsewhere }) => [found.length, elsewhere.size])).toEqual([
        [1, 0],
        [0, 1],
      ]);
    }));

  it('belong each to one of two windows that look at the same moment, in the order of their lists', () =>
    run(function* () {
      const store = yield* useFolder();
      const other = createSqliteStore({ folder: store.folder, keys: [KEY] });
      yield* inWindow(store, function* (window) {
        for (let n = 0; n < 12; n++) yield* askedTwice(window);
      });
      const listed = yield* store.list();
      const both = yield* all([findCalls(store, listed), findCalls(other, listed)]);
      const ids = both.map(({ found }) => found.map(({ stored }) => stored.name.callId));
      const oldestFirst = listed.map(({ name }) => name.callId).reverse();
      for (const own of ids) expect(own).toEqual(oldestFirst.filter((id) => own.includes(id)));
      expect(ids.flat().sort()).toEqual([...oldestFirst].sort());
      expect(oldestFirst).toHaveLength(12);
      for (const { found, elsewhere } of both) expect(found.length + elsewhere.size).toBe(12);
    }));

  describe('of another window on the folder', () => {
    /** How many calls a window finds, and how many it leaves; `later` milliseconds after it came, or before it for fewer than 0. */
    function* lookedAt(store: CallStore, window: number | undefined, later: number, here: number) {
      const now = () => Date.now() + later;
      const { found, elsewhere } = yield* findCalls(store, yield* store.list(), { window, now, here });
      for (const { claim } of found) yield* store.release(claim);
      return [found.length, elsewhere.size];
    }
    const LONG_AGO = 0;

    it('are left to it while it may be loading again', () =>
      run(function* () {
        const store = yield* useFolder();
        yield* inWindow(store, askedTwice, 0);
        expect(yield* lookedAt(store, 1, 0, LONG_AGO)).toEqual([0, 1]);
        expect(yield* lookedAt(store, 1, 0, Date.now() + 1_000)).toEqual([0, 1]);
        expect(yield* lookedAt(store, 0, 0, LONG_AGO)).toEqual([1, 0]);
        expect(yield* lookedAt(store, 1, 29_000, LONG_AGO)).toEqual([0, 1]);
        expect(yield* lookedAt(store, 1, 31_000, LONG_AGO)).toEqual([1, 0]);
      }));

    it('are taken at once by a window that came later with a lower number: it may be the same', () =>
      run(function* () {
        const store = yield* useFolder();
        yield* inWindow(store, askedTwice, 1);
        expect(yield* lookedAt(store, 0, 0, LONG_AGO)).toEqual([0, 1]);
        expect(yield* lookedAt(store, 0, 0, Date.now() + 1_000)).toEqual([1, 0]);
      }));

    it('cannot be told apart where there is no folder: those it gave back lately are left to it', () =>
      run(function* () {
        const store = yield* useFolder();
        yield* inWindow(store, askedTwice);
        expect(yield* lookedAt(store, undefined, 0, LONG_AGO)).toEqual([0, 1]);
        expect(yield* lookedAt(store, undefined, 31_000, LONG_AGO)).toEqual([1, 0]);
        expect(yield* lookedAt(store, undefined, 0, Date.now() + 1_000)).toEqual([1, 0]);
      }));

    it('are not kept from anybody by a clock that was set back', () =>
      run(function* () {
        const store = yield* useFolder();
        yield* inWindow(store, askedTwice, 0);
        expect(yield* lookedAt(store, 1, -3_600_000, LONG_AGO)).toEqual([1, 0]);
      }));

    it('belong to whoever took them, from then on', () =>
      run(function* () {
        const store = yield* useFolder();
        yield* inWindow(store, askedTwice, 0);
        const took = function* ({ ongoing }: Window) {
          const now = () => Date.now() + 31_000;
          const [one] = (yield* findCalls(store, yield* store.list(), { window: 1, now })).found;
          if (!one) throw new Error('nothing was found');
          const call = ongoing.found(one.stored.name, one.stored.header);
          yield* call.adopt(one, one.stored.notes.ongoing as OngoingNote);
        };
        yield* inWindow(store, took, 1);
        expect(yield* lookedAt(store, 0, 0, LONG_AGO)).toEqual([0, 1]);
        expect(yield* lookedAt(store, 1, 0, LONG_AGO)).toEqual([1, 0]);
      }));

    it('and are driven there refuse what this window still says in them', () =>
      run(function* () {
        const folder = yield* useFolder();
        let late = 0;
        const other = createSqliteStore({ folder: folder.folder, keys: [KEY], now: () => Date.now() + late });
        yield* inWindow(folder, function* (here) {
          const session = yield* askedTwice(here);
          late = 31_000;
          const { found } = yield* findCalls(other, yield* other.list(), {
            window: 1,
            now: () => Date.now() + late,
          });
          const [one] = found;
          if (!one) throw new Error('nothing was found');
          // The machine slept, and this window does not know it yet.
          const given = yield* result(session.respond('elicit-2', answer('here')));
          expect(given).toMatchObject({ code: 'CLAIM_LOST' });
          expect(yield* endOf(session)).toMatchObject({ type: 'error', error: { code: 'CLAIM_LOST' } });
          expect(yield* here.ongoing.finish(session, keptOf(session))).toBe('dropped');
          const { lines } = one.stored;
          expect((yield* other.read(one.stored.name))?.lines).toEqual(lines);
        });
      }));
  });

  it('end here once another window has them, from whichever conversation they came', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await run(function* () {
        const store = createMemoryStore();
        yield* inWindow(store, function* ({ manager, ongoing }) {
          const session = yield* manager.create({
            ...{ tool: twice, params: { name: 'Ada' }, capabilities },
            conversation: 'a session of a client',
          });
          ongoing.of(session)?.follow(session, noteOf(session));
          yield* session.respond('elicit-1', answer('one'));
          expect(ongoing.of(session)).toBeDefined();
          store.renew = function* ({ name }) {
            throw new ClaimLostError({ callId: name.callId });
          };
          yield* until(vi.advanceTimersByTimeAsync(10_000));
          const name = {
            principal: session.principal,
            conversation: 'a session of a client',
            callId: session.id,
          };
          const isGone = () => {
            expect(manager.get(name)).toBeUndefined();
            expect(ongoing.of(session)).toBeUndefined();
          };
          yield* until(vi.waitFor(isGone, { timeout: 60_000 }));
        });
      });
    } finally {
      vi.useRealTimers();
    }
  });

  it('are noted by the version of their tool that they have now', () =>
    run(function* () {
      const store = createMemoryStore();
      yield* inWindow(store, function* (window) {
        const session = yield* askedTwice(window);
        window.ongoing.of(session)?.describe({ ...noteOf(session), goesOn: 'durable' });
      });
      expect(yield* store.list()).toMatchObject([{ notes: { ongoing: { goesOn: 'durable' } } }]);
    }));

  it('do not end when an agent is stopped because the window closes', () =>
    run(function* () {
      const store = createMemoryStore();
      yield* inWindow(store, function* (window) {
        const session = yield* askedTwice(window);
        yield* session.abort('the agent was stopped');
      });
      expect((yield* store.list()).map(({ ended }) => ended)).toEqual([false]);
      expect((yield* findCalls(store, yield* store.list())).found).toHaveLength(1);
    }));

  it('end when the person stops them, also right before the window closes', () =>
    run(function* () {
      const store = createMemoryStore();
      yield* inWindow(store, function* (window) {
        const session = yield* askedTwice(window);
        yield* session.abort('the user stopped it');
        expect(yield* window.ongoing.finish(session, keptOf(session))).toBe('written');
      });
      expect((yield* store.list()).map(({ ended }) => ended)).toEqual([true]);
    }));

  it('end with a result that is longer than one may be: the next window does not run them again', () =>
    run(function* () {
      const folder = tempFolder();
      const store = createSqliteStore({ folder, keys: [KEY], bounds: { callBytes: 100_000 } });
      yield* inWindow(store, function* ({ manager, ongoing, failures }) {
        const session = yield* manager.create({ tool: huge, params: {}, capabilities });
        ongoing.of(session)?.follow(session, noteOf(session));
        yield* session.respond('elicit-1', answer('one'));
        expect(yield* endOf(session)).toMatchObject({ type: 'result' });
        expect(yield* ongoing.finish(session, keptOf(session))).toBe('written');
        expect(failures).toEqual([]);
      });
      expect(yield* store.list()).toMatchObject([{ ended: true, held: false }]);
      const kept = createKeptCalls(store, '1');
      const [one] = yield* kept.list(10);
      const events = (one && (yield* kept.read(one)))?.events() ?? [];
      expect(events.map(({ type }) => type)).toEqual(['elicit_request', 'ask_closed', 'result']);
      expect(events.at(-1)).toMatchObject({ notKept: true });
    }));

  it('are thrown away at their end where the person no longer wants calls to be kept', () =>
    run(function* () {
      const store = yield* useFolder();
      let wanted = true;
      const waits = function* (window: Window): Operation<void> {
        const session = yield* askedTwice(window);
        expect(yield* store.list()).toHaveLength(1);
        wanted = false;
        yield* session.respond('elicit-2', answer('two'));
        yield* endOf(session);
        expect(yield* window.ongoing.finish(session, keptOf(session))).toBe('dropped');
        expect(window.failures).toEqual([]);
      };
      yield* inWindow(store, waits, undefined, () => wanted);
      expect(yield* store.list()).toEqual([]);
    }));

  it('are written only once something comes into them', () =>
    run(function* () {
      const store = createMemoryStore();
      yield* inWindow(store, function* ({ manager, ongoing }) {
        const session = yield* manager.create({ tool: silent, params: {} });
        ongoing.of(session)?.follow(session, noteOf(session));
        expect(yield* ongoing.finish(session, keptOf(session))).toBe('nothing');
      });
      expect(yield* store.list()).toEqual([]);
    }));

  it('go on without a journal when they cannot be written, and nothing old is left of them', () =>
    run(function* () {
      const store = createMemoryStore();
      yield* inWindow(store, function* (window) {
        const { manager, ongoing, failures } = window;
        const session = yield* manager.create({ tool: twice, params: { name: 'Ada' }, capabilities });
        ongoing.of(session)?.follow(session, noteOf(session));
        yield* sleep(20);
        store.append = function* () {
          throw new Error('the disk is full');
        };
        yield* session.respond('elicit-1', answer('one'));
        yield* session.respond('elicit-2', answer('two'));
        expect(yield* endOf(session)).toMatchObject({ value: ['one', 'two'] });
        expect(failures).toMatchObject([{ message: 'the disk is full' }]);
        // Its history is, when that can be written then.
        expect(yield* ongoing.finish(session, keptOf(session))).toBe('nothing');
      });
      expect(yield* store.list()).toEqual([]);
    }));
});
