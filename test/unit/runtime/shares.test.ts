import { suspend } from 'effection';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sizeOf } from '#src/runtime/data/size-of.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import type { ManagerOptions } from '#src/runtime/manager/manager.ts';
import type { Session } from '#src/runtime/session/session.ts';
import { eventLoopTurn } from '#src/runtime/time/event-loop.ts';
import { clientOf, endOf, rejects, row, tool, withManager } from './session-kit.ts';

const asks = tool((ctx) => ctx.elicit('seat', { message: 'Which seat?' }));
const busy = tool(() => suspend());
const echo = tool(function* (_ctx, { text }) {
  return text;
});

const MB = 2 ** 20;
const small: ManagerOptions = {
  limits: { maxSessions: 8, maxWaiting: 6, share: { maxSessions: 4, maxWaiting: 3, maxBytes: 2 * MB } },
  own: ['me'],
};

describe('a principal with more waiting calls than its share', () => {
  it(
    'loses its oldest, which says why; nobody else loses one',
    withManager(function* ({ manager }) {
      const ada: Session[] = [];
      const bob = yield* manager.create({ tool: asks, params: {}, principal: 'bob' });
      for (let n = 0; n < 4; n++)
        ada.push(yield* manager.create({ tool: asks, params: {}, principal: 'ada' }));
      yield* eventLoopTurn();
      yield* eventLoopTurn();
      expect(ada.map((session) => session.status())).toEqual([
        'aborted',
        'awaiting_elicit',
        'awaiting_elicit',
        'awaiting_elicit',
      ]);
      expect(ada[0]?.ended()).toMatchObject({
        type: 'aborted',
        reason: expect.stringContaining('made room for newer calls: 3 calls wait already'),
      });
      expect(bob.status()).toBe('awaiting_elicit');
    }, small),
  );

  it(
    'keeps those that somebody attends to, and is told of the end of one that gave way when it comes back',
    withManager(
      function* ({ manager }) {
        const create = () =>
          manager.create({ tool: asks, params: { a: 'x' }, principal: 'ada', retain: true });
        const attended = yield* create();
        const lease = attended.attachNow(clientOf());
        const first = yield* create();
        for (let n = 0; n < 3; n++) yield* create();
        yield* eventLoopTurn();
        yield* eventLoopTurn();
        expect(attended.status()).toBe('awaiting_elicit');
        expect(manager.get({ principal: 'ada', callId: first.id })).toBe(first);
        const end = yield* drive(first, clientOf(), 'end');
        expect(end).toMatchObject({
          type: 'aborted',
          reason: expect.stringContaining('Make the call again'),
        });
        // What it was given is not kept for that.
        expect(first.params).toBeUndefined();
        expect(first.events().map(({ type }) => type)).toEqual(['gap', 'aborted']);
        lease.detach();
      },
      { ...small, limits: { ...small.limits, share: { maxSessions: 100, maxWaiting: 3 } } },
    ),
  );

  it(
    'is remembered no longer than as many newer ones have ended',
    withManager(function* ({ manager }) {
      const forgotten: string[] = [];
      manager.subscribe(({ type, session }) => void (type === 'forgotten' && forgotten.push(session.id)));
      for (const callId of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
        yield* manager.create({ tool: asks, params: {}, principal: 'ada', retain: true, callId });
        yield* eventLoopTurn();
        yield* eventLoopTurn();
      }
      expect(manager.listActive().map(({ id }) => id)).toEqual(['f', 'g', 'h']);
      expect(forgotten).toEqual(['a', 'b']);
    }, small),
  );
});

describe('a tool that asks nothing', () => {
  it(
    'runs whatever is waiting, for everybody',
    withManager(function* ({ manager }) {
      for (let n = 0; n < 20; n++) yield* manager.create({ tool: asks, params: {}, principal: `p${n % 5}` });
      for (const principal of ['p0', 'new', 'me', '']) {
        const session = yield* manager.create({ tool: echo, params: { text: 'hi' }, principal });
        expect(yield* endOf(session)).toMatchObject({ type: 'result', value: 'hi' });
      }
    }, small),
  );
});

describe('running calls', () => {
  it(
    'are refused beyond the share of their principal, and nobody else is',
    withManager(function* ({ manager }) {
      const create = (principal: string) => manager.create({ tool: busy, params: {}, principal });
      for (let n = 0; n < 4; n++) yield* create('ada');
      yield* rejects(() => create('ada'), 'SESSION_LIMIT');
      yield* create('bob');
      for (let n = 0; n < 20; n++) yield* create('me');
    }, small),
  );

  it(
    'where all together are too many, take the place of nobody who has no more than whoever makes them',
    withManager(function* ({ manager }) {
      const create = (code: typeof asks | typeof busy, principal: string) =>
        manager.create({ tool: code, params: {}, principal });
      for (let n = 0; n < 4; n++) yield* create(busy, 'bob');
      const ada = [yield* create(asks, 'ada'), yield* create(asks, 'ada')];
      const over = yield* create(busy, 'eve');
      yield* create(busy, 'eve');
      yield* rejects(() => create(busy, 'eve'), 'SESSION_LIMIT');
      expect(ada.map((session) => session.status())).toEqual(['awaiting_elicit', 'awaiting_elicit']);
      yield* over.abort('over');
      const asking = yield* create(asks, 'eve');
      yield* create(asks, 'eve');
      expect([...ada, asking].map((session) => session.status())).toEqual([
        'awaiting_elicit',
        'awaiting_elicit',
        'aborted',
      ]);
    }, small),
  );

  it(
    'take the place of a waiting one of the same principal',
    withManager(function* ({ manager }) {
      const waiting = yield* manager.create({ tool: asks, params: {}, principal: 'ada' });
      for (let n = 0; n < 4; n++) yield* manager.create({ tool: busy, params: {}, principal: 'ada' });
      expect(waiting.status()).toBe('aborted');
    }, small),
  );
});

describe('what calls were given', () => {
  const text = 'x'.repeat(0.9 * MB);

  it(
    'is bounded for each principal: the oldest that waits gives way, and lets go of it',
    withManager(function* ({ manager }) {
      const create = (principal: string) => manager.create({ tool: asks, params: { text }, principal });
      const [first, second] = [yield* create('ada'), yield* create('ada')];
      yield* create('bob');
      yield* create('ada');
      expect([first.status(), second.status()]).toEqual(['aborted', 'awaiting_elicit']);
      expect(first.params).toBeUndefined();
    }, small),
  );

  it(
    'is refused when it is more than the share, and when nothing can give way',
    withManager(function* ({ manager }) {
      const create = (principal: string, given: string) =>
        manager.create({ tool: busy, params: { text: given }, principal });
      yield* rejects(() => create('ada', 'x'.repeat(3 * MB)), 'SESSION_LIMIT');
      yield* create('ada', text);
      yield* create('ada', text);
      yield* rejects(() => create('ada', text), 'SESSION_LIMIT');
      yield* create('ada', 'little');
      yield* create('bob', text);
      yield* create('me', 'x'.repeat(3 * MB));
    }, small),
  );

  it(
    'counts no more once the call has ended; a result that waits counts until it is fetched',
    withManager(function* ({ manager }) {
      for (let n = 0; n < 10; n++) yield* manager.create({ tool: echo, params: { text }, principal: 'ada' });
      const retain = true;
      const create = (callId: string) =>
        manager.create({ tool: echo, params: { text }, principal: 'ada', retain, callId });
      for (const callId of ['a', 'b', 'c']) yield* create(callId);
      const kept = ['a', 'b', 'c'].filter((callId) => manager.get({ principal: 'ada', callId }));
      expect(kept).toEqual(['b', 'c']);
    }, small),
  );

  it('is measured without recursion, with what small parts cost, and no further than it must be', () => {
    let deep: unknown = 0;
    for (let n = 0; n < 100_000; n++) deep = [deep];
    expect(sizeOf(deep)).toBeGreaterThan(100_000);
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    expect(sizeOf(loop)).toBeLessThan(10 * MB);
    const many = Array.from({ length: 10_000 }, () => []);
    expect(sizeOf(many)).toBeGreaterThan(JSON.stringify(many).length * 3);
    expect(sizeOf(many, 1_000)).toBeLessThan(100_000);
  });
});

describe('a crowd', () => {
  it(
    'of a thousand questions of one principal changes nothing for the others, nor for the person',
    withManager(
      function* ({ manager }) {
        const bob = yield* manager.create({ tool: asks, params: {}, principal: 'bob' });
        const mine = yield* manager.create({ tool: asks, params: {} });
        for (let n = 0; n < 1_000; n++) yield* manager.create({ tool: asks, params: {}, principal: 'ada' });
        yield* eventLoopTurn();
        yield* eventLoopTurn();
        expect(manager.listActive().filter(({ principal }) => principal === 'ada')).toHaveLength(200);
        for (const principal of ['bob', '', 'eve']) {
          const session = yield* manager.create({ tool: asks, params: {}, principal });
          session.respondToElicit('elicit-1', row(3));
          expect(yield* endOf(session)).toMatchObject({ type: 'result' });
        }
        expect([bob.status(), mine.status()]).toEqual(['awaiting_elicit', 'awaiting_elicit']);
      },
      { own: [''] },
    ),
  );
});

describe('whatever principals do', () => {
  const step = fc.record({
    principal: fc.constantFrom('ada', 'bob', 'eve', 'me'),
    does: fc.constantFrom('asks', 'asks', 'runs', 'runs', 'answers', 'attaches'),
    bytes: fc.constantFrom(0, 0.3 * MB, 0.9 * MB),
  });

  it('each stays within its share, the person is never refused, and who has little loses nothing', async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), (steps) =>
        withManager(function* ({ manager }) {
          const all: Session[] = [];
          const liveOf = (name: string) => all.filter((one) => one.principal === name && !one.ended());
          const waitingOf = (name: string) => liveOf(name).filter((one) => !attached.has(one) && asking(one));
          const asking = (one: Session) => one.openAsks().length > 0;
          const attached = new Set<Session>();
          for (const { principal, does, bytes } of steps) {
            const before = new Map(
              ['ada', 'bob', 'eve', 'me'].map((name) => [
                name,
                { waiting: waitingOf(name), live: liveOf(name).length },
              ]),
            );
            if (does === 'asks' || does === 'runs') {
              const code = does === 'asks' ? asks : busy;
              try {
                const params = { text: 'x'.repeat(bytes) };
                all.push(yield* manager.create({ tool: code, params, principal }));
              } catch (error) {
                expect(error).toMatchObject({ code: 'SESSION_LIMIT' });
                expect(principal).not.toBe('me');
                refused += 1;
              }
            } else {
              const [one] = waitingOf(principal);
              if (does === 'answers') one?.respondToElicit('elicit-1', row(1));
              else if (one && attached.add(one)) one.attachNow(clientOf());
            }
            yield* eventLoopTurn();
            yield* eventLoopTurn();
            for (const name of ['ada', 'bob', 'eve']) {
              const live = liveOf(name);
              expect(waitingOf(name).length).toBeLessThanOrEqual(3);
              expect(live.length).toBeLessThanOrEqual(4);
              const held = live.reduce((sum, one) => sum + sizeOf(one.params), 0);
              expect(held).toBeLessThanOrEqual(2 * MB);
              // A fair part of the six places, and of eight calls, is two: with no more than that, it is never one of these that
              // gives way to others.
              const mine = before.get(name);
              if (name !== principal && mine && mine.live <= 2)
                expect(mine.waiting.every((one) => !one.ended())).toBe(true);
            }
            const lost = (before.get('me')?.waiting ?? []).filter((one) => one.ended()?.type === 'aborted');
            expect(lost).toEqual([]);
          }
        }, small)(),
      ),
      { numRuns: 60 },
    );
    expect(refused).toBeGreaterThan(0);
  });
});
