import { type Operation, run } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { isParleyError } from '#src/core/errors/errors.ts';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import { createMockMcpClient, type ElicitScript, runMcpTool } from '#src/testing/index.ts';
import { accept, type Ctx, eventOf, tool, withManager } from './session-kit.ts';

const declined = { action: 'decline' } as const;
const cancelled = { action: 'cancel' } as const;
const seat = accept({ row: 12 });

const twice = (text: string): [string, string] => [text, text];

/** Runs a tool's code against scripted answers. */
async function answered<R>(code: (ctx: Ctx) => Operation<R>, elicitResponses: ElicitScript) {
  const client = createMockMcpClient({ elicitResponses });
  const asked = () => client.transcript.filter((entry) => entry.type === 'elicit');
  try {
    return { value: await runMcpTool(tool(code), {}, client), asked: asked() };
  } catch (error) {
    if (!isParleyError(error)) throw error;
    return { code: error.code, message: error.message, asked: asked() };
  }
}

describe('ctx.elicit', () => {
  it('refuses a context field that every request has already', async () => {
    const refused = await answered(function* (ctx) {
      // What the type refuses, as plain JavaScript would have it.
      const options = Object.assign({ message: 'What to eat?', dishes: ['soup'] }, { attempt: 7 });
      return yield* ctx.elicit('meal', options);
    }, {});
    expect(refused).toMatchObject({ code: 'ELICITATION_OPTIONS', asked: [] });
    expect(refused.message).toContain("'attempt'");
  });

  it('gives the content with its exchange, whose ids match', async () => {
    const { value } = await answered(
      function* (ctx) {
        const answer = yield* ctx.elicit('meal', { message: 'What to eat?', dishes: ['soup', 'fish'] });
        if (answer.action !== 'accept') return null;
        const shown = answer.exchange.withArguments(({ dishes }) => ({ menu: dishes }));
        return { content: answer.content, messages: answer.exchange.messages, shown: shown.request };
      },
      { meal: accept({ dish: 'soup' }) },
    );
    expect(value).toEqual({
      content: { dish: 'soup' },
      messages: [
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'What to eat?' },
            { type: 'tool_use', id: 'test-elicit-1', name: 'meal', input: { dishes: ['soup', 'fish'] } },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              toolUseId: 'test-elicit-1',
              content: [{ type: 'text', text: '{"dish":"soup"}' }],
              structuredContent: { dish: 'soup' },
            },
          ],
        },
      ],
      shown: {
        role: 'assistant',
        content: [
          { type: 'text', text: 'What to eat?' },
          { type: 'tool_use', id: 'test-elicit-1', name: 'meal', input: { menu: ['soup', 'fish'] } },
        ],
      },
    });
  });

  it('puts the message, the form and the parsed context into the request', async () => {
    const { asked } = await answered(
      (ctx) => ctx.elicit('meal', { message: 'What to eat?', dishes: ['soup'], extra: 1 } as never),
      { meal: declined },
    );
    expect(asked[0]?.request).toEqual({
      message: 'What to eat?',
      requestedSchema: {
        type: 'object',
        properties: { dish: { type: 'string' } },
        required: ['dish'],
      },
      context: { dishes: ['soup'] },
    });
    const bare = await answered((ctx) => ctx.elicit('seat', { message: '?' }), { seat });
    expect(bare.asked[0]?.request).not.toHaveProperty('context');
  });

  it('asks what is known only at run time', async () => {
    const { value, asked } = await answered(
      function* (ctx) {
        const names = ['a', 'b'] as const;
        const answer = yield* ctx.elicit({ message: '?', schema: z.object({ pick: z.enum(names) }) });
        return answer.action === 'accept' ? answer.content.pick : null;
      },
      [accept({ pick: 'b' })],
    );
    expect(value).toBe('b');
    expect(asked[0]).toMatchObject({ key: 'elicit', request: { requestedSchema: { type: 'object' } } });
  });

  it('asks again where a default of such a question does not fit, and nobody has changed it', async () => {
    const schema = z.object({
      subject: z.string().max(5).default('too long'),
      body: z.string().default('b'),
    });
    const { value, asked } = await answered(
      function* (ctx) {
        const answer = yield* ctx.elicit({ message: '?', schema });
        return answer.action === 'accept' ? answer.content : null;
      },
      [accept({ body: 'c' }), accept({ subject: 'short' })],
    );
    expect(value).toEqual({ subject: 'short', body: 'b' });
    expect(asked[1]?.problem).toMatch(/^subject: must have \d+ characters or fewer/);
  });

  it.each([
    ['a default', z.object({ really: z.boolean().default(true) })],
    ['a default beside what may be left out', z.object({ a: z.string().optional(), n: z.int().default(2) })],
    [
      'a default that is made into something else',
      z.object({ n: z.int().default(2) }).transform(({ n }) => [n]),
    ],
    ['what it gives for anything else', z.object({ n: z.int().catch(2) })],
  ])('asks again where nothing was answered and a field has %s', async (_what, schema) => {
    const { value, asked } = await answered(
      function* (ctx) {
        return (yield* ctx.elicit({ message: '?', schema })).action;
      },
      [accept({ really: undefined, a: undefined, n: undefined }), { action: 'decline' }],
    );
    expect(value).toBe('decline');
    expect(asked[1]?.problem).toMatch(/^no field was answered/);
  });

  it('asks again where only what the form does not have was answered', async () => {
    const { value, asked } = await answered(
      function* (ctx) {
        const schema = z.object({ really: z.boolean().default(true) });
        return (yield* ctx.elicit({ message: '?', schema })).action;
      },
      [accept({ really: undefined, confirmed: true }), { action: 'decline' }],
    );
    expect(value).toBe('decline');
    expect(asked[1]?.problem).toMatch(/^no field was answered/);
  });

  it.each<[string, z.ZodType<string, string>, string, string]>([
    ['an offset, in UTC', z.iso.datetime(), '2030-01-01T00:30:00+02:00', '2029-12-31T22:30:00Z'],
    ['parts of a second', z.iso.datetime(), '2030-01-01T10:00:00.250-05:30', '2030-01-01T15:30:00.250Z'],
    ['no seconds', z.iso.datetime(), '2030-01-01T10:00Z', '2030-01-01T10:00:00Z'],
    ['small letters', z.iso.datetime(), '2030-01-01t10:00:00z', '2030-01-01T10:00:00Z'],
    ['an offset that may be', z.iso.datetime({ offset: true }), ...twice('2030-01-01T10:00:00+02:00')],
    ['the midnight of a day', z.iso.date(), '2030-01-01T00:00:00.000Z', '2030-01-01'],
  ])('reads a time as a client sends it, with %s', async (_what, when, sent, got) => {
    const schema = z.object({ when, kept: z.iso.datetime({ offset: true }).optional() });
    const kept = '2030-01-01T10:00:00+02:00';
    const { value } = await answered(
      function* (ctx) {
        const answer = yield* ctx.elicit({ message: '?', schema });
        return answer.action === 'accept' ? answer.content : null;
      },
      [accept({ when: sent, kept })],
    );
    expect(value).toEqual({ when: got, kept });
  });

  it.each([
    [z.iso.datetime(), '2030-01-01T10:00'],
    [z.iso.datetime(), '2030-02-31T99:00:00Z'],
    [z.iso.date(), '2030-01-01T23:00:00.000Z'],
    [z.iso.datetime().startsWith('2031'), '2030-01-01T10:00:00+02:00'],
  ])('asks again for a time that could be another: %#', async (when, sent) => {
    const { value, asked } = await answered(
      function* (ctx) {
        return (yield* ctx.elicit({ message: '?', schema: z.object({ when }) })).action;
      },
      [accept({ when: sent }), { action: 'decline' }],
    );
    expect(value).toBe('decline');
    expect(asked[1]?.problem).toMatch(/^when: must/);
  });

  it('takes no answer for one where all may be left out, and fills nothing in', async () => {
    const note = z.object({ note: z.string().optional() });
    const declared = createMcpTool('declared')
      .description('d')
      .parameters(z.object({}))
      .elicits({ note })
      .execute(function* (_, ctx) {
        const first = yield* ctx.elicit.strict('note', { message: '?', values: { note: 'a draft' } });
        return [first, yield* ctx.elicit.strict({ message: '?', schema: note })];
      });
    const client = createMockMcpClient({ elicitResponses: [accept({ note: undefined }), accept({})] });
    expect(await runMcpTool(declared, {}, client)).toEqual([{}, {}]);
  });

  it.each<[string, (ctx: Ctx) => Operation<unknown>, string, RegExp]>([
    [
      'an unknown key',
      (ctx) => ctx.elicit('sea' as 'seat', { message: '?' }),
      'ELICITATION_OPTIONS',
      /'seat', 'meal'/,
    ],
    ...(
      [
        [
          { default: 'x' },
          /has 'default', which nothing would read: it takes \{ message, schema, key, timeout, person, replies \}/,
        ],
        [{ values: { a: 'x' } }, /'values', which declared questions take: say \.default/],
        [{ url: 'https://a.example' }, /has a 'url' and not mode: 'url'/],
        [{ maxAttempts: 2 }, /'maxAttempts', which ctx\.elicit\.withRetry takes/],
      ] as const
    ).map(([more, message]): [string, (ctx: Ctx) => Operation<unknown>, string, RegExp] => [
      `${Object.keys(more)} beside a schema`,
      (ctx) => ctx.elicit({ message: '?', schema: z.object({ a: z.string() }), ...more } as never),
      'ELICITATION_OPTIONS',
      message,
    ]),
    [
      'how often to ask, of what asks once',
      (ctx) => ctx.elicit.strict('seat', { message: '?', onDecline: 'retry' } as never),
      'ELICITATION_OPTIONS',
      /'onDecline', which ctx\.elicit\.withRetry takes/,
    ],
    [
      'another way to go on after a decline',
      (ctx) => ctx.elicit.withRetry('seat', { message: '?', onDecline: 'again' } as never),
      'ELICITATION_OPTIONS',
      /onDecline is one of retry, error, return/,
    ],
    ['no message', (ctx) => ctx.elicit('seat', {} as never), 'ELICITATION_OPTIONS', /no message/],
    [
      'a context that does not fit',
      (ctx) => ctx.elicit('meal', { message: '?', dishes: 'soup' } as never),
      'ELICITATION_OPTIONS',
      /dishes/,
    ],
    [
      'a context that is not JSON',
      (ctx) => ctx.elicit('seat', { message: '?', seats: { free: () => 1 } }),
      'ELICITATION_OPTIONS',
      /seats\.free is a function/,
    ],
    [
      'URL mode',
      (ctx) => ctx.elicit('seat', { message: '?', mode: 'url' } as never),
      'ELICITATION_MODE',
      /modelcontextprotocol\.io/,
    ],
    [
      'a schema no form can show',
      (ctx) => ctx.elicit({ message: '?', schema: z.object({ deep: z.object({}) }) as never }),
      'TOOL_DEFINITION',
      /'deep'/,
    ],
    [
      'a branch',
      (ctx) => ctx.branch((branch) => branch.elicit({ message: '?', schema: z.object({ a: z.string() }) })),
      'ELICITATION_IN_BRANCH',
      /depth 1/,
    ],
  ])('refuses %s', async (_, code, expected, message) => {
    const result = await answered(code, {});
    expect(result).toMatchObject({ code: expected, message: expect.stringMatching(message), asked: [] });
  });

  it('may be taken out of the context, as may every verb', async () => {
    const client = createMockMcpClient({ elicitResponses: [seat], sampleResponses: ['x'] });
    const code = tool(function* ({ elicit, sample, log, notify, branch, roots, callId, depth }) {
      yield* log('info', callId);
      yield* notify('on');
      yield* roots();
      yield* elicit('seat', { message: '?' });
      return [
        depth,
        (yield* sample({ prompt: 'x' })).text,
        yield* branch(function* (b) {
          return b.depth;
        }),
      ];
    });
    expect(await runMcpTool(code, {}, client)).toEqual([0, 'x', 1]);
  });
});

describe('elicit.strict', () => {
  const ask = (ctx: Ctx) => ctx.elicit.strict('seat', { message: '?' });

  it('gives the content of the accepted answer', async () => {
    const { value } = await answered(
      function* (ctx) {
        return (yield* ask(ctx)).row;
      },
      { seat },
    );
    expect(value).toBe(12);
  });

  it('throws what else there is', async () => {
    expect(await answered(ask, { seat: declined })).toMatchObject({
      code: 'ELICITATION_DECLINED',
      message: expect.stringContaining("'seat'"),
    });
    expect(await answered(ask, { seat: cancelled })).toMatchObject({ code: 'ELICITATION_CANCELLED' });
  });
});

describe('elicit.withRetry', () => {
  const ask = (options: object) => (ctx: Ctx) => ctx.elicit.withRetry('seat', { message: '?', ...options });

  it('asks again when declined, as often as it may', async () => {
    const twice = await answered(ask({}), [declined, declined, seat]);
    expect(twice).toMatchObject({ value: { action: 'accept' } });
    expect(twice.asked).toHaveLength(3);
    const never = await answered(ask({ maxAttempts: 2 }), [declined, declined]);
    expect(never).toMatchObject({ code: 'ELICITATION_DECLINED' });
    expect(never.asked).toHaveLength(2);
  });

  it('takes a cancel as the end', async () => {
    const result = await answered(ask({}), [declined, cancelled]);
    expect(result).toMatchObject({ value: { action: 'cancel' } });
  });

  it('does what onDecline says', async () => {
    expect(await answered(ask({ onDecline: 'return' }), [declined])).toMatchObject({
      value: { action: 'decline' },
    });
    expect(await answered(ask({ onDecline: 'error' }), [declined])).toMatchObject({
      code: 'ELICITATION_DECLINED',
    });
  });

  it('refuses a maxAttempts that is no number of attempts', async () => {
    for (const maxAttempts of [0, -1, 1.5, Number.NaN]) {
      expect(await answered(ask({ maxAttempts }), [seat])).toMatchObject({ code: 'ELICITATION_OPTIONS' });
    }
  });

  it('works for a question known only at run time', async () => {
    const schema = z.object({ yes: z.boolean() });
    const { value, asked } = await answered(
      (ctx) => ctx.elicit.withRetry({ message: '?', schema, maxAttempts: 5 }),
      [declined, accept({ yes: true })],
    );
    expect(value).toMatchObject({ action: 'accept', content: { yes: true } });
    expect(asked).toHaveLength(2);
  });
});

describe('what a handler of this realm can know of a question', () => {
  it(
    'is there while the question is open: schema, parsed context, parameters, handoff',
    withManager(function* ({ manager }) {
      const context = z.object({ since: z.iso.date().transform((day) => new Date(day)) });
      const response = z.object({ ok: z.boolean() });
      const hands = createMcpTool('hands')
        .description('d')
        .parameters(z.object({ n: z.int().default(1) }))
        .elicits({ ok: { response, context } })
        .handoff({
          *before() {
            return { connection: new Map([['open', true]]) };
          },
          *client(_, ctx) {
            return yield* ctx.elicit('ok', { message: '?', since: '2026-01-01' });
          },
          *after() {},
        });
      const session = yield* manager.create({ tool: hands, params: {} });
      const { ask } = yield* eventOf(session, 'elicit_request');
      expect(session.realm(ask)).toMatchObject({
        plugin: undefined,
        params: { n: 1 },
        handoff: { connection: new Map([['open', true]]) },
        schema: response,
        context: { since: new Date('2026-01-01') },
      });
      expect(ask.request.context).toEqual({ since: '2026-01-01T00:00:00.000Z' });
      session.respondToElicit(ask.id, accept({ ok: true }));
      expect(session.realm(ask)).toBeUndefined();
    }),
  );
});

describe('a handoff', () => {
  it('runs before once, client, then after once with the same handoff, whatever the answers', async () => {
    const log: string[] = [];
    const phases = createMcpTool('phases')
      .description('d')
      .parameters(z.object({ from: z.string() }))
      .elicits({ seat: z.object({ row: z.int() }) })
      .handoff({
        *before({ from }, ctx) {
          yield* ctx.log('info', 'before');
          log.push('before');
          return { from, token: Symbol('never serialised') };
        },
        *client(handoff, ctx) {
          const answer = yield* ctx.elicit('seat', { message: handoff.from });
          return { row: answer.action === 'accept' ? answer.content.row : 0, token: handoff.token };
        },
        *after(handoff, { row, token }, _, params) {
          log.push('after');
          return { row, same: handoff.token === token, params };
        },
      });
    const client = createMockMcpClient({
      elicitResponses: [accept({ row: 'x' }), accept({ row: 'y' }), accept({ row: 3 })],
    });
    expect(await run(() => runMcpTool(phases, { from: 'AMS' }, client))).toEqual({
      row: 3,
      same: true,
      params: { from: 'AMS' },
    });
    expect(log).toEqual(['before', 'after']);
  });
});
