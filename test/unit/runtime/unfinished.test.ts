import { all, call, createContext, ensure, type Operation, race, sleep, spawn, until } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { makePlugin } from '#src/core/plugin/make-plugin.ts';
import { confirm } from '#src/core/tool/confirm.ts';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import { createMockMcpClient, runMcpTool } from '#src/testing/index.ts';
import { type Ctx, tool } from './session-kit.ts';

// biome-ignore lint/suspicious/noExplicitAny: what only JavaScript, or a cast, lets an author write
type Anything = any;

const client = () => createMockMcpClient({ sampleResponses: ['ok', 'ok'] });
const failure = async (code: (ctx: Ctx) => Anything): Promise<Error & { code?: string }> => {
  try {
    throw new Error(`it gave ${await runMcpTool(tool(code), {}, client())}`);
  } catch (error) {
    return error as Error & { code?: string };
  }
};

describe('a forgotten yield*', () => {
  it('of what a tool returns is an error that says what to write, and whose stack is the author’s line', async () => {
    const error = await failure(function* (ctx) {
      return ctx.sample({ prompt: 'x' });
    });
    expect(error).toMatchObject({
      code: 'TOOL_CODE',
      message: expect.stringContaining('write `return yield* ctx.sample(…)`'),
    });
    expect(String(error.stack).split('\n').slice(1, 4).join()).toContain('unfinished.test.ts');
  });

  it.each<[string, (ctx: Ctx) => Anything, string]>([
    [
      'a variant of a verb',
      function* (ctx) {
        return ctx.elicit.strict('seat', { message: '?' });
      },
      'return yield* ctx.elicit.strict(…)',
    ],
    [
      'a function',
      function* () {
        return () => 1;
      },
      'it returned a function without calling it',
    ],
    [
      'an operation of somebody else',
      function* () {
        return sleep(1);
      },
      'return yield* operation',
    ],
    [
      'a generator',
      function* () {
        return (function* () {})();
      },
      'return yield* operation',
    ],
    [
      'a promise',
      function* () {
        return Promise.resolve(1);
      },
      'return yield* until(promise)',
    ],
    [
      'yield without its star',
      function* (ctx) {
        yield ctx.log('info', 'x') as Anything;
      },
      'yield* ctx.log(…)',
    ],
    [
      'a promise that is yielded',
      function* () {
        yield Promise.resolve(1) as Anything;
      },
      'yield* until(promise)',
    ],
    [
      'a promise after yield*',
      function* () {
        return yield* Promise.resolve(1) as Anything;
      },
      'yield* until(promise)',
    ],
    [
      'what version 3 of effection yields',
      function* () {
        yield (() => {}) as Anything;
      },
      'another version of effection',
    ],
    [
      'what version 4.0 of effection looks for',
      function* () {
        yield* createContext('@effection/delimiter').expect();
      },
      'another version of effection',
    ],
    ['code that gives a promise', () => Promise.reject(new Error('x')), 'write `function*`'],
    ['code that gives nothing', () => undefined, 'not a generator function'],
  ])('is said of %s', async (_what, code, advice) => {
    const error = await failure(code);
    expect(error).toMatchObject({ code: 'TOOL_CODE', message: expect.stringContaining(advice) });
  });

  it('before a promise names the author’s line, and what the engine said', async () => {
    const error = await failure(function* () {
      return yield* (async () => 1)() as Anything;
    });
    expect(error.message).toContain('waits with `yield*` for what is no operation');
    expect(String(error.stack).split('\n')[1]).toContain('unfinished.test.ts');
    expect(String(error.cause)).toContain('is not iterable');
  });

  it('is in the log also where the code fails for want of what never ran', async () => {
    const talk = client();
    const code = tool(function* (ctx: Ctx) {
      const answer = ctx.elicit('seat', { message: '?' }) as Anything;
      return answer.content.row;
    });
    await expect(runMcpTool(code, {}, talk)).rejects.toThrow('Cannot read properties');
    expect(talk.transcript).toMatchObject([
      { type: 'log', message: expect.stringContaining('write `yield* ctx.elicit(…)`') },
    ]);
  });

  it('is not said of what all and race begin, where one of them fails at once', async () => {
    const talk = createMockMcpClient({ capabilities: {} });
    const code = tool(function* (ctx: Ctx) {
      return yield* all([
        ctx.sample({ prompt: 'a' }),
        ctx.sample({ prompt: 'b' }),
        ctx.sample({ prompt: 'c' }),
      ]);
    });
    await expect(runMcpTool(code, {}, talk)).rejects.toThrow('ask a model');
    expect(talk.transcript).toEqual([]);
  });

  it.each<[string, () => unknown, string]>([
    ['an operation', () => sleep(1), 'tip is an operation'],
    ['a generator', () => (function* () {})(), 'tip is a Generator'],
  ])('in a part of the result is an error that says where: %s', async (_what, tip, problem) => {
    const error = await failure(function* () {
      return { tip: tip() };
    });
    expect(error).toMatchObject({ code: 'RESULT_NOT_JSON', message: expect.stringContaining(problem) });
    expect(error.message).toContain('write `yield*` before what made it');
  });

  it('still runs the finally blocks of the code that yielded something else', async () => {
    const log: string[] = [];
    const error = await failure(function* () {
      try {
        yield 7 as Anything;
      } finally {
        log.push('cleaned up');
      }
    });
    expect([error.code, log]).toEqual(['TOOL_CODE', ['cleaned up']]);
  });

  it.each([
    ['declines everything', { action: 'decline' as const }],
    ['accepts everything', { action: 'accept' as const, content: {} }],
  ])('of a confirmation deletes nothing in silence for a person who %s', async (_, answer) => {
    const talk = createMockMcpClient({ elicitResponses: () => answer });
    const wipe = tool(function* (ctx: Ctx) {
      if (!confirm(ctx, 'Delete all?')) return 'kept';
      return 'DELETED';
    });
    const error = await runMcpTool(wipe, {}, talk).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({
      code: 'TOOL_CODE',
      message: expect.stringContaining('`yield* confirm(…)`'),
    });
    expect(String((error as Error).stack).split('\n')[1]).toContain('unfinished.test.ts');
    expect(talk.transcript).toMatchObject([
      {
        type: 'log',
        message: expect.stringMatching(
          /^confirm\(…, "Delete all\?"\) did nothing.*\(unfinished\.test\.ts:\d+\)$/,
        ),
      },
    ]);
  });

  it.each<[string, (ctx: Ctx) => Anything]>([
    ['ctx.sleep(…)', (ctx) => ctx.sleep(5)],
    ['ctx.call("other", …)', (ctx) => ctx.call('other', {})],
    [
      'ctx.call("probe", …)',
      (ctx) =>
        ctx.call(
          tool(function* () {}),
          {},
        ),
    ],
    ['ctx.branch(…)', (ctx) => ctx.branch(function* () {})],
    ['ctx.elicit("seat", …)', (ctx: Anything) => ctx.elicit('seat', { message: '?' })],
    ['ctx.elicit.strict("seat", …)', (ctx: Anything) => ctx.elicit.strict('seat', { message: '?' })],
    ['ctx.sample(…)', (ctx) => ctx.sample({ prompt: 'x' })],
    ['ctx.elicit.withRetry("seat", …)', (ctx: Anything) => ctx.elicit.withRetry('seat', { message: '?' })],
    ['ctx.elicit(…)', (ctx: Anything) => ctx.elicit({ mode: 'url', message: '?', url: 'https://a.test/' })],
    ['confirm(…, "Delete all?")', (ctx) => confirm(ctx, 'Delete all?')],
    ['ctx.log(…, "lost")', (ctx) => ctx.log('info', 'lost')],
    ['ctx.notify(…, "gone")', (ctx) => ctx.notify('gone')],
    ['ctx.sampleTools(…)', (ctx: Anything) => ctx.sampleTools({ prompt: 'x', tools: [] })],
    ['ctx.roots(…)', (ctx) => ctx.roots()],
  ])('of %s fails the call, at the author’s line', async (words, forget) => {
    const error = await failure(function* (ctx) {
      forget(ctx);
      return 'done';
    });
    expect(error).toMatchObject({
      code: 'TOOL_CODE',
      message: expect.stringContaining(`${words} did nothing: write`),
    });
    expect(String(error.stack).split('\n')[1]).toContain('unfinished.test.ts');
  });

  it.each<[string, (ctx: Ctx) => Anything]>([
    [
      'a branch',
      (ctx) =>
        ctx.branch(function* (branch) {
          branch.notify('gone');
        }),
    ],
    [
      'what a branch does with the context around it',
      (ctx) =>
        ctx.branch(function* () {
          ctx.notify('gone');
        }),
    ],
    [
      'the winner of a race',
      (ctx) =>
        race([
          (function* () {
            ctx.notify('gone');
          })(),
          sleep(1e6),
        ]),
    ],
    [
      'a tool that another one calls',
      (ctx) =>
        ctx.call(
          tool(function* (inner: Ctx) {
            inner.notify('gone');
          }),
          {},
        ),
    ],
    [
      'cleanup',
      function* (ctx) {
        try {
          yield* sleep(0);
        } finally {
          ctx.notify('gone');
        }
      },
    ],
    [
      'a loop, after many that ran',
      function* (ctx) {
        for (let n = 0; n < 2000; n++) yield* ctx.notify('n');
        ctx.notify('gone');
      },
    ],
    [
      'a loop, many times',
      function* (ctx) {
        for (let n = 0; n < 5000; n++) ctx.notify('gone');
      },
    ],
  ])('in %s fails the call', async (_, code) => {
    const talk = client();
    const error = await runMcpTool(
      tool(function* (ctx: Ctx) {
        yield* code(ctx);
      }),
      {},
      talk,
    ).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({
      code: 'TOOL_CODE',
      message: expect.stringContaining('ctx.notify(…, "gone") did nothing'),
    });
    expect(talk.transcript.filter(({ type }) => type === 'log').length).toBeLessThanOrEqual(20);
  });

  it('is said in the log, too, where the code fails by itself', async () => {
    const talk = client();
    const code = tool(function* (ctx: Ctx) {
      ctx.log('info', 'lost');
      yield* ctx.branch(function* (branch) {
        branch.notify('x'.repeat(200));
        throw new Error('by itself');
      });
    });
    await expect(runMcpTool(code, {}, talk)).rejects.toThrow('by itself');
    expect(talk.transcript).toMatchObject([
      {
        message: expect.stringMatching(
          /^ctx\.notify\(…, "x{60}…"\) did nothing: write `yield\* ctx\.notify\(…\)` \(unfinished\.test\.ts:\d+\)$/,
        ),
      },
      {
        message: expect.stringMatching(
          /^ctx\.log\(…, "lost"\) did nothing: write .*\(unfinished\.test\.ts:\d+\)$/,
        ),
      },
    ]);
  });

  it('of a step fails the call, for its result says that what never ran was done', async () => {
    let charged = 0;
    const charge = createMcpTool('charge')
      .description('d')
      .parameters(z.object({}))
      .durable()
      .elicits({})
      .execute(function* (_params, ctx) {
        ctx.step('charge', () => ++charged);
        return 'charged';
      });
    const error = await runMcpTool(charge, {}, client()).then(
      (result) => new Error(`it gave ${result}`),
      (thrown) => thrown as Error,
    );
    expect(error).toMatchObject({
      code: 'TOOL_CODE',
      message: expect.stringContaining('ctx.step("charge", …) did nothing: write `yield* ctx.step(…)`'),
    });
    expect(String(error.stack).split('\n').slice(1, 4).join()).toContain('unfinished.test.ts');
    expect(charged).toBe(0);
  });

  const fails = function* (): Operation<never> {
    throw new Error('early');
  };
  const late = function* (op: Operation<unknown>): Operation<unknown> {
    yield* sleep(1);
    return yield* op;
  };

  it.each<[string, (ctx: Ctx) => Anything]>([
    [
      'of a race that ended early',
      (ctx) => race([ctx.log('info', 'x'), ctx.sleep(1e6), ctx.branch(() => sleep(1e6))]),
    ],
    [
      'of a race within one that ended early',
      (ctx) => race([sleep(0), race([ctx.sleep(1e6), ctx.sample({ prompt: 'x' })])]),
    ],
    [
      'of an all that failed early',
      function* (ctx) {
        try {
          yield* all([fails(), ctx.sleep(1e6)]);
        } catch {}
      },
    ],
    ['of many at once', (ctx) => all(Array.from({ length: 3000 }, () => ctx.log('info', 'x')))],
    [
      'that run later',
      function* (ctx) {
        const later = ctx.log('info', 'x');
        yield* until(Promise.resolve());
        yield* later;
      },
    ],
    ['that others run later', (ctx) => all([late(ctx.log('info', 'x')), late(ctx.sleep(0))])],
    [
      'that are spawned',
      function* (ctx) {
        const task = yield* spawn(() => ctx.log('info', 'x'));
        yield* task;
      },
    ],
    ['that are called', (ctx) => call(() => ctx.log('info', 'x'))],
    [
      'of cleanup',
      function* (ctx) {
        yield* ensure(() => ctx.log('info', 'x'));
      },
    ],
    [
      'of a branch that was halted before',
      (ctx) =>
        race([
          sleep(0),
          ctx.branch(function* (branch) {
            const later = branch.sample({ prompt: 'x' });
            yield* sleep(1e6);
            yield* later;
          }),
        ]),
    ],
    [
      'of a branch that failed before',
      function* (ctx) {
        try {
          yield* ctx.branch(function* (branch) {
            const later = branch.notify('x');
            yield* fails();
            yield* later;
          });
        } catch {}
      },
    ],
    [
      'that run twice',
      function* (ctx) {
        const op = ctx.log('info', 'x');
        yield* op;
        yield* op;
      },
    ],
  ])('is not said of operations %s', async (_, code) => {
    const done = tool(function* (ctx: Ctx) {
      yield* code(ctx);
      return 'done';
    });
    expect(await runMcpTool(done, {}, client())).toBe('done');
  });
});

describe('an async function', () => {
  const start = createMcpTool('t').description('d').parameters(z.object({})).elicits({});

  it('is refused where the tool is defined', () => {
    const run = async () => 1;
    expect(() => start.execute(run as Anything)).toThrow('takes a generator function');
    const phases = { *before() {}, client: run, *after() {} };
    expect(() => start.handoff(phases as Anything)).toThrow("'client' is not a generator function");
  });
});

describe('what is not said right', () => {
  it('is refused: a capability that nobody knows', () => {
    const start = createMcpTool('t').description('d').parameters(z.object({}));
    expect(() => start.requires({ samplng: true } as Anything)).toThrow("knows no 'samplng'");
  });

  it.each([
    ['vlaues', 'values'],
    ['valeus', 'values'],
    ['onDeclined', 'onDecline'],
    ['max_attempts', 'maxAttempts'],
    ['mesage', 'message'],
    ['value', undefined],
    ['seats', undefined],
    ['models', undefined],
  ])('is said in the log: the field %s beside a bare schema, for %s', async (name, option) => {
    const talk = createMockMcpClient({ elicitResponses: [{ action: 'decline' }] });
    const code = tool(function* (ctx: Ctx) {
      yield* ctx.elicit('seat', { message: '?', [name]: 1 } as Anything);
    });
    await runMcpTool(code, {}, talk);
    const said = talk.transcript.flatMap((entry) => (entry.type === 'log' ? [entry.message] : []));
    expect(said).toEqual(
      option
        ? [
            expect.stringContaining(
              `'${name}', which is context for the view of the question: write '${option}'`,
            ),
          ]
        : [],
    );
  });

  it('is said in the log: a progress that is no fraction', async () => {
    const talk = client();
    const code = tool(function* (ctx: Ctx) {
      yield* ctx.notify('half', 0.5);
      yield* ctx.notify('fifty', 50);
      yield* ctx.notify('of a hundred', { value: 50, total: 100 });
    });
    await runMcpTool(code, {}, talk);
    expect(talk.transcript).toMatchObject([
      { type: 'notify', message: 'half', value: 0.5, total: 1 },
      { type: 'log', level: 'warning', message: expect.stringContaining('a fraction from 0 to 1') },
      { type: 'notify', message: 'fifty' },
      { type: 'notify', message: 'of a hundred', value: 50, total: 100 },
    ]);
    expect(talk.transcript[2]).not.toHaveProperty('value');
  });

  const unfit: [string, Anything, string][] = [
    ['a role that does not exist', { role: 'tool', content: { type: 'text', text: 'x' } }, "the role 'tool'"],
    ['content that is no block', { role: 'user', content: 'hi' }, 'content that is no block'],
    ['no message at all', null, "the role 'undefined'"],
    [
      'a tool_result that answers nothing',
      { role: 'user', content: [{ type: 'tool_result', toolUseId: 'x', content: [] }] },
      "a tool_result for 'x'",
    ],
  ];

  it.each(unfit)('is refused before it is sent: %s', async (_what, message, words) => {
    const error = await failure((ctx) => ctx.sample({ messages: [message] }));
    expect(error).toMatchObject({ code: 'SAMPLE_OPTIONS', message: expect.stringContaining(words) });
  });

  it.each(unfit)(
    'is refused before it is sent, among the messages of a branch: %s',
    async (_what, message, words) => {
      const error = await failure((ctx) =>
        ctx.branch((branch) => branch.sample({ prompt: 'x' }), { messages: [message] }),
      );
      expect(error).toMatchObject({ code: 'SAMPLE_OPTIONS', message: expect.stringContaining(words) });
    },
  );

  it.each(unfit)('is refused before it is sent, by a step of a plugin: %s', async (_what, message, words) => {
    for (const sampling of [
      {
        *before() {
          return [message];
        },
      },
      {
        *act(prepared: Anything, provider: Anything) {
          return yield* provider({ ...prepared, messages: [message] });
        },
      },
    ]) {
      const asks = createMcpTool('asks')
        .description('d')
        .parameters(z.object({}))
        .elicits({})
        .execute(function* (_params, ctx) {
          return (yield* ctx.sample({ prompt: 'x' })).text;
        });
      const plugin = makePlugin(asks).onElicit({}).sampling(sampling).build();
      const error = await runMcpTool(plugin, {}, client()).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'SAMPLE_OPTIONS', message: expect.stringContaining(words) });
    }
  });
});
