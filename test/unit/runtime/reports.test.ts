import { type Operation, spawn, until } from 'effection';
import { describe, expect, it } from 'vitest';
import type { LogLevel } from '#src/core/tool/context.ts';
import { compose } from '#src/runtime/drive/compose.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import type { SessionEvent } from '#src/runtime/session/events.ts';
import { eventLoopTurn } from '#src/runtime/time/event-loop.ts';
import { advance, type Ctx, clientOf, endOf, row, said, tool, waits, withManager } from './session-kit.ts';

describe('logs and progress', () => {
  it(
    'reach a driver in order, where they stand among the asks, and before the result',
    withManager(function* ({ manager }) {
      const code = tool(function* (ctx: Ctx) {
        yield* ctx.log('info', 'one', { n: 1 });
        yield* ctx.notify('two', 0.25);
        yield* ctx.elicit('seat', { message: '?' });
        yield* ctx.notify('three', { value: 3, total: 7 });
        yield* ctx.branch(function* (branch) {
          yield* branch.log('warning', 'four');
        });
        return 'done';
      });
      const told: unknown[] = [];
      const client = clientOf({
        *elicit() {
          told.push('asked');
          return row(1);
        },
        *log({ level, message, data, depth }) {
          told.push([level, message, data, depth]);
        },
        *notify({ message, value, total }) {
          told.push([message, value, total]);
        },
      });
      const session = yield* manager.create({ tool: code, params: {} });
      yield* drive(session, client, 'end');
      expect(told).toEqual([
        ['info', 'one', { n: 1 }, 0],
        ['two', 0.25, 1],
        'asked',
        ['three', 3, 7],
        ['warning', 'four', undefined, 1],
      ]);
    }),
  );

  it(
    'are all delivered before the result also to a slow observer, which holds up no ask',
    withManager(function* ({ manager, clock }) {
      const code = tool(function* (ctx: Ctx) {
        for (const n of ['1', '2', '3']) yield* ctx.log('info', n);
        yield* ctx.sample({ prompt: 'x' });
      });
      const told: string[] = [];
      const client = clientOf({
        *sample() {
          told.push('sampled');
          return said('y');
        },
        *log({ message }) {
          yield* clock.sleep(1_000);
          told.push(message);
        },
      });
      const session = yield* manager.create({ tool: code, params: {} });
      const driving = yield* spawn(() => drive(session, client, 'end'));
      for (let n = 0; n < 3; n++) yield* advance(clock, 1_000);
      expect(yield* driving).toMatchObject({ type: 'result' });
      expect(told).toEqual(['sampled', '1', '2', '3']);
    }),
  );

  it(
    'are given up after a while on an observer that never comes back',
    withManager(function* ({ manager, clock, diagnostics }) {
      const code = tool((ctx: Ctx) => ctx.log('info', 'x'));
      const session = yield* manager.create({ tool: code, params: {} });
      const driving = yield* spawn(() => drive(session, clientOf({ log: waits }), 'end'));
      yield* advance(clock, 5_000);
      expect(yield* driving).toMatchObject({ type: 'result' });
      expect(diagnostics).toMatchObject([{ message: expect.stringContaining('too slow') }]);
    }),
  );

  it(
    'go to every composed client; one that fails is reported and harms nothing',
    withManager(function* ({ manager, diagnostics }) {
      const told: string[] = [];
      const broken = clientOf({
        name: 'broken',
        *log() {
          throw new Error('pipe closed');
        },
        *notify() {
          throw new Error('pipe closed');
        },
      });
      const sound = clientOf({
        *log({ message }) {
          told.push(message);
        },
        *notify({ message }) {
          told.push(message);
        },
      });
      const code = tool(function* (ctx: Ctx) {
        yield* ctx.log('info', 'one');
        yield* ctx.notify('two');
        return 'fine';
      });
      const session = yield* manager.create({ tool: code, params: {} });
      expect(yield* drive(session, compose(broken, sound), 'end')).toMatchObject({ value: 'fine' });
      expect(told).toEqual(['one', 'two']);
      expect(diagnostics.map(({ message }) => message)).toEqual([
        'broken failed to take a log event',
        'broken failed to take a progress event',
      ]);
    }),
  );

  it(
    'that come ten thousand at once leave a slow observer a gap, and everybody a turn',
    withManager(function* ({ manager }) {
      const code = tool(function* (ctx: Ctx) {
        for (let n = 1; n <= 10_000; n++) yield* ctx.log('debug', `line ${n}`);
      });
      const told: string[] = [];
      const client = clientOf({
        *log({ message }) {
          yield* eventLoopTurn();
          yield* eventLoopTurn();
          told.push(message);
        },
      });
      const session = yield* manager.create({ tool: code, params: {} });
      yield* drive(session, client, 'end');
      const missing = told.filter((message) => message.includes('missing'));
      expect(missing.length).toBeGreaterThan(0);
      const dropped = missing.reduce((sum, message) => sum + Number.parseInt(message, 10), 0);
      expect(told.length - missing.length + dropped).toBe(10_000);
      expect(told.at(-1)).toBe('line 10000');
      expect(session.events().length).toBeLessThan(2_100);
    }),
  );

  it(
    'that are long reach a client that takes each at its next turn, without a gap',
    withManager(function* ({ manager }) {
      const code = tool(function* (ctx: Ctx) {
        for (let n = 1; n <= 200; n++) yield* ctx.log('debug', `line ${n} `.padEnd(100_000, 'x'));
      });
      const told: string[] = [];
      const client = clientOf({
        *log({ message }) {
          yield* until(Promise.resolve());
          told.push(message.slice(0, 10).trim());
        },
      });
      const session = yield* manager.create({ tool: code, params: {} });
      yield* drive(session, client, 'end');
      expect(told.filter((message) => message.includes('missing'))).toEqual([]);
      expect(told).toHaveLength(200);
    }),
  );

  it(
    'never fail the tool, whatever it says',
    withManager(function* ({ manager }) {
      const circle: Record<string, unknown> = { name: 'circle' };
      circle.self = circle;
      const hostile = {
        get boom() {
          throw new Error('no');
        },
      };
      const code = tool(function* (ctx: Ctx) {
        yield* ctx.log('info', 'data', [circle, 1n, () => {}, new Error('cause'), new Map(), new Date(0)]);
        yield* ctx.log('info', 'hostile', hostile);
        yield* ctx.log('loud' as LogLevel, 5 as unknown as string);
        yield* ctx.notify('nan', Number.NaN);
        yield* ctx.notify('fifty', 50);
        for (const wrong of ['50', { percent: 50 }, { value: '3' }])
          yield* ctx.notify('lost', wrong as never);
        yield* ctx.notify('endless', { value: 1, total: Number.POSITIVE_INFINITY });
      });
      const session = yield* manager.create({ tool: code, params: {} });
      expect(yield* endOf(session)).toMatchObject({ type: 'result' });
      const reports = session.events().filter(({ type }) => type === 'log' || type === 'progress');
      expect(reports).toMatchObject([
        {
          data: [
            { name: 'circle', self: '[a part of itself]' },
            '1',
            '[a function]',
            { name: 'Error', message: 'cause' },
            '[a Map]',
            '1970-01-01T00:00:00.000Z',
          ],
        },
        { data: expect.stringContaining('no') },
        { level: 'warning', message: expect.stringMatching(/level 'loud'.*debug, info, notice, warning/) },
        { level: 'info', message: '5' },
        { message: 'nan' },
        { level: 'warning', message: expect.stringContaining('write { value: 50, total: … }') },
        { message: 'fifty' },
        ...['50', 'percent', 'value'].flatMap(() => [
          { level: 'warning', message: expect.stringContaining('or { value: 3, total: 7 }') },
          { message: 'lost' },
        ]),
        { message: 'endless', value: 1 },
      ]);
      expect(reports[4]).not.toHaveProperty('value');
      expect(reports.at(-1)).not.toHaveProperty('total');
    }),
  );

  it(
    'reach listeners in one order also when a listener answers an ask',
    withManager(function* ({ manager }) {
      const seen: number[][] = [[], []];
      const code = tool(function* (ctx: Ctx) {
        yield* ctx.log('info', 'a');
        yield* ctx.elicit('seat', { message: '?' });
        yield* ctx.log('info', 'b');
      });
      manager.subscribe(({ type, session }) => {
        if (type !== 'started') return;
        session.subscribe((event: SessionEvent) => {
          seen[0]?.push(event.at);
          if (event.type === 'elicit_request') session.respondToElicit(event.ask.id, row(1));
        });
        session.subscribe((event: SessionEvent) => void seen[1]?.push(event.at));
      });
      const session = yield* manager.create({ tool: code, params: {} });
      yield* endOf(session);
      expect(seen).toEqual([
        [1, 2, 3, 4, 5],
        [1, 2, 3, 4, 5],
      ]);
    }),
  );

  it(
    'are seen once by every consumer, also by one that waits while another answers',
    withManager(function* ({ manager }) {
      const code = tool(function* (ctx: Ctx) {
        yield* eventLoopTurn();
        yield* ctx.log('info', 'a');
        yield* ctx.elicit('seat', { message: '?' });
        yield* ctx.log('info', 'b');
      });
      const session = yield* manager.create({ tool: code, params: {} });
      function* consume(answer: boolean): Operation<readonly number[]> {
        const seen: number[] = [];
        for (let at = 0; ; ) {
          const event = yield* session.nextEvent(at);
          if (event.at === at) return seen;
          at = event.at;
          seen.push(at);
          if (answer && event.type === 'elicit_request') session.respondToElicit('elicit-1', row(1));
        }
      }
      const one = yield* spawn(() => consume(true));
      const two = yield* spawn(() => consume(false));
      expect(yield* one).toEqual([1, 2, 3, 4, 5]);
      expect(yield* two).toEqual([1, 2, 3, 4, 5]);
      expect(yield* consume(false)).toEqual([1, 2, 3, 4, 5]);
    }),
  );
});
