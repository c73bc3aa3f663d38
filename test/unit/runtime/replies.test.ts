import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { wireForm, withReplies } from '#src/core/form/wire-form.ts';
import { createMcpTool, type ElicitReply, makePlugin } from '#src/core/index.ts';
import type { AnyTool } from '#src/core/tool/tool.ts';
import { checkReplay, createMockMcpClient, reply, runMcpTool } from '#src/testing/index.ts';
import { approve } from '#src/tools/approve/tool.ts';
import { askUser } from '#src/tools/ask-user/tool.ts';
import { reviewPlan } from '#src/tools/review-plan/tool.ts';

const declared = createMcpTool('deploy')
  .description('Deploys.')
  .parameters(z.object({}))
  .durable()
  .elicits({ where: z.object({ region: z.enum(['eu', 'us']), reply: z.string().optional() }) });

const deploy = declared.execute(function* (_, ctx) {
  const words: string[] = [];
  for (;;) {
    const answer = yield* ctx.elicit('where', { message: `Where? ${words.join()}`, replies: true });
    if (answer.action !== 'reply') return { words, action: answer.action };
    expectTypeOf(answer).toEqualTypeOf<ElicitReply>();
    words.push(answer.text);
  }
});

const accept = <T extends object>(content: T) => ({ action: 'accept', content }) as const;
const eu = accept({ region: 'eu' });

describe('a question with replies: true', () => {
  it.each([
    ['by a client that has a place for it', reply(' Which is cheaper? ')],
    [
      'in a field of a client that has none, beside others',
      accept({ region: 'us', reply_reply: 'Which is cheaper?' }),
    ],
    ['without the fields that have to be filled in', accept({ reply_reply: 'Which is cheaper?' })],
  ])('gives a word back %s, and is asked anew, also after each restart', async (_, word) => {
    const client = createMockMcpClient({ elicitResponses: [word, eu] });
    const { result } = await checkReplay(deploy, {}, client);
    expect(result).toEqual({ words: ['Which is cheaper?'], action: 'accept' });
  });

  it('takes an empty field for no reply, and one that is its own for an answer', async () => {
    const blank = [accept({ region: 'eu', reply: 'as it is', reply_reply: ' ' })];
    const client = createMockMcpClient({ elicitResponses: blank });
    expect(await runMcpTool(deploy, {}, client)).toEqual({ words: [], action: 'accept' });
    const empty = createMockMcpClient({ elicitResponses: [reply(' '), eu] });
    expect(await runMcpTool(deploy, {}, empty)).toEqual({ words: [], action: 'accept' });
    expect(empty.transcript).toMatchObject([{ attempt: 1 }, { attempt: 2, problem: 'the reply is empty' }]);
  });

  it('is one more field for other clients, with none that has to be filled in', () => {
    const { properties, required } = wireForm(
      withReplies({
        type: 'object',
        properties: { region: { type: 'string', enum: ['eu'] } },
        required: ['region'],
      }),
    );
    expect(Object.keys(properties)).toEqual(['region', 'reply']);
    expect(properties.reply).toMatchObject({ type: 'string', title: 'Reply instead' });
    expect(required).toBeUndefined();
  });

  it('is the last field by its name, too: Codex shows them so', () => {
    const value = { type: 'string' } as const;
    const { properties } = wireForm(withReplies({ type: 'object', properties: { value, a: value } }));
    expect(Object.keys(properties).sort()).toEqual(['a', 'value', 'value_reply']);
  });

  it('is replied to by a handler, too', async () => {
    const plugin = makePlugin(deploy)
      .onElicit({
        *where({ message }) {
          return message === 'Where? ' ? reply('Which?') : accept({ region: 'eu' as const });
        },
      })
      .build();
    const client = createMockMcpClient({ viewResponses: [] });
    expect(await runMcpTool(plugin, {}, client)).toEqual({ words: ['Which?'], action: 'accept' });
  });
});

describe('a question without replies', () => {
  const plain = declared.execute(function* (_, ctx) {
    const answer = yield* ctx.elicit('where', { message: '?' });
    // @ts-expect-error: it takes no reply
    if (answer.action === 'reply') return answer.text;
    return answer.action === 'accept' ? answer.content.reply : answer.action;
  });

  it('is asked again where a client replies, and has its own fields', async () => {
    const client = createMockMcpClient({
      elicitResponses: [reply('Why?'), accept({ region: 'eu', reply: 'mine' })],
    });
    expect(await runMcpTool(plain, {}, client)).toBe('mine');
    expect(client.transcript).toMatchObject([
      { attempt: 1 },
      { problem: 'this question takes an answer, and no reply' },
    ]);
  });

  it('is what elicit.strict and a question of elicit.all are', async () => {
    const strict = declared.execute(function* (_, ctx) {
      // @ts-expect-error: only answers come of it
      yield* ctx.elicit.strict('where', { message: '?', replies: true });
    });
    const inAll = declared.execute(function* (_, ctx) {
      // @ts-expect-error: it is said of all together
      yield* ctx.elicit.all({ where: { message: '?', replies: true } });
    });
    for (const tool of [strict, inAll]) {
      await expect(runMcpTool(tool, {}, createMockMcpClient())).rejects.toMatchObject({
        code: 'ELICITATION_OPTIONS',
        message: expect.stringContaining("'replies'"),
      });
    }
  });
});

it('all ways to ask but elicit.strict take replies', async () => {
  const tool = declared.execute(function* (_, ctx) {
    const schema = z.object({ n: z.int() });
    const inline = yield* ctx.elicit({ message: '1', schema, replies: true });
    const again = yield* ctx.elicit.withRetry('where', { message: '2', replies: true });
    const all = yield* ctx.elicit.all({ where: { message: '3' } }, { replies: true });
    // @ts-expect-error: it is written as true or false
    if (inline.action === 'decline') yield* ctx.elicit('where', { message: '?', replies: 1 > 0 });
    return [inline, again, all].map((one) => one.action === 'reply' && one.text);
  });
  const client = createMockMcpClient({ elicitResponses: [reply('a'), reply('b'), reply('c')] });
  expect(await runMcpTool(tool, {}, client)).toEqual(['a', 'b', 'c']);
});

it.each<[AnyTool, Record<string, unknown>]>([
  [askUser, { message: 'Which port?', fields: [{ name: 'port', label: 'Port', kind: 'integer' }] }],
  [reviewPlan, { document: '1. Delete all' }],
  [approve, { message: 'Clean up', changes: [{ label: 'Delete all' }] }],
])('hands a reply to the agent, which asks anew (%#)', async (tool, params) => {
  const client = createMockMcpClient({ elicitResponses: [reply('Why?')] });
  expect(await runMcpTool(tool, params, client)).toEqual({ status: 'replied', reply: 'Why?' });
});
