import { all, type Operation, race, scoped, sleep, spawn, until } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpTool } from '#src/core/index.ts';
import type { ClientCapabilities } from '#src/core/tool/context.ts';
import { compose } from '#src/runtime/drive/compose.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import type { Ask } from '#src/runtime/session/ask.ts';
import type { Client } from '#src/runtime/session/client.ts';
import { eventLoopTurn } from '#src/runtime/time/event-loop.ts';
import { advance, type Ctx, clientOf, endOf, row, said, tool, waits, withManager } from './session-kit.ts';

/** A client that can, and takes its asks elsewhere: how a 2026-era wire is written. */
function carrier(kinds: readonly Ask['kind'][], verbs: Partial<Client> = {}): Client {
  const capabilities: ClientCapabilities = {
    ...(kinds.includes('elicit') ? { elicitation: { form: true } } : {}),
    ...(kinds.includes('sample') ? { sampling: { tools: true } } : {}),
  };
  return clientOf({
    name: 'carrier',
    capabilities: () => capabilities,
    can: (ask) => kinds.includes(ask.kind),
    ...verbs,
  });
}

const idsOf = (asks: readonly Ask[]) => asks.map(({ id }) => id);

describe('a leg', () => {
  it(
    'returns with everything that opened within a turn of the event loop, and the call runs on',
    withManager(function* ({ manager }) {
      const code = tool(function* (ctx: Ctx) {
        const [answer, tip] = yield* all([
          ctx.elicit('seat', { message: '?' }) as Operation<{ action: string }>,
          (function* (): Operation<string> {
            yield* eventLoopTurn();
            return (yield* ctx.sample({ prompt: 'x' })).text;
          })(),
        ]);
        return [answer.action, tip];
      });
      const session = yield* manager.create({ tool: code, params: {}, retain: true });
      const client = carrier(['elicit', 'sample']);
      const leg = yield* drive(session, client, 'blocked');
      if (leg.type !== 'blocked') throw new Error(leg.type);
      expect(idsOf(leg.asks)).toEqual(['elicit-1', 'sample-1']);
      session.respond('elicit-1', row(1));
      session.respond('sample-1', said('hello'));
      expect(yield* drive(session, client, 'blocked', { after: leg.at })).toMatchObject({
        value: ['accept', 'hello'],
      });
      expect(yield* drive(session, client, 'blocked')).toMatchObject({ type: 'result' });
    }),
  );

  it(
    'returns with the end of a call that is answered in the turn in which it looks for more questions',
    withManager(function* ({ manager }) {
      const code = tool(function* (ctx: Ctx) {
        return ((yield* ctx.elicit('seat', { message: '?' })) as { action: string }).action;
      });
      const session = yield* manager.create({ tool: code, params: {}, retain: true });
      const leg = yield* spawn(() => drive(session, carrier(['elicit']), 'blocked'));
      // It has begun, and looks.
      for (let tick = 0; tick < 20; tick++) yield* until(Promise.resolve());
      session.respond('elicit-1', row(1));
      expect(yield* race([leg, turns(20)])).toMatchObject({ type: 'result', value: 'accept' });
    }),
  );

  it(
    'returns with a question whose verb ends with nothing, which asks again when an answer does not fit',
    withManager(function* ({ manager }) {
      const code = tool(function* (ctx: Ctx) {
        return ((yield* ctx.elicit('seat', { message: '?' })) as { action: string }).action;
      });
      const session = yield* manager.create({ tool: code, params: {}, retain: true });
      const asked: number[] = [];
      const client = carrier(['elicit'], {
        *elicit({ attempt }) {
          asked.push(attempt);
          return attempt === 1 ? undefined : row(2);
        },
      });
      const leg = yield* drive(session, client, 'blocked');
      expect(leg).toMatchObject({ type: 'blocked', asks: [{ id: 'elicit-1' }] });
      const toEnd = yield* spawn(() => drive(session, client, 'end'));
      yield* eventLoopTurn();
      session.respondToElicit('elicit-1', { action: 'accept', content: { row: 'none' } });
      expect(yield* toEnd).toMatchObject({ type: 'result', value: 'accept' });
      expect(asked).toEqual([1, 1, 2]);
    }),
  );

  it(
    'does not return with a question whose answer is being checked, until it is asked again',
    withManager(function* ({ manager }) {
      const checked = Promise.withResolvers<boolean>();
      const code = createMcpTool('slow_check')
        .description('A tool of a test.')
        .parameters(z.object({}))
        .elicits({
          name: z.object({ name: z.string().refine((name) => name === 'free' || checked.promise) }),
        })
        .execute(function* (_params, ctx) {
          const answer = yield* ctx.elicit('name', { message: '?' });
          return answer.action;
        });
      const session = yield* manager.create({ tool: code, params: {}, retain: true });
      const client = carrier(['elicit']);
      const first = yield* drive(session, client, 'blocked');
      session.respondToElicit('elicit-1', { action: 'accept', content: { name: 'taken' } });
      const leg = yield* spawn(() => drive(session, client, 'blocked', { after: first.at }));
      yield* turns(5);
      checked.resolve(false);
      expect(yield* leg).toMatchObject({ type: 'blocked', asks: [{ id: 'elicit-1', attempt: 2 }] });
      session.respondToElicit('elicit-1', { action: 'accept', content: { name: 'free' } });
      expect(yield* drive(session, client, 'blocked')).toMatchObject({ type: 'result', value: 'accept' });
    }),
  );

  it(
    'leaves late asks and the result to the next one, and each log to one of them',
    withManager(function* ({ manager }) {
      const told: string[][] = [[], [], []];
      const code = tool(function* (ctx: Ctx) {
        yield* ctx.log('info', 'one');
        yield* ctx.elicit('seat', { message: '1' });
        yield* ctx.log('info', 'two');
        yield* ctx.elicit('seat', { message: '2' });
        yield* ctx.log('info', 'three');
        return 'done';
      });
      const session = yield* manager.create({ tool: code, params: {} });
      let after = 0;
      const ends: string[] = [];
      for (const log of told) {
        const client = carrier(['elicit'], {
          *log({ message }) {
            yield* eventLoopTurn();
            log.push(message);
          },
        });
        const leg = yield* drive(session, client, 'blocked', { after });
        ends.push(leg.type);
        after = leg.at;
        if (leg.type === 'blocked') session.respondToElicit(leg.asks[0]?.id ?? '', row(1));
      }
      expect(ends).toEqual(['blocked', 'blocked', 'result']);
      expect(told).toEqual([['one'], ['two'], ['three']]);
    }),
  );

  it(
    'returns a question that was asked again with what was wrong',
    withManager(function* ({ manager }) {
      const code = tool((ctx: Ctx) => ctx.elicit('seat', { message: '?' }));
      const session = yield* manager.create({ tool: code, params: {} });
      const client = carrier(['elicit']);
      const first = yield* drive(session, client, 'blocked');
      session.respondToElicit('elicit-1', row(0));
      const second = yield* drive(session, client, 'blocked', { after: first.at });
      expect(second).toMatchObject({
        type: 'blocked',
        asks: [{ id: 'elicit-1', attempt: 2, problem: expect.stringContaining('row') }],
      });
      yield* session.abort();
    }),
  );

  it(
    'waits for its own verbs, and leaves to other drivers what they can answer',
    withManager(function* ({ manager, clock }) {
      const code = tool(function* (ctx: Ctx) {
        const tip = yield* spawn(() => ctx.sample({ prompt: 'x' }));
        yield* ctx.elicit('seat', { message: '?' });
        return (yield* tip).text;
      });
      const slowModel = clientOf({
        *sample() {
          yield* clock.sleep(500);
          return said('late');
        },
      });
      const together = yield* manager.create({ tool: code, params: {} });
      const leg = yield* spawn(() => drive(together, compose(carrier(['elicit']), slowModel), 'blocked'));
      const done = yield* spawn(function* () {
        yield* leg;
        return 'returned';
      });
      yield* eventLoopTurn();
      expect(yield* race<Operation<unknown>>([done, turns(5)])).toBe('turns');
      yield* advance(clock, 500);
      expect(yield* leg).toMatchObject({ type: 'blocked', asks: [{ id: 'elicit-1' }] });
      yield* together.abort();

      const apart = yield* manager.create({ tool: code, params: {} });
      yield* spawn(() => drive(apart, slowModel, 'end'));
      const quick = yield* drive(apart, carrier(['elicit']), 'blocked');
      expect(quick).toMatchObject({ type: 'blocked', asks: [{ id: 'elicit-1' }] });
      expect(apart.openAsks()).toHaveLength(2);
      apart.respondToElicit('elicit-1', row(1));
      yield* advance(clock, 500);
      expect(yield* endOf(apart)).toMatchObject({ value: 'late' });
    }),
  );

  it(
    'also returns what nobody attached can answer',
    withManager(function* ({ manager }) {
      const code = tool((ctx: Ctx) => ctx.elicit('seat', { message: '?' }));
      const session = yield* manager.create({ tool: code, params: {} });
      const leg = yield* drive(session, clientOf({ sample: waits }), 'blocked');
      expect(leg).toMatchObject({ type: 'blocked', asks: [{ id: 'elicit-1' }] });
      const panel = session.attachNow(clientOf({ elicit: waits }));
      const next = yield* spawn(() => drive(session, clientOf({ sample: waits }), 'blocked'));
      expect(yield* race<Operation<unknown>>([next, turns(5)])).toBe('turns');
      session.respondToElicit('elicit-1', row(1));
      expect(yield* next).toMatchObject({ type: 'result' });
      panel.detach();
    }),
  );

  it(
    'returns although a branch beside the question never stops reporting',
    withManager(function* ({ manager }) {
      const code = tool(function* (ctx: Ctx) {
        yield* spawn(function* () {
          for (;;) {
            yield* ctx.log('debug', 'still here');
            yield* sleep(0);
          }
        });
        yield* ctx.elicit('seat', { message: '?' });
      });
      const session = yield* manager.create({ tool: code, params: {} });
      expect(yield* drive(session, carrier(['elicit']), 'blocked')).toMatchObject({ type: 'blocked' });
      yield* session.abort();
    }),
  );

  it(
    'that is halted detaches and leaves the call as it is',
    withManager(function* ({ manager }) {
      const code = tool((ctx: Ctx) => ctx.elicit('seat', { message: '?' }));
      const session = yield* manager.create({ tool: code, params: {} });
      yield* scoped(function* () {
        yield* spawn(() => drive(session, clientOf({ elicit: waits }), 'end'));
        yield* turns(2);
        expect(session.capabilities()).toEqual({ elicitation: { form: true } });
      });
      expect(session.status()).toBe('awaiting_elicit');
      session.respondToElicit('elicit-1', row(1));
      expect(yield* endOf(session)).toMatchObject({ type: 'result' });
    }),
  );
});

describe('composed clients', () => {
  it(
    'answer ask by ask and feature by feature: the first that can',
    withManager(function* ({ manager }) {
      const told: string[] = [];
      const one = clientOf({
        name: 'wire',
        capabilities: () => ({ sampling: { tools: false } }),
        can: (ask) => ask.kind === 'sample' && ask.request.tools === undefined,
        *sample() {
          told.push('wire samples');
          return said('plain');
        },
      });
      const two = clientOf({
        name: 'editor',
        *sample(ask) {
          told.push('editor samples');
          const [first] = ask.request.tools ?? [];
          const content = { type: 'tool_use', id: '1', name: first?.name ?? '', input: { n: 2 } } as const;
          return { role: 'assistant', content, model: 'm' };
        },
        *elicit() {
          told.push('editor asks');
          return row(3);
        },
      });
      const client = compose(compose(one), compose(two));
      expect(client.name).toBe('wire + editor');
      expect(client.capabilities()).toEqual({ elicitation: { form: true }, sampling: { tools: true } });
      const code = tool(function* (ctx: Ctx) {
        const plain = yield* ctx.sample({ prompt: 'x' });
        const data = yield* ctx.sampleSchema({ prompt: 'y', schema: z.object({ n: z.int() }) });
        const answer = yield* ctx.elicit('seat', { message: '?' });
        return [plain.text, data.parsed.n, answer.action];
      });
      const session = yield* manager.create({ tool: code, params: {}, capabilities: client.capabilities() });
      expect(yield* drive(session, client, 'end')).toMatchObject({ value: ['plain', 2, 'accept'] });
      expect(told).toEqual(['wire samples', 'editor samples', 'editor asks']);
    }),
  );

  it(
    'keep each client’s own number of attempts',
    withManager(function* ({ manager }) {
      const code = tool((ctx: Ctx) => ctx.elicit('seat', { message: '?' }));
      let asked = 0;
      const panel = clientOf({
        *elicit() {
          asked += 1;
          return row(asked > 5 ? 1 : 0);
        },
        maxAttempts: () => Number.POSITIVE_INFINITY,
      });
      const session = yield* manager.create({ tool: code, params: {} });
      expect(yield* drive(session, compose(clientOf({ sample: waits }), panel), 'end')).toMatchObject({
        type: 'result',
      });
    }),
  );
});

describe('a verb that throws', () => {
  it(
    'fails its ask with that error, at the tool’s own line; the client goes on',
    withManager(function* ({ manager }) {
      const code = tool(function* (ctx: Ctx) {
        try {
          yield* ctx.sample({ prompt: 'x' });
        } catch (error) {
          return [(error as Error).message, (yield* ctx.elicit('seat', { message: '?' })).action];
        }
      });
      const client = clientOf({
        *sample() {
          yield* sleep(0);
          throw new Error('no network');
        },
        *elicit() {
          return { action: 'decline' };
        },
      });
      const session = yield* manager.create({ tool: code, params: {} });
      expect(yield* drive(session, client, 'end')).toMatchObject({ value: ['no network', 'decline'] });
    }),
  );

  it(
    'also when what it gives is no answer',
    withManager(function* ({ manager }) {
      const code = tool((ctx: Ctx) => ctx.elicit('seat', { message: '?' }));
      const session = yield* manager.create({ tool: code, params: {} });
      const client = clientOf({
        *elicit() {
          return 'yes' as never;
        },
      });
      expect(yield* drive(session, client, 'end')).toMatchObject({ error: { code: 'ANSWER_INVALID' } });
    }),
  );

  it(
    'while it is halted is reported, and harms nothing',
    withManager(function* ({ manager, diagnostics }) {
      const code = tool((ctx: Ctx) => ctx.elicit('seat', { message: '?' }));
      const session = yield* manager.create({ tool: code, params: {} });
      const client = clientOf({
        *elicit() {
          try {
            return yield* waits();
          } finally {
            // biome-ignore lint/correctness/noUnsafeFinally: what a careless client does
            throw new Error('cannot close');
          }
        },
      });
      const driving = yield* spawn(() => drive(session, client, 'end'));
      yield* turns(2);
      session.respondToElicit('elicit-1', row(1));
      expect(yield* driving).toMatchObject({ type: 'result' });
      expect(diagnostics).toMatchObject([{ message: 'probe client failed to stop answering' }]);
    }),
  );
});

function* turns(count: number): Operation<'turns'> {
  for (let turn = 0; turn < count; turn++) yield* eventLoopTurn();
  return 'turns';
}
