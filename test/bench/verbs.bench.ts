import { all, type Operation } from 'effection';
import * as z from 'zod';
import type { ToolContext } from '#src/core/index.ts';
import { createMcpTool } from '#src/core/index.ts';
import type { SampleAnswer } from '#src/core/tool/ask.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import type { Client } from '#src/runtime/session/client.ts';
import { measure } from './measure.ts';
import { inMicroseconds, limitRow, type Row, ratioRow, spread } from './report.ts';
import { managerScope } from './rig.ts';

const PER_CALL = 100;
const colour = z.object({ colour: z.string() });
const reply: SampleAnswer = {
  role: 'assistant',
  content: { type: 'text', text: 'hello' },
  model: 'script',
  stopReason: 'endTurn',
};

const client: Client = {
  name: 'script',
  capabilities: () => ({ elicitation: { form: true }, sampling: { tools: true }, roots: true }),
  can: () => true,
  *elicit() {
    return { action: 'accept', content: { colour: 'blue' } };
  },
  *sample() {
    return reply;
  },
  *roots() {
    return { roots: [] };
  },
  *log() {},
  *notify() {},
};

type Body = (ctx: ToolContext<{ colour: typeof colour }>) => Operation<unknown>;

const toolOf = (name: string, body: Body) =>
  createMcpTool(name)
    .description('Part of the bench')
    .parameters(z.object({}))
    .elicits({ colour })
    .execute(function* (_params, ctx) {
      yield* body(ctx);
    });

// The hand-written equivalents: what an author would write against a promise API, validation included.
const byHand = {
  elicit: async () => colour.parse((await Promise.resolve({ content: { colour: 'blue' } })).content),
  sample: async () => (await Promise.resolve(reply)).content,
  log: async () => Promise.resolve(),
  notify: async () => Promise.resolve(),
  branch: async () => (async () => Promise.resolve())(),
};

const verbs: Readonly<Record<keyof typeof byHand, Body>> = {
  *elicit(ctx) {
    for (let n = 0; n < PER_CALL; n++) yield* ctx.elicit('colour', { message: 'Which?' });
  },
  *sample(ctx) {
    const messages = [{ role: 'user', content: { type: 'text', text: 'hi' } }] as const;
    for (let n = 0; n < PER_CALL; n++) yield* ctx.sample({ messages });
  },
  *log(ctx) {
    for (let n = 0; n < PER_CALL; n++) yield* ctx.log('info', 'hello');
  },
  *notify(ctx) {
    for (let n = 0; n < PER_CALL; n++) yield* ctx.notify('hello', n / PER_CALL);
  },
  *branch(ctx) {
    for (let n = 0; n < PER_CALL; n++) yield* ctx.branch(function* () {});
  },
};

/** Overhead of each verb against a hand-written async equivalent, and what happens at scale. */
export async function verbRows(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const { manager, scope, close } = await managerScope({
    limits: { maxSessions: 20_000, maxWaiting: 20_000 },
  });
  const call = (tool: ReturnType<typeof toolOf>) =>
    scope.run(function* () {
      const session = yield* manager.create({ tool, params: {}, capabilities: client.capabilities() });
      const end = yield* drive(session, client, 'end');
      if (end.type !== 'result') throw new Error(`the bench's call ended with ${JSON.stringify(end)}`);
    });
  try {
    for (const verb of Object.keys(byHand) as (keyof typeof byHand)[]) {
      const tool = toolOf(verb, verbs[verb]);
      const [hand, ours] = await measure([
        {
          name: 'by hand',
          run: async () => {
            for (let n = 0; n < PER_CALL; n++) await byHand[verb]();
          },
        },
        { name: 'Parley', run: () => call(tool) },
      ]);
      if (!hand || !ours) continue;
      const each = (ms: readonly number[]) => spread(inMicroseconds(ms, PER_CALL), 2);
      const note = `${each(ours.ms)} µs against ${each(hand.ms)} µs`;
      const what = `ctx.${verb}, ${PER_CALL} in one call, against async by hand`;
      rows.push(ratioRow(what, ours.ms, hand.ms, { note }));
    }
    const branches = toolOf('branches', function* (ctx) {
      yield* all(Array.from({ length: 1_000 }, () => ctx.branch(() => ctx.log('debug', 'here'))));
    });
    rows.push({
      what: '1,000 concurrent branches, one log each',
      figure: `${spread(await timesOf(() => call(branches)))} ms`,
    });
    const history = (samplings: number) =>
      toolOf('history', function* (ctx) {
        for (let n = 0; n < samplings; n++) yield* ctx.sample({ prompt: 'hi' });
        if (ctx.messages.length !== 2 * samplings)
          throw new Error(`${ctx.messages.length} messages in the history`);
      });
    const [half, whole] = await measure(
      [2_500, 5_000].map((samplings) => ({
        name: `${samplings} samplings`,
        run: () => call(history(samplings)),
      })),
      { rounds: 3, slice: 1 },
    );
    rows.push(
      // Twice as long is twice as much: what grows with the square of its length is four times as much.
      ratioRow('a history of 10,000 messages, against one of 5,000', whole?.ms ?? [], half?.ms ?? [], {
        target: 2.5,
        note: `${spread(whole?.ms ?? [])} ms against ${spread(half?.ms ?? [])} ms`,
      }),
    );
  } finally {
    await close();
  }
  return [...rows, ...(await suspendedRows())];
}

async function suspendedRows(): Promise<readonly Row[]> {
  const COUNT = 10_000;
  const { manager, scope, close } = await managerScope({
    limits: { maxSessions: COUNT, maxWaiting: COUNT, share: { maxSessions: COUNT, maxWaiting: COUNT } },
  });
  const tool = toolOf('waits', function* (ctx) {
    yield* ctx.elicit('colour', { message: 'Which?' });
  });
  try {
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    const sessions = await scope.run(function* () {
      const made = [];
      for (let n = 0; n < COUNT; n++) {
        made.push(yield* manager.create({ tool, params: {}, capabilities: client.capabilities() }));
      }
      return made;
    });
    globalThis.gc?.();
    const kib = (process.memoryUsage().heapUsed - before) / COUNT / 1024;
    const start = performance.now();
    await scope.run(function* () {
      for (const session of sessions) {
        const [ask] = session.openAsks();
        session.respondToElicit(ask?.id ?? '', { action: 'accept', content: { colour: 'blue' } });
      }
      for (const session of sessions) {
        let at = 0;
        while (!session.ended()) at = (yield* session.nextEvent(at)).at;
      }
    });
    const ms = performance.now() - start;
    return [
      globalThis.gc
        ? limitRow('10,000 suspended calls: memory of one', [kib], 10, 'KiB')
        : { what: '10,000 suspended calls: memory of one', figure: 'run with --expose-gc' },
      { what: '10,000 suspended calls: to answer all', figure: `${ms.toFixed(0)} ms` },
    ];
  } finally {
    await close();
  }
}

async function timesOf(run: () => Promise<unknown>, rounds = 3): Promise<readonly number[]> {
  const taken: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await run();
    taken.push(performance.now() - start);
  }
  return taken;
}
