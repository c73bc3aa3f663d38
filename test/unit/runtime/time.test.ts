import { all, type Operation, sleep, spawn, suspend } from 'effection';
import { describe, expect, it } from 'vitest';
import { drive } from '#src/runtime/drive/drive.ts';
import { eventLoopTurn } from '#src/runtime/time/event-loop.ts';
import { advance, type Ctx, clientOf, endOf, row, said, tool, waits, withManager } from './session-kit.ts';

const limited = { limits: { timeout: 1_000 } };

describe('machine time', () => {
  it(
    'stands still while a question is open, and goes on afterwards',
    withManager(function* ({ manager, clock }) {
      const code = tool(function* (ctx: Ctx) {
        yield* clock.sleep(600);
        yield* ctx.elicit('seat', { message: '?' });
        yield* clock.sleep(600);
      }, limited);
      const session = yield* manager.create({ tool: code, params: {} });
      yield* advance(clock, 600);
      expect(session.status()).toBe('awaiting_elicit');
      yield* advance(clock, 3_600_000 / 2);
      expect(session.status()).toBe('awaiting_elicit');
      expect(session.elapsed()).toBe(600);
      session.respondToElicit('elicit-1', row(1));
      yield* advance(clock, 399);
      expect(session.status()).toBe('running');
      yield* advance(clock, 1);
      expect(session.ended()).toMatchObject({ error: { code: 'TIMEOUT' } });
      expect(session.elapsed()).toBe(1_000);
    }),
  );

  it(
    'runs on during a sampling, and stands still while that waits for consent',
    withManager(function* ({ manager, clock }) {
      const code = tool(function* (ctx: Ctx) {
        return (yield* ctx.sample({ prompt: 'x' })).text;
      }, limited);
      const consent = (answer: string) =>
        clientOf({
          *sample(_, io) {
            yield* clock.sleep(500);
            yield* io.offClock(() => clock.sleep(60_000));
            yield* clock.sleep(400);
            return said(answer);
          },
        });
      const session = yield* manager.create({ tool: code, params: {} });
      const driving = yield* spawn(() => drive(session, consent('fine'), 'end'));
      yield* advance(clock, 500);
      yield* advance(clock, 60_000);
      yield* advance(clock, 400);
      expect(yield* driving).toMatchObject({ value: 'fine' });
      expect(session.elapsed()).toBe(900);
    }),
  );

  it(
    'stands still while any ask is waiting, and runs when a driver comes',
    withManager(function* ({ manager, clock }) {
      const code = tool((ctx: Ctx) => ctx.sample({ prompt: 'x' }), limited);
      const session = yield* manager.create({ tool: code, params: {} });
      yield* advance(clock, 30_000);
      expect(session.status()).toBe('awaiting_sample');
      const lease = session.attachNow(clientOf({ sample: waits }));
      yield* advance(clock, 600);
      lease.detach();
      yield* advance(clock, 30_000);
      expect(session.status()).toBe('awaiting_sample');
      session.attachNow(clientOf({ sample: waits }));
      yield* advance(clock, 400);
      expect(session.status()).toBe('failed');
    }),
  );

  it(
    'is paused by pauses that nest, each of which ends once',
    withManager(function* ({ manager, clock }) {
      const code = tool((ctx: Ctx) => ctx.sample({ prompt: 'x' }), limited);
      const session = yield* manager.create({ tool: code, params: {} });
      session.attachNow(clientOf({ sample: waits }));
      const first = session.pauseClock('sample-1');
      const second = session.pauseClock('sample-1');
      first();
      first();
      yield* advance(clock, 10_000);
      expect(session.elapsed()).toBe(0);
      second();
      yield* advance(clock, 300);
      expect(session.elapsed()).toBe(300);
      session.pauseClock('sample-9')();
      yield* session.abort();
      yield* advance(clock, 300);
      expect(session.elapsed()).toBe(300);
    }),
  );

  it(
    'of a busy branch runs on beside an open question',
    withManager(function* ({ manager, clock }) {
      const code = tool(function* (ctx: Ctx) {
        const busy = yield* spawn(function* () {
          try {
            yield* ctx.branch(() => suspend(), { timeout: 700 });
          } catch (error) {
            return (error as { code?: string }).code;
          }
        });
        const answer = yield* ctx.elicit('seat', { message: '?' });
        return [yield* busy, answer.action];
      }, limited);
      const session = yield* manager.create({ tool: code, params: {} });
      yield* advance(clock, 699);
      yield* advance(clock, 5_000);
      expect(session.status()).toBe('awaiting_elicit');
      session.respondToElicit('elicit-1', row(1));
      expect(yield* endOf(session)).toMatchObject({ value: ['TIMEOUT', 'accept'] });
    }),
  );

  it(
    'of a branch stands still with its own samplings’ consent, and the branch beside it runs on',
    withManager(function* ({ manager, clock }) {
      const code = tool(function* (ctx: Ctx) {
        const one = (prompt: string) =>
          (function* (): Operation<string> {
            try {
              return yield* ctx.branch(
                function* (branch) {
                  return (yield* branch.sample({ prompt })).text;
                },
                { timeout: 100 },
              );
            } catch (error) {
              return String((error as { code?: string }).code);
            }
          })();
        return yield* all([one('asks for consent'), one('is just slow')]);
      });
      const client = clientOf({
        *sample(ask, io) {
          const slow = JSON.stringify(ask.request.messages).includes('slow');
          if (slow) yield* clock.sleep(500);
          else yield* io.offClock(() => clock.sleep(500));
          return said('done');
        },
      });
      const session = yield* manager.create({ tool: code, params: {} });
      const driving = yield* spawn(() => drive(session, client, 'end'));
      yield* advance(clock, 100);
      yield* advance(clock, 400);
      expect(yield* driving).toMatchObject({ value: ['done', 'TIMEOUT'] });
    }),
  );

  it(
    'needs no timer where nothing is limited',
    withManager(function* ({ manager, clock }) {
      const code = tool((ctx: Ctx) => ctx.branch((branch) => branch.sample({ prompt: 'x' })));
      const session = yield* manager.create({ tool: code, params: {} });
      const driving = yield* spawn(() => drive(session, clientOf({ sample: waits }), 'end'));
      yield* eventLoopTurn();
      yield* eventLoopTurn();
      expect(clock.sleeping()).toBe(0);
      yield* session.abort();
      yield* driving;
    }),
  );
});

describe('a tight loop', () => {
  it(
    'of reports lets everybody else have a turn',
    withManager(function* ({ manager }) {
      let turns = 0;
      const ticking = yield* spawn(function* () {
        for (;;) {
          yield* sleep(0);
          turns += 1;
        }
      });
      let stop = false;
      const code = tool(function* (ctx: Ctx) {
        while (!stop) {
          yield* ctx.log('debug', 'again');
          yield* ctx.notify('again');
        }
      });
      const session = yield* manager.create({ tool: code, params: {} });
      while (turns < 5) yield* sleep(0);
      expect(session.status()).toBe('running');
      stop = true;
      yield* endOf(session);
      yield* ticking.halt();
    }),
  );

  it(
    'of samplings that are answered at once lets everybody else have a turn',
    withManager(function* ({ manager }) {
      let stop = false;
      const code = tool(function* (ctx: Ctx) {
        while (!stop)
          yield* ctx.sample({ messages: [{ role: 'user', content: { type: 'text', text: 'x' } }] });
      });
      const client = clientOf({
        *sample() {
          return said('y');
        },
      });
      const session = yield* manager.create({ tool: code, params: {} });
      const driving = yield* spawn(() => drive(session, client, 'end'));
      for (let turns = 0; turns < 5; turns++) yield* sleep(0);
      stop = true;
      expect(yield* driving).toMatchObject({ type: 'result' });
    }),
  );
});
