import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Operation, race, suspend } from 'effection';
import { describe, expect, it } from 'vitest';
import type { ManagerOptions } from '#src/runtime/manager/manager.ts';
import type { Session } from '#src/runtime/session/session.ts';
import { eventLoopTurn } from '#src/runtime/time/event-loop.ts';
import { advance, clientOf, endOf, row, tool, withManager } from './session-kit.ts';

const MB = 2 ** 20;
const small: ManagerOptions = { limits: { share: { maxBytes: 2 * MB } }, own: ['me'] };

const asks = tool((ctx) => ctx.elicit('seat', { message: 'Which seat?' }));
const attending = clientOf({
  *elicit() {
    yield* suspend();
    return { action: 'cancel' };
  },
});

describe('what callers answer', () => {
  const text = 'x'.repeat(0.9 * MB);
  const seat = (dish: string) => ({ action: 'accept', content: { dish } }) as const;
  const twice = tool(function* (ctx) {
    yield* ctx.elicit('meal', { message: 'Which?', dishes: [] });
    yield* ctx.elicit('meal', { message: 'And then?', dishes: [] });
  });
  const open = (session: Session) => session.openAsks()[0]?.id ?? '';

  it(
    'is bounded with what calls were given: the oldest that waits gives way, and lets go of it',
    withManager(function* ({ manager }) {
      const create = (principal: string) => manager.create({ tool: twice, params: {}, principal });
      const all = [yield* create('ada'), yield* create('ada'), yield* create('ada'), yield* create('bob')];
      for (const session of all) yield* session.respond(open(session), seat(text));
      yield* eventLoopTurn();
      expect(all.map((session) => session.status())).toEqual([
        'aborted',
        'awaiting_elicit',
        'awaiting_elicit',
        'awaiting_elicit',
      ]);
      expect(all[0]?.ended()).toMatchObject({ reason: expect.stringContaining('calls hold 2 MB already') });
      expect(JSON.stringify([all[0]?.journal(), all[0]?.events()]).length).toBeLessThan(10_000);
    }, small),
  );

  it(
    'can be taken up from the journal of a call that ended unattended, where that is small',
    withManager(function* ({ manager }) {
      const session = yield* manager.create({ tool: twice, params: {}, retain: true });
      yield* session.respond(open(session), seat('soup'));
      yield* session.abort();
      manager.forget(session);
      const again = yield* manager.resume({ tool: twice, journal: session.journal(), replay: 'lenient' });
      expect(again.openAsks()).toMatchObject([{ id: 'elicit-2' }]);
    }),
  );

  it(
    'is dropped with a large journal when a call ends unattended: to resume it says so',
    withManager(function* ({ manager }) {
      const session = yield* manager.create({ tool: twice, params: {}, retain: true });
      yield* session.respond(open(session), seat(text));
      yield* session.abort();
      const journal = session.journal();
      expect(journal.lines).toEqual([]);
      const replay = 'lenient' as const;
      let problem = '';
      try {
        yield* manager.resume({ tool: twice, journal, replay });
      } catch (error) {
        problem = (error as Error).message;
      }
      expect(problem).toContain('or it was read after its call had ended');
    }),
  );

  it(
    'ends the call that is given too much, where none waits that could give way',
    withManager(function* ({ manager }) {
      const all: Session[] = [];
      for (let n = 0; n < 3; n++) {
        const session = yield* manager.create({ tool: twice, params: {}, principal: 'ada', retain: true });
        session.attachNow(attending);
        yield* session.respond(open(session), seat(text));
        yield* eventLoopTurn();
        all.push(session);
      }
      expect(all.map((session) => session.status())).toEqual([
        'awaiting_elicit',
        'awaiting_elicit',
        'failed',
      ]);
      expect(all[2]?.ended()).toMatchObject({ type: 'error', error: { code: 'SESSION_LIMIT' } });
      expect(all[2]?.params).toBeUndefined();
    }, small),
  );

  it(
    'counts in a call that is taken up',
    withManager(function* ({ manager }) {
      const first = yield* manager.create({ tool: twice, params: {}, principal: 'bob' });
      yield* first.respond(open(first), seat(text));
      const { header, lines } = first.journal();
      const takeUp = (callId: string) =>
        manager.resume({
          tool: twice,
          journal: { header: { ...header, callId, principal: 'ada' }, lines },
          replay: 'lenient',
        });
      const all = [yield* takeUp('a'), yield* takeUp('b'), yield* takeUp('c')];
      yield* eventLoopTurn();
      expect(all.map((session) => session.status())).toEqual([
        'aborted',
        'awaiting_elicit',
        'awaiting_elicit',
      ]);
    }, small),
  );

  it(
    'counts not for the person whose program it is',
    withManager(function* ({ manager }) {
      const all = [];
      for (let n = 0; n < 4; n++)
        all.push(yield* manager.create({ tool: twice, params: {}, principal: 'me' }));
      for (const session of all) yield* session.respond(open(session), seat(text));
      yield* eventLoopTurn();
      for (const session of all) expect(session.status()).toBe('awaiting_elicit');
    }, small),
  );
});

describe('a call that nobody attends to', () => {
  const says = tool(function* (ctx) {
    yield* ctx.log('info', 'x'.repeat(0.8 * MB));
    return yield* ctx.elicit('seat', { message: 'Which seat?' });
  });

  it(
    'counts with what its tool said, too; one that somebody attends to does not',
    withManager(function* ({ manager }) {
      const create = () => manager.create({ tool: says, params: {}, principal: 'ada' });
      const all: Session[] = [];
      for (let n = 0; n < 4; n++) {
        const session = yield* create();
        session.attachNow(attending);
        all.push(session);
      }
      yield* eventLoopTurn();
      yield* eventLoopTurn();
      expect(all.map((session) => session.status())).toEqual(Array(4).fill('awaiting_elicit'));
    }, small),
  );

  it(
    'gives way as soon as it is too much',
    withManager(function* ({ manager }) {
      const all: Session[] = [];
      for (let n = 0; n < 3; n++)
        all.push(yield* manager.create({ tool: says, params: {}, principal: 'ada' }));
      yield* eventLoopTurn();
      yield* eventLoopTurn();
      expect(all.map((session) => session.status())).toEqual([
        'aborted',
        'awaiting_elicit',
        'awaiting_elicit',
      ]);
    }, small),
  );

  it(
    'keeps its end, once it has ended, and not what it was given',
    withManager(function* ({ manager, clock }) {
      const ends = tool(function* (ctx, { text }) {
        yield* race([ctx.elicit('seat', { message: 'Which seat?' }), ctx.sleep(1_000)]);
        return String(text)
          .slice(0, 1)
          .repeat(0.7 * MB);
      });
      const all: Session[] = [];
      for (const callId of ['a', 'b', 'c', 'd']) {
        const params = { text: callId.repeat(0.4 * MB) };
        all.push(yield* manager.create({ tool: ends, params, principal: 'ada', retain: true, callId }));
      }
      yield* advance(clock, 1_000);
      for (const session of all) yield* endOf(session);
      yield* eventLoopTurn();
      const kept = ['a', 'b', 'c', 'd'].filter((callId) => manager.get({ principal: 'ada', callId }));
      expect(kept).toEqual(['c', 'd']);
      for (const session of all) {
        expect(session.params).toBeUndefined();
        expect(session.journal().lines).toEqual([]);
      }
    }, small),
  );
});

describe('what a call was given', () => {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  const left = (all: readonly WeakRef<object>[]) => all.filter((one) => one.deref()).length;

  const gaveWay = function* (session: Session): Operation<void> {
    expect(session.ended()).toMatchObject({ type: 'aborted' });
  };
  const wasLeft = function* (session: Session): Operation<void> {
    const lease = session.attachNow(attending);
    session.respondToElicit('elicit-1', row(1));
    expect(yield* endOf(session)).toMatchObject({ type: 'result' });
    lease.detach();
  };

  it.each([
    ['has given way', 10, gaveWay],
    ['has ended, and whoever attended to it has left', 100, wasLeft],
  ])('is not kept once it %s', (_, maxWaiting, ends) =>
    withManager(
      function* ({ manager }) {
        const given: WeakRef<object>[] = [];
        const sessions: Session[] = [];
        for (let n = 0; n < 40; n++) {
          const options = {
            tool: asks,
            params: { n, note: 'x'.repeat(70_000) },
            principal: 'ada',
            retain: true,
          };
          const session = yield* manager.create(options);
          given.push(new WeakRef(session.params as object));
          sessions.push(session);
        }
        yield* eventLoopTurn();
        yield* eventLoopTurn();
        const first = sessions.slice(0, 30);
        for (const session of first) yield* ends(session);
        yield* eventLoopTurn();
        gc();
        yield* eventLoopTurn();
        gc();
        expect(left(given)).toBeLessThan(15);
        expect(first.map(({ params }) => params)).toEqual(Array(30).fill(undefined));
      },
      { limits: { share: { maxWaiting } } },
    )(),
  );
});
