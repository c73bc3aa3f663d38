import { type Operation, race, sleep, spawn } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { isParleyError } from '#src/core/errors/errors.ts';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import { eventLoopTurn } from '#src/runtime/time/event-loop.ts';
import {
  accept,
  type Ctx,
  clientOf,
  endOf,
  eventOf,
  rejects,
  row,
  said,
  tool,
  typesOf,
  waits,
  withManager,
} from './session-kit.ts';

const asksSeat = () =>
  tool(function* (ctx: Ctx) {
    const answer = yield* ctx.elicit('seat', { message: 'Which row?' });
    return answer.action === 'accept' ? answer.content.row : answer.action;
  });

function* calling(fn: () => void): Operation<void> {
  fn();
}

describe('an answer', () => {
  it(
    'goes to the tool as the schema parses it, and on record as it was given',
    withManager(function* ({ manager }) {
      const parsed = createMcpTool('parsed')
        .description('d')
        .parameters(z.object({}))
        .elicits({
          when: z.object({ day: z.iso.date().transform((day) => day.length), n: z.int().default(4) }),
        })
        .execute(function* (_, ctx) {
          const answer = yield* ctx.elicit('when', { message: '?' });
          return answer.action === 'accept' ? answer.content : null;
        });
      const session = yield* manager.create({ tool: parsed, params: {} });
      session.respondToElicit('elicit-1', accept({ day: '2026-07-28' }));
      expect(yield* endOf(session)).toMatchObject({ value: { day: 10, n: 4 } });
      expect(session.events().find(({ type }) => type === 'ask_closed')).toMatchObject({
        how: 'answered',
        answer: { action: 'accept', content: { day: '2026-07-28' } },
      });
    }),
  );

  it(
    'may be decline or cancel, and brings no content along',
    withManager(function* ({ manager }) {
      for (const action of ['decline', 'cancel'] as const) {
        const session = yield* manager.create({ tool: asksSeat(), params: {} });
        session.respondToElicit('elicit-1', { action });
        expect(yield* endOf(session)).toMatchObject({ value: action });
      }
    }),
  );

  it(
    'is refused with a typed error for a wrong id, a closed ask, an old attempt or the wrong shape',
    withManager(function* ({ manager }) {
      const session = yield* manager.create({ tool: asksSeat(), params: {} });
      const respond = (id: string, answer: unknown, attempt?: number) => () =>
        calling(() => session.respond(id, answer as ReturnType<typeof row>, attempt));
      yield* rejects(respond('elicit-2', row(1)), 'ASK_NOT_FOUND');
      yield* rejects(respond('nonsense', row(1)), 'ASK_NOT_FOUND');
      for (const shape of [null, undefined, 'yes', {}, { action: 'maybe' }, said('x')]) {
        yield* rejects(respond('elicit-1', shape), 'ANSWER_INVALID');
      }
      yield* rejects(respond('elicit-1', row(1), 2), 'ANSWER_STALE');
      expect(session.status()).toBe('awaiting_elicit');
      session.respond('elicit-1', row(99), 1);
      yield* rejects(respond('elicit-1', row(1), 1), 'ANSWER_STALE');
      session.respond('elicit-1', row(1), 2);
      yield* rejects(respond('elicit-1', row(1)), 'ASK_CLOSED');
      yield* rejects(() => calling(() => session.fail('elicit-1', new Error())), 'ASK_CLOSED');
      expect(yield* endOf(session)).toMatchObject({ value: 1 });
    }),
  );

  it(
    'to a sampling or a roots request is checked for its shape',
    withManager(function* ({ manager }) {
      const code = tool(function* (ctx) {
        const { text, model } = yield* ctx.sample({ prompt: 'x' });
        return { text, model, roots: yield* ctx.roots() };
      });
      const session = yield* manager.create({ tool: code, params: {} });
      const respond = (id: string, answer: unknown) => () =>
        calling(() => session.respond(id, answer as ReturnType<typeof said>));
      yield* rejects(respond('sample-1', { model: 'm' }), 'ANSWER_INVALID');
      yield* rejects(respond('sample-1', { content: () => {} }), 'ANSWER_INVALID');
      yield* rejects(() => calling(() => session.respondToElicit('sample-1', row(1))), 'ASK_NOT_FOUND');
      session.respond('sample-1', said('hello'));
      yield* eventOf(session, 'roots_request');
      yield* rejects(respond('roots-1', { roots: 'all' }), 'ANSWER_INVALID');
      yield* rejects(respond('roots-1', { roots: [{ name: 'x' }] }), 'ANSWER_INVALID');
      session.respond('roots-1', { roots: [{ uri: 'file:///a', name: 'a' }, { uri: 'file:///b' }] });
      expect(yield* endOf(session)).toMatchObject({
        value: { text: 'hello', model: 'm', roots: [{ uri: 'file:///a', name: 'a' }, { uri: 'file:///b' }] },
      });
    }),
  );

  it(
    'may be an error, which is thrown at the tool’s own line',
    withManager(function* ({ manager }) {
      const code = tool(function* (ctx) {
        try {
          yield* ctx.elicit('seat', { message: '?' });
        } catch (error) {
          return (error as Error).message;
        }
      });
      const session = yield* manager.create({ tool: code, params: {} });
      session.fail('elicit-1', new Error('the panel is gone'));
      expect(yield* endOf(session)).toMatchObject({ value: 'the panel is gone' });
      expect(typesOf(session)).toContain('ask_closed elicit-1 failed');
    }),
  );
});

describe('asking again', () => {
  it(
    'keeps id, seq and key, counts the attempt and says what was wrong, a turn of the event loop later',
    withManager(function* ({ manager }) {
      const session = yield* manager.create({ tool: asksSeat(), params: {} });
      session.respondToElicit('elicit-1', row(77));
      expect(session.events()).toHaveLength(1);
      expect(session.openAsks()).toMatchObject([{ id: 'elicit-1', attempt: 2 }]);
      const again = yield* eventOf(session, 'elicit_request', 1);
      expect(again.ask).toMatchObject({
        id: 'elicit-1',
        wireKey: 'seat',
        ref: { key: 'seat', seq: 1 },
        attempt: 2,
        problem: expect.stringContaining('row'),
      });
    }),
  );

  it(
    'goes on for ever with a listener that is always wrong, and starves nobody',
    withManager(function* ({ manager }) {
      const session = yield* manager.create({ tool: asksSeat(), params: {} });
      let asked = 0;
      session.subscribe((event) => {
        if (event.type !== 'elicit_request') return;
        asked += 1;
        session.respondToElicit('elicit-1', row(0));
      });
      session.respondToElicit('elicit-1', row(0));
      // Turns, not milliseconds: of those a slow machine has many in one.
      for (let turns = 0; turns < 50; turns++) yield* eventLoopTurn();
      expect(asked).toBeGreaterThan(10);
      expect(session.events().length).toBe(asked + 1);
      session.respondToElicit('elicit-1', row(3));
      expect(yield* endOf(session)).toMatchObject({ value: 3 });
    }),
  );

  it(
    'ends with ElicitationInvalidError after three wrong answers of a script, and never of a panel',
    withManager(function* ({ manager }) {
      let given = 0;
      function* elicit() {
        given += 1;
        return given < 6 ? row(0) : row(6);
      }
      const script = yield* manager.create({ tool: asksSeat(), params: {} });
      expect(yield* drive(script, clientOf({ elicit }), 'end')).toMatchObject({
        error: { code: 'ELICITATION_INVALID', details: { key: 'seat', attempts: 3 } },
      });
      expect(given).toBe(3);
      const panel = yield* manager.create({ tool: asksSeat(), params: {} });
      const client = clientOf({ elicit, maxAttempts: () => Number.POSITIVE_INFINITY });
      expect(yield* drive(panel, client, 'end')).toMatchObject({ value: 6 });
    }),
  );

  it(
    'works with a schema that is asynchronous; what comes meanwhile is stale',
    withManager(function* ({ manager }) {
      const slow = createMcpTool('slow')
        .description('d')
        .parameters(z.object({}))
        .elicits({ name: z.object({ name: z.string().refine(async (name) => name !== 'taken') }) })
        .execute(function* (_, ctx) {
          const answer = yield* ctx.elicit('name', { message: '?' });
          return answer.action === 'accept' ? answer.content.name : null;
        });
      const session = yield* manager.create({ tool: slow, params: {} });
      session.respondToElicit('elicit-1', accept({ name: 'taken' }));
      yield* rejects(
        () => calling(() => session.respondToElicit('elicit-1', accept({ name: 'b' }))),
        'ANSWER_STALE',
      );
      const again = yield* eventOf(session, 'elicit_request', 1);
      expect(again.ask.attempt).toBe(2);
      session.respondToElicit('elicit-1', accept({ name: 'free' }));
      expect(yield* endOf(session)).toMatchObject({ value: 'free' });
    }),
  );

  it(
    'is called off when the call ends first',
    withManager(function* ({ manager }) {
      const session = yield* manager.create({ tool: asksSeat(), params: {} });
      session.respondToElicit('elicit-1', row(0));
      yield* session.abort();
      yield* eventLoopTurn();
      yield* eventLoopTurn();
      expect(typesOf(session)).toEqual([
        'elicit_request elicit-1#1',
        'ask_closed elicit-1 withdrawn',
        'aborted',
      ]);
    }),
  );
});

describe('one question at a time', () => {
  it(
    'throws at the second, and the first lives on',
    withManager(function* ({ manager }) {
      const codes: unknown[] = [];
      const code = tool(function* (ctx) {
        yield* spawn(function* () {
          try {
            yield* ctx.elicit('meal', { message: 'And?', dishes: ['soup'] });
          } catch (error) {
            codes.push(isParleyError(error) && [error.code, error.details]);
          }
        });
        const first = yield* ctx.elicit('seat', { message: '?' });
        return first.action;
      });
      const session = yield* manager.create({ tool: code, params: {} });
      yield* eventLoopTurn();
      expect(codes).toEqual([['ELICITATION_PENDING', { key: 'meal', pendingKey: 'seat' }]]);
      session.respondToElicit('elicit-1', row(1));
      expect(yield* endOf(session)).toMatchObject({ value: 'accept' });
    }),
  );

  it(
    'frees the place at once when a race is lost, and withdraws the question',
    withManager(function* ({ manager, clock }) {
      const code = tool(function* (ctx) {
        const first = yield* race<Operation<unknown>>([
          ctx.elicit('seat', { message: '?' }),
          (function* () {
            yield* clock.sleep(1_000);
            return 'late';
          })(),
        ]);
        const second = yield* ctx.elicit('seat', { message: 'Once more?' });
        return [first, second.action];
      });
      const session = yield* manager.create({ tool: code, params: {} });
      yield* eventOf(session, 'elicit_request');
      yield* eventLoopTurn();
      clock.advance(1_000);
      const closed = yield* eventOf(session, 'ask_closed');
      expect(closed).toMatchObject({ id: 'elicit-1', how: 'withdrawn' });
      const { ask } = yield* eventOf(session, 'elicit_request', closed.at);
      expect(ask).toMatchObject({ id: 'elicit-2', wireKey: 'seat#2', ref: { seq: 2 } });
      session.respondToElicit('elicit-2', row(2));
      expect(yield* endOf(session)).toMatchObject({ value: ['late', 'accept'] });
    }),
  );
});

describe('two drivers on one session', () => {
  it(
    'both see every event, and an elicitation goes to the first valid answer',
    withManager(function* ({ manager, clock }) {
      const session = yield* manager.create({ tool: asksSeat(), params: {} });
      const seen: string[] = [];
      const surface = (name: string, after: number) =>
        clientOf({
          name,
          *elicit(ask) {
            seen.push(`${name} asked #${ask.attempt}`);
            try {
              yield* clock.sleep(after);
              return row(after === 10 && ask.attempt === 1 ? 0 : after);
            } finally {
              seen.push(`${name} done`);
            }
          },
        });
      const fast = yield* spawn(() => drive(session, surface('fast', 10), 'end'));
      const slow = yield* spawn(() => drive(session, surface('slow', 15), 'end'));
      for (let at = 0; at < 5; at++) {
        yield* eventLoopTurn();
        yield* eventLoopTurn();
        clock.advance(5);
      }
      expect(yield* fast).toMatchObject({ value: 10 });
      expect(yield* slow).toMatchObject({ value: 10 });
      expect(seen.slice(0, 2)).toEqual(['fast asked #1', 'slow asked #1']);
      // What one has answered wrongly is asked again at both.
      expect(seen.slice(2, 6).sort()).toEqual(['fast asked #2', 'fast done', 'slow asked #2', 'slow done']);
      expect(seen.slice(6)).toEqual(['fast done', 'slow done']);
    }),
  );

  it(
    'never run one sampling twice; when its driver goes, the other takes over',
    withManager(function* ({ manager }) {
      const code = tool(function* (ctx) {
        return (yield* ctx.sample({ prompt: 'x' })).text;
      });
      const session = yield* manager.create({ tool: code, params: {} });
      const ran: string[] = [];
      const first = yield* spawn(() =>
        drive(
          session,
          clientOf({
            *sample() {
              ran.push('first');
              return yield* waits();
            },
          }),
          'end',
        ),
      );
      yield* eventLoopTurn();
      const second = yield* spawn(() =>
        drive(
          session,
          clientOf({
            *sample() {
              ran.push('second');
              return said('from the second');
            },
          }),
          'end',
        ),
      );
      yield* eventLoopTurn();
      expect(ran).toEqual(['first']);
      yield* first.halt();
      expect(yield* second).toMatchObject({ value: 'from the second' });
      expect(ran).toEqual(['first', 'second']);
    }),
  );

  it(
    'claim and release by lease',
    withManager(function* ({ manager }) {
      const code = tool(function* (ctx) {
        return (yield* ctx.sample({ prompt: 'x' })).text;
      });
      const session = yield* manager.create({ tool: code, params: {} });
      const freed: string[] = [];
      const one = session.attachNow(clientOf());
      const two = session.attachNow(clientOf());
      two.onFreed(() => freed.push('two may'));
      expect([one.claim('sample-1'), two.claim('sample-1'), one.claim('sample-1')]).toEqual([
        true,
        false,
        true,
      ]);
      two.release('sample-1');
      expect(two.claim('sample-1')).toBe(false);
      one.release('sample-1');
      expect(freed).toEqual(['two may']);
      expect(two.claim('sample-1')).toBe(true);
      two.detach();
      expect(two.claim('sample-1')).toBe(false);
      expect(one.claim('sample-1')).toBe(true);
      expect(one.claim('sample-9')).toBe(false);
      one.detach();
      yield* session.abort();
    }),
  );
});

describe('keys on a wire', () => {
  it(
    'are the declared key first, then key#n, and kind#n for what has no name',
    withManager(function* ({ manager }) {
      const code = tool(function* (ctx) {
        yield* ctx.elicit('seat', { message: '1' });
        yield* ctx.elicit({ message: '2', schema: z.object({ a: z.string() }) });
        yield* ctx.elicit('seat', { message: '3' });
        yield* ctx.sample({ prompt: '4' });
        yield* ctx.sample({ prompt: '5', key: 'tip' });
        yield* ctx.sample({ prompt: '6', key: 'tip' });
        yield* ctx.sample({ prompt: '7', key: 'sample' });
        yield* ctx.sample({ prompt: '8' });
        yield* ctx.roots();
        yield* ctx.roots({ key: 'home' });
      });
      const session = yield* manager.create({ tool: code, params: {} });
      const client = clientOf({
        *elicit(ask) {
          return ask.declared ? row(1) : accept({ a: 'b' });
        },
        *sample() {
          return said('x');
        },
        *roots() {
          return { roots: [] };
        },
      });
      yield* drive(session, client, 'end');
      const asks = session.events().flatMap((event) => ('ask' in event ? [event.ask] : []));
      expect(asks.map(({ id, wireKey, ref }) => `${id} ${wireKey} ${ref.key} ${ref.seq}`)).toEqual([
        'elicit-1 seat seat 1',
        'elicit-2 elicit#1 elicit 2',
        'elicit-3 seat#2 seat 3',
        'sample-1 sample#1 sample 1',
        'sample-2 tip tip 2',
        'sample-3 tip#2 tip 3',
        'sample-4 sample#2 sample 4',
        'sample-5 sample#3 sample 5',
        'roots-1 roots#1 roots 1',
        'roots-2 home home 2',
      ]);
      expect(new Set(asks.map(({ wireKey }) => wireKey)).size).toBe(asks.length);
    }),
  );
});

describe('capabilities', () => {
  it(
    'are read live, composed of whoever is attached; without them a verb throws at its line',
    withManager(function* ({ manager }) {
      const seen: unknown[] = [];
      const code = tool(function* (ctx) {
        seen.push(ctx.capabilities);
        yield* ctx.elicit('seat', { message: '?' });
        seen.push(ctx.capabilities);
        try {
          yield* ctx.sample({ prompt: 'x' });
        } catch (error) {
          return isParleyError(error) && error.code;
        }
      });
      const session = yield* manager.create({
        tool: code,
        params: {},
        capabilities: { elicitation: { form: true }, sampling: { tools: true } },
      });
      const lease = session.attachNow(clientOf({ elicit: waits }));
      session.respondToElicit('elicit-1', row(1));
      expect(yield* endOf(session)).toMatchObject({ value: 'CAPABILITY' });
      expect(seen).toEqual([
        { elicitation: { form: true }, sampling: { tools: true } },
        { elicitation: { form: true } },
      ]);
      lease.detach();
    }),
  );

  it(
    'that nobody attached has fail an open ask, once no driver has come for it',
    withManager(function* ({ manager }) {
      const session = yield* manager.create({ tool: asksSeat(), params: {} });
      const end = yield* drive(session, clientOf({ sample: waits }), 'end');
      expect(end).toMatchObject({ error: { code: 'CAPABILITY', details: { capability: 'elicitation' } } });
    }),
  );

  it(
    'of another driver leave an ask open',
    withManager(function* ({ manager }) {
      const session = yield* manager.create({ tool: asksSeat(), params: {} });
      const panel = session.attachNow(clientOf({ elicit: waits }));
      const driving = yield* spawn(() => drive(session, clientOf({ sample: waits }), 'end'));
      for (let turns = 0; turns < 5; turns++) yield* eventLoopTurn();
      expect(session.status()).toBe('awaiting_elicit');
      session.respondToElicit('elicit-1', row(4));
      expect(yield* driving).toMatchObject({ value: 4 });
      panel.detach();
    }),
  );
});

describe('a withdrawn ask', () => {
  it(
    'halts the verb that was answering it, and only that',
    withManager(function* ({ manager, clock }) {
      const halted: string[] = [];
      const code = tool(function* (ctx) {
        yield* race<Operation<unknown>>([ctx.sample({ prompt: 'slow' }), clock.sleep(5)]);
        return (yield* ctx.sample({ prompt: 'quick' })).text;
      });
      const session = yield* manager.create({ tool: code, params: {} });
      const client = clientOf({
        *sample(ask) {
          if (ask.id === 'sample-2') return said('ok');
          try {
            return yield* waits();
          } finally {
            halted.push(ask.id);
          }
        },
      });
      const driving = yield* spawn(() => drive(session, client, 'end'));
      yield* eventLoopTurn();
      clock.advance(5);
      expect(yield* driving).toMatchObject({ value: 'ok' });
      expect(halted).toEqual(['sample-1']);
    }),
  );

  it(
    'of a tool that returned with a child still asking is closed before the result',
    withManager(function* ({ manager }) {
      const code = tool(function* (ctx) {
        yield* spawn(() => ctx.elicit('seat', { message: '?' }));
        yield* sleep(0);
        return 'done';
      });
      const session = yield* manager.create({ tool: code, params: {} });
      yield* endOf(session);
      expect(typesOf(session)).toEqual([
        'elicit_request elicit-1#1',
        'ask_closed elicit-1 withdrawn',
        'result',
      ]);
    }),
  );
});
