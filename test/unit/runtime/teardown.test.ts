import { type Operation, run, scoped, sleep, spawn, type Task } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { makePlugin } from '#src/core/plugin/make-plugin.ts';
import type { AnyPlugin } from '#src/core/plugin/plugin.ts';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import type { AnyTool } from '#src/core/tool/tool.ts';
import { ClockContext } from '#src/core/world/clock.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import type { Client } from '#src/runtime/session/client.ts';
import type { Session } from '#src/runtime/session/session.ts';
import { eventLoopTurn } from '#src/runtime/time/event-loop.ts';
import { createTestClock, type TestClock } from '#src/testing/index.ts';
import { liveScopes } from './live-scopes.ts';
import { type Ctx, clientOf, questions, row, said, tool, waits } from './session-kit.ts';

const schema = z.object({ n: z.int() });
const tools = [{ name: 'move', inputSchema: schema }] as const;
const limits = { limits: { timeout: 60_000, maxTokens: 1_000 } };
const never = new Promise<boolean>(() => {});

/** What a call waits in, and the client that leaves it there. */
interface Place {
  readonly tool: (clock: TestClock) => AnyTool | AnyPlugin;
  readonly client?: Client;
  /** Brings it there after it has begun. */
  bring?(session: Session): Operation<void>;
}

const inside = (code: (ctx: Ctx, clock: TestClock) => Operation<unknown>) => (clock: TestClock) =>
  tool((ctx) => code(ctx, clock), limits);

const silent = clientOf({ elicit: waits, sample: waits, roots: waits, log: waits, notify: waits });
const wrong = clientOf({
  *elicit() {
    return row(0);
  },
  maxAttempts: () => Number.POSITIVE_INFINITY,
});

const samplingStep = (step: 'before' | 'act' | 'after') => () => {
  const ask = createMcpTool('ask')
    .description('d')
    .parameters(z.record(z.string(), z.unknown()))
    .elicits({})
    .execute((_, ctx) => ctx.sample({ prompt: 'x' }));
  return makePlugin(ask)
    .onElicit({})
    .sampling({ [step]: waits })
    .build() as unknown as AnyPlugin;
};

const phase = (waiting: 'before' | 'client' | 'after') => () => {
  const at = (name: string) => (name === waiting ? waits() : sleep(0));
  return createMcpTool('phases')
    .description('d')
    .parameters(z.record(z.string(), z.unknown()))
    .elicits({})
    .handoff({
      before: () => at('before'),
      client: () => at('client'),
      after: () => at('after'),
    }) as unknown as AnyTool;
};

const asyncAnswers = () =>
  createMcpTool('slow')
    .description('d')
    .parameters(z.record(z.string(), z.unknown()))
    .elicits({ name: z.object({ name: z.string().refine(() => never) }) })
    .execute((_, ctx) => ctx.elicit('name', { message: '?' })) as unknown as AnyTool;

const places: Readonly<Record<string, Place>> = {
  'elicit, with nobody attached': { tool: inside((ctx) => ctx.elicit('seat', { message: '?' })) },
  'elicit, while somebody answers': {
    tool: inside((ctx) => ctx.elicit('seat', { message: '?' })),
    client: silent,
  },
  'elicit, while it is asked again and again': {
    tool: inside((ctx) => ctx.elicit('seat', { message: '?' })),
    client: wrong,
  },
  'elicit, before it is asked again': {
    tool: inside((ctx) => ctx.elicit('seat', { message: '?' })),
    *bring(session) {
      session.respondToElicit('elicit-1', row(0));
    },
  },
  'elicit, while its answer is checked': {
    tool: asyncAnswers,
    *bring(session) {
      session.respondToElicit('elicit-1', { action: 'accept', content: { name: 'x' } });
    },
  },
  'elicit of a question known at run time': {
    tool: inside((ctx) => ctx.elicit({ message: '?', schema: questions.seat })),
    client: silent,
  },
  'elicit.strict': { tool: inside((ctx) => ctx.elicit.strict('seat', { message: '?' })), client: silent },
  'elicit.withRetry': {
    tool: inside((ctx) => ctx.elicit.withRetry('seat', { message: '?', maxAttempts: 9 })),
    client: clientOf({
      *elicit(ask) {
        return ask.id === 'elicit-1' ? { action: 'decline' } : yield* waits();
      },
    }),
  },
  sample: { tool: inside((ctx) => ctx.sample({ prompt: 'x' })), client: silent },
  'sample, off the clock': {
    tool: inside((ctx) => ctx.sample({ prompt: 'x' })),
    client: clientOf({ sample: (_, io) => io.offClock(waits) }),
  },
  sampleSchema: { tool: inside((ctx) => ctx.sampleSchema({ prompt: 'x', schema })), client: silent },
  'sampleSchema, in its second attempt': {
    tool: inside((ctx) => ctx.sampleSchema({ prompt: 'x', schema })),
    client: clientOf({
      *sample(ask) {
        return ask.id === 'sample-1' ? said('no') : yield* waits();
      },
    }),
  },
  sampleTools: { tool: inside((ctx) => ctx.sampleTools({ prompt: 'x', tools })), client: silent },
  'sample, in its before step': { tool: samplingStep('before'), client: silent },
  'sample, in its act step': { tool: samplingStep('act'), client: silent },
  'sample, in its after step': {
    tool: samplingStep('after'),
    client: clientOf({
      *sample() {
        return said('x');
      },
    }),
  },
  roots: { tool: inside((ctx) => ctx.roots()), client: silent },
  'log, in a tight loop, to an observer that hangs': {
    tool: inside(function* (ctx) {
      for (;;) yield* ctx.log('info', 'x');
    }),
    client: silent,
  },
  'notify, in a tight loop': {
    tool: inside(function* (ctx) {
      for (;;) yield* ctx.notify('x');
    }),
    client: clientOf(),
  },
  branch: { tool: inside((ctx) => ctx.branch(waits)), client: silent },
  'a limited branch in a branch, sampling': {
    tool: inside((ctx) =>
      ctx.branch((outer) =>
        outer.branch((inner) => inner.sample({ prompt: 'x' }), { timeout: 50_000, maxTokens: 50 }),
      ),
    ),
    client: silent,
  },
  'a branch, closing slowly': {
    tool: inside((ctx, clock) =>
      ctx.branch(function* () {
        yield* spawn(function* () {
          try {
            yield* waits();
          } finally {
            yield* clock.sleep(100);
          }
        });
        yield* eventLoopTurn();
      }),
    ),
    client: silent,
  },
  before: { tool: phase('before'), client: silent },
  client: { tool: phase('client'), client: silent },
  after: { tool: phase('after'), client: silent },
};

interface Scene {
  readonly session: Session;
  readonly clock: TestClock;
  readonly driving: Task<unknown> | undefined;
}

const ways: Readonly<Record<string, (scene: Scene) => Operation<void>>> = {
  'it is aborted': function* ({ session }) {
    yield* session.abort();
  },
  'its time runs out': function* ({ session, clock }) {
    for (let turn = 0; turn < 4 && !session.ended(); turn++) {
      clock.advance(4_000_000);
      yield* eventLoopTurn();
    }
    yield* session.abort();
  },
  'its driver goes, then it is aborted': function* ({ session, driving }) {
    yield* driving?.halt() ?? eventLoopTurn();
    yield* session.abort();
  },
  'the manager goes': function* () {},
};

describe.each(Object.entries(places))('nothing is left of a call that waits in %s', (_, place) => {
  it.each(Object.entries(ways))('when %s', async (_way, end) => {
    // The first run of anything in Effection makes lasting scopes.
    await run(() => sleep(0));
    const before = { scopes: liveScopes(), immediates: immediates() };
    const clock = createTestClock();
    let session: Session | undefined;
    await run(function* () {
      yield* ClockContext.set(clock);
      const moving = yield* spawn(function* () {
        for (;;) {
          yield* eventLoopTurn();
          clock.advance(10);
        }
      });
      yield* scoped(function* () {
        const manager = yield* createSessionManager();
        const created = yield* manager.create({ tool: place.tool(clock), params: {} });
        session = created;
        const { client } = place;
        const driving = client && (yield* spawn(() => drive(created, client, 'end')));
        for (let turn = 0; turn < 4; turn++) yield* eventLoopTurn();
        yield* place.bring?.(created) ?? eventLoopTurn();
        expect(liveScopes()).toBeGreaterThan(before.scopes + 5);
        yield* end({ session: created, clock, driving });
      });
      yield* moving.halt();
    });
    expect(session?.ended()).toBeDefined();
    expect(session?.openAsks()).toEqual([]);
    expect(clock.sleeping()).toBe(0);
    await settled();
    expect(liveScopes()).toBe(before.scopes);
    expect(immediates()).toBe(before.immediates);
  });
});

function immediates(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === 'Immediate').length;
}

/** Closing sets off the closing of timers, which nobody waits for. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
}
