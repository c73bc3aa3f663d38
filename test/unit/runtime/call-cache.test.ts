import { ensure, type Operation, race, withResolvers } from 'effection';
import { describe, expect, it } from 'vitest';
import { drive } from '#src/runtime/drive/drive.ts';
import type { CreateSession } from '#src/runtime/manager/manager.ts';
import type { Session } from '#src/runtime/session/session.ts';
import { eventLoopTurn } from '#src/runtime/time/event-loop.ts';
import { durable } from './journal/journal-kit.ts';
import { advance, type Ctx, clientOf, type Kit, rejects, row, tool, withManager } from './session-kit.ts';

const asks = tool((ctx) => ctx.elicit.strict('seat', { message: 'Which seat?' }));
const nameOf = ({ principal, id }: { principal: string; id: string }) => ({ principal, callId: id });

/** A call that has come to its question. */
function* waiting(
  { manager }: Pick<Kit, 'manager'>,
  options: Omit<CreateSession, 'params'>,
): Operation<Session> {
  const session = yield* manager.create({ ...options, params: {} });
  while (session.openAsks().length === 0) yield* eventLoopTurn();
  return session;
}

/** What a tool of its own accord does while nobody looks. */
const doings: Readonly<Record<string, (ctx: Ctx, did: () => void) => Operation<unknown>>> = {
  step: (ctx, did) => ctx.step('do', did),
  *sample(ctx, did) {
    yield* ctx.sample({ prompt: 'hi' });
    did();
  },
  *sleep(ctx, did) {
    yield* ctx.sleep(0);
    did();
  },
};

describe('a call that stands still', () => {
  it(
    'goes on as if nothing had been',
    withManager(function* ({ manager }) {
      const session = yield* waiting({ manager }, { tool: asks });
      const cached = manager.cache(nameOf(session), () => expect.unreachable('it is dropped'));
      yield* eventLoopTurn();
      cached?.goOn();
      const end = yield* drive(
        session,
        clientOf({
          elicit: function* () {
            return row(4);
          },
        }),
        'end',
      );
      expect(end).toMatchObject({ type: 'result', value: { row: 4 } });
    }),
  );

  it.each(Object.keys(doings))('is dropped before it does anything: ctx.%s', (doing) =>
    withManager(function* ({ manager, clock }) {
      const woken = withResolvers<void>();
      const said: string[] = [];
      const probe = durable(function* (ctx: Ctx) {
        yield* ensure(() => void said.push('cleaned up'));
        yield* race([
          ctx.elicit('seat', { message: 'Which seat?' }),
          (function* () {
            yield* woken.operation;
            yield* doings[doing]?.(ctx, () => said.push('did it')) ?? [];
          })(),
        ]);
      });
      const session = yield* waiting({ manager }, { tool: probe });
      const { lines } = session.journal();
      const cached = manager.cache(nameOf(session), () => said.push('gone'));
      woken.resolve();
      yield* advance(clock, 1_000);
      expect(said.sort()).toEqual(['cleaned up', 'gone']);
      cached?.goOn();
      expect(session.ended()).toMatchObject({ type: 'aborted' });
      // It can be taken up from where it stood.
      const again = yield* manager.resume({ tool: probe, journal: { ...session.journal(), lines } });
      expect(again.openAsks()[0]).toMatchObject({ id: 'elicit-1' });
    })(),
  );

  it(
    'is dropped as its sleep ends, or its code does',
    withManager(function* ({ manager, clock }) {
      const sleeps = durable(function* (ctx: Ctx) {
        yield* race([ctx.elicit('seat', { message: 'Which?' }), ctx.sleep(500)]);
        yield* ctx.step('after', () => expect.unreachable('it went on'));
      });
      const over = withResolvers<void>();
      const ends = tool(function* (ctx) {
        yield* race([ctx.elicit('seat', { message: 'Which?' }), over.operation]);
      });
      let gone = 0;
      for (const one of [sleeps, ends]) {
        const session = yield* waiting({ manager }, { tool: one });
        manager.cache(nameOf(session), () => gone++);
      }
      yield* advance(clock, 499);
      expect(gone).toBe(0);
      yield* advance(clock, 1);
      expect(gone).toBe(1);
      over.resolve();
      yield* eventLoopTurn();
      expect(gone).toBe(2);
      expect(manager.listActive()).toEqual([]);
    }),
  );

  it(
    'is there for a minute',
    withManager(function* ({ manager, clock }) {
      const gone: string[] = [];
      for (const id of ['a', 'b']) {
        const session = yield* waiting({ manager }, { tool: asks, callId: id });
        manager.cache(nameOf(session), () => gone.push(id));
        yield* advance(clock, 30_000);
      }
      expect(gone).toEqual(['a']);
      yield* advance(clock, 30_000);
      expect(gone).toEqual(['a', 'b']);
    }),
  );

  it(
    'gives way to newer ones where there are many',
    withManager(function* ({ manager }) {
      const gone: string[] = [];
      for (let n = 0; n < 258; n += 1) {
        const session = yield* manager.create({ tool: asks, params: {}, callId: `${n}` });
        manager.cache(nameOf(session), () => gone.push(session.id));
      }
      expect(gone).toEqual(['0', '1']);
    }),
  );

  it(
    'takes up nothing of what its principal may have; it goes on where there is room',
    withManager(
      function* ({ manager }) {
        const first = yield* waiting({ manager }, { tool: asks, principal: 'ada' });
        const attended = first.attachNow(clientOf());
        yield* rejects(() => manager.create({ tool: asks, params: {}, principal: 'ada' }), 'SESSION_LIMIT');
        attended.detach();
        const cached = manager.cache(nameOf(first), () => expect.unreachable('it is dropped'));
        expect(manager.listActive()).toEqual([]);
        const second = yield* waiting({ manager }, { tool: asks, principal: 'ada' });
        const lease = second.attachNow(clientOf());
        expect(() => cached?.goOn()).toThrow('1 calls run already');
        lease.detach();
        yield* second.abort();
        cached?.goOn();
        expect(manager.listActive()).toEqual([first]);
        const third = first.attachNow(clientOf());
        yield* rejects(() => manager.create({ tool: asks, params: {}, principal: 'ada' }), 'SESSION_LIMIT');
        third.detach();
      },
      { limits: { share: { maxSessions: 1 } } },
    ),
  );

  it(
    'gives way to the call when it is taken up again from what is kept of it',
    withManager(function* ({ manager }) {
      let running = 0;
      const probe = durable(function* (ctx: Ctx) {
        running += 1;
        yield* ensure(() => void running--);
        yield* ctx.elicit('seat', { message: 'Which seat?' });
      });
      const session = yield* waiting({ manager }, { tool: probe });
      const journal = structuredClone(session.journal());
      let gone = 0;
      manager.cache(nameOf(session), () => gone++);
      const again = yield* manager.resume({ tool: probe, journal });
      expect([running, gone]).toEqual([1, 1]);
      expect(manager.listActive()).toEqual([again]);
    }),
  );
});
