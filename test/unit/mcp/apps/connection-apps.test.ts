import { run, sleep, spawn } from 'effection';
import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpTool } from '#src/core/index.ts';
import { ConnectionApps, RefusedPage } from '#src/mcp/apps/connection-apps.ts';
import type { AppPages, PageEnd } from '#src/mcp/apps/pages.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';

const pick = createMcpTool('pick')
  .description('Asks')
  .parameters(z.object({ n: z.number() }))
  .elicits({ row: z.object({ row: z.int() }) })
  .execute(function* (_params, ctx) {
    return yield* ctx.elicit.strict('row', { message: 'Which row?' });
  });

let opened: number;
let closed: number;
let openedAs: (string | undefined)[];
const pages: AppPages = {
  offers: () => true,
  *document(_served, ticket) {
    return ticket;
  },
  open(_session, to, hostCall) {
    opened += 1;
    openedAs.push(hostCall);
    let readies = 0;
    to.post({ opened });
    return {
      receive() {
        // The first `ready` is that of the page that was opened.
        if (readies++ > 0) to.post({ again: readies });
      },
      close: () => {
        closed += 1;
      },
    };
  },
};
const HOUR = 3_600_000;

beforeEach(() => {
  opened = 0;
  closed = 0;
  openedAs = [];
});

describe('the pages of a connection', () => {
  it('are let go of when they stop asking, and find their call anew when they come back', () =>
    run(function* () {
      const manager = yield* createSessionManager();
      const session = yield* manager.create({ tool: pick, params: { n: 1 } });
      const apps = new ConnectionApps(pages);
      apps.began({ session, given: { n: 1 }, request: 1 });
      const ticket = yield* apps.draw(pick);
      const sought = { ticket, input: { n: 1 } };
      expect(yield* apps.watch({ ...sought, after: 0 })).toMatchObject({ messages: [{ opened: 1 }] });
      apps.sweep(performance.now());
      expect(closed).toBe(0);
      apps.sweep(performance.now() + HOUR);
      expect(closed).toBe(1);
      expect(yield* apps.watch({ ...sought, after: 0 })).toMatchObject({ messages: [{ opened: 2 }] });
      yield* session.abort('over');
    }));

  it('are told all of their call once more when their host, which had hidden them, loads them again', () =>
    run(function* () {
      const manager = yield* createSessionManager();
      const session = yield* manager.create({ tool: pick, params: { n: 1 } });
      const apps = new ConnectionApps(pages);
      apps.began({ session, given: { n: 1 }, request: 1 });
      const sought = { ticket: yield* apps.draw(pick), input: { n: 1 } };
      const first = { messages: [{ opened: 1 }], at: 1 };
      expect(yield* apps.watch({ ...sought, after: 0 })).toMatchObject(first);
      // The answer was lost on its way.
      expect(yield* apps.watch({ ...sought, after: 0 })).toMatchObject(first);
      const hidden = yield* spawn(() => apps.watch({ ...sought, after: 1 }));
      yield* sleep(0);
      const anew = { messages: [{ again: 2 }], at: 2 };
      expect(yield* apps.watch({ ...sought, after: 0 })).toMatchObject(anew);
      expect(yield* hidden).toMatchObject(anew);
      expect(opened).toBe(1);
      yield* session.abort('over');
    }));

  it('are told apart by the request that their host names, and by nothing that it makes up', () =>
    run(function* () {
      const manager = yield* createSessionManager();
      const apps = new ConnectionApps(pages);
      const input = { n: 1 };
      for (const request of [1, 2]) {
        const session = yield* manager.create({ tool: pick, params: input });
        apps.began({ session, given: input, request });
      }
      const watch = function* (more: object) {
        const ticket = yield* apps.draw(pick);
        return (yield* apps.watch({ ticket, input, after: 0, ...more })).state;
      };
      expect(yield* watch({})).toBe('elsewhere');
      expect(yield* watch({ request: 3 })).toBe('elsewhere');
      expect(yield* watch({ call: 'made up' })).toBe('ended');
      expect(yield* watch({ request: 2 })).toBe('open');
    }));

  it('are told apart by what their host calls their calls, once each has found its own', () =>
    run(function* () {
      const manager = yield* createSessionManager();
      const apps = new ConnectionApps(pages);
      const input = { n: 1 };
      const begin = function* () {
        const session = yield* manager.create({ tool: pick, params: input });
        apps.began({ session, given: input, request: undefined });
      };
      const watch = function* (hostCall: string) {
        const ticket = yield* apps.draw(pick);
        return yield* apps.watch({ ticket, input, after: 0, hostCall });
      };
      yield* begin();
      expect(yield* watch('first')).toMatchObject({ state: 'open', messages: [{ opened: 1 }] });
      yield* begin();
      expect(yield* watch('second')).toMatchObject({ state: 'open', messages: [{ opened: 2 }] });
      // Drawn again, each is the page of its call; one of a third call is the page of neither.
      expect((yield* watch('first')).state).toBe('open');
      expect(openedAs).toEqual(['first', 'second', 'first']);
      const third = yield* spawn(() => watch('third'));
      yield* begin();
      expect(yield* third).toMatchObject({ state: 'open', messages: [{ opened: 4 }] });
    }));

  it('that their host draws again show a call of before this server was started, and how it ended', () =>
    run(function* () {
      const said: unknown[] = [];
      let earlier: PageEnd | undefined;
      const apps = new ConnectionApps({
        ...pages,
        *openEarlier(tool, hostCall, to) {
          if (tool !== 'pick' || hostCall !== 'mine') return undefined;
          earlier = to;
          to.post({ asked: 'Which row?' });
          return { receive: (message) => said.push(message), close: () => said.push('closed') };
        },
      });
      const ticket = yield* apps.draw(pick);
      const sought = { ticket, input: { n: 1 }, hostCall: 'mine' };
      const first = { state: 'open', messages: [{ asked: 'Which row?' }], at: 1 };
      expect(yield* apps.watch({ ...sought, after: 0 })).toEqual(first);
      apps.send({ ticket, messages: [{ row: 3 }] });
      expect(said).toMatchObject([{ name: 'ready' }, { row: 3 }]);
      earlier?.ended();
      expect(yield* apps.watch({ ...sought, after: 1 })).toEqual({ state: 'ended', messages: [], at: 1 });

      const another = { ticket: yield* apps.draw(pick), input: { n: 1 }, after: 0 };
      // What has its result is shown by that.
      expect((yield* apps.watch({ ...another, hostCall: 'mine', over: true })).messages).toEqual([]);
      // A page of another call waits for that in vain.
      const lost = yield* spawn(() => apps.watch({ ...another, hostCall: 'of another' }));
      yield* sleep(0);
      apps.send({ ticket: another.ticket, messages: [{ row: 4 }] });
      expect(said).toHaveLength(2);
      yield* lost.halt();
      apps.sweep(performance.now() + HOUR);
      expect(said.at(-1)).toBe('closed');
    }));

  it('of a call that has its result show no other one that was called alike, also where they did so before', () =>
    run(function* () {
      const manager = yield* createSessionManager();
      const session = yield* manager.create({ tool: pick, params: { n: 1 } });
      const apps = new ConnectionApps(pages);
      apps.began({ session, given: { n: 1 }, request: 1 });
      // A conversation that is opened again draws its old page: its host shows the input first, and then the result.
      const sought = { ticket: yield* apps.draw(pick), input: { n: 1 }, after: 0 };
      expect((yield* apps.watch(sought)).state).toBe('open');
      const waits = yield* spawn(() => apps.watch({ ...sought, after: 1 }));
      yield* sleep(0);
      expect(yield* apps.watch({ ...sought, over: true })).toMatchObject({ state: 'ended', messages: [] });
      expect([closed, (yield* waits).state]).toEqual([1, 'ended']);
      apps.send({ ticket: sought.ticket, messages: [{}] });
      expect(session.openAsks()).toHaveLength(1);
      const early = { ticket: yield* apps.draw(pick), input: { n: 1 }, after: 0 };
      expect((yield* apps.watch({ ...early, call: 'another' })).state).toBe('ended');
      expect((yield* apps.watch({ ...early, call: session.id })).state).toBe('open');

      // Its own end it is told of all the same.
      yield* session.abort('over');
      expect((yield* apps.watch({ ...early, call: session.id, over: true })).messages).toMatchObject([
        { opened: 2 },
      ]);
    }));

  it('are refused once they were drawn too long ago, or never', () =>
    run(function* () {
      const apps = new ConnectionApps(pages);
      const first = yield* apps.draw(pick);
      for (let n = 0; n < 500; n++) yield* apps.draw(pick);
      expect(() => apps.send({ ticket: first, messages: [] })).toThrow(RefusedPage);
      expect(() => apps.send({ ticket: '', messages: [] })).toThrow(RefusedPage);
      expect(() => apps.send({ ticket: '__proto__', messages: [] })).toThrow(RefusedPage);
    }));

  it('end the calls that go on without their request, when the connection does', () =>
    run(function* () {
      const manager = yield* createSessionManager();
      const session = yield* manager.create({ tool: pick, params: { n: 1 } });
      const apps = new ConnectionApps(pages);
      let gone = 0;
      apps.began({ session, given: { n: 1 }, request: 1 }).goesOn({
        told: () => ({}),
        gone: () => {
          gone += 1;
        },
      });
      const ticket = yield* apps.draw(pick);
      yield* apps.watch({ ticket, input: { n: 1 }, after: 0 });
      apps.close();
      expect([closed, gone]).toEqual([1, 1]);
      yield* session.abort('over');
    }));
});
