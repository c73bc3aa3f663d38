import { all, type Operation, sleep, spawn } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Message } from '#src/core/messages/content.ts';
import { makePlugin } from '#src/core/plugin/make-plugin.ts';
import type { PluginSamplingConfig } from '#src/core/plugin/plugin.ts';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import { createMockMcpClient, type MockSampleResponse, runMcpTool } from '#src/testing/index.ts';
import { type Ctx, clientOf, said, tool, withManager } from './session-kit.ts';

const user = (text: string): Message => ({ role: 'user', content: { type: 'text', text } });
const textsOf = (messages: readonly Message[]) => messages.map(({ content }) => JSON.stringify(content));

async function sampled<R>(
  code: (ctx: Ctx) => Operation<R>,
  sampleResponses: readonly MockSampleResponse[],
  limits = {},
) {
  const client = createMockMcpClient({ sampleResponses });
  const value = await runMcpTool(tool(code, { limits }), {}, client);
  return {
    value,
    requests: client.transcript.flatMap((entry) => (entry.type === 'sample' ? [entry.request] : [])),
  };
}

describe('the history of a call', () => {
  it('has prompt samplings, user and assistant in turn; samplings of messages are not in it', async () => {
    const { value, requests } = await sampled(
      function* (ctx) {
        const seen = [ctx.messages];
        yield* ctx.sample({ prompt: 'one' });
        seen.push(ctx.messages);
        yield* ctx.sample({ messages: [user('aside')] });
        expect(ctx.messages).toBe(ctx.messages);
        yield* ctx.sample({ prompt: 'two' });
        seen.push(ctx.messages);
        expect(seen.every(Object.isFrozen)).toBe(true);
        expect(() => (ctx.messages as Message[]).push(user('forged'))).toThrow(TypeError);
        return seen.map((messages) => messages.map(({ role }) => role).join(' '));
      },
      ['1', 'aside', '2'],
    );
    expect(value).toEqual(['', 'user assistant', 'user assistant user assistant']);
    expect(requests.map(({ messages }) => messages.length)).toEqual([1, 1, 3]);
  });

  it('cannot be changed through what a sampling gave', async () => {
    const { requests } = await sampled(
      function* (ctx) {
        const { exchange } = yield* ctx.sample({ prompt: 'one' });
        (exchange.request.content as { text: string }).text = 'changed';
        yield* ctx.sample({ prompt: 'two' });
      },
      ['1', '2'],
    );
    expect(textsOf(requests[1]?.messages ?? [])[0]).toContain('one');
  });

  it(
    'is in each sampling of a long conversation as it was then, read at whatever time',
    withManager(function* ({ manager }) {
      const code = tool(function* (ctx: Ctx) {
        for (let n = 0; n < 150; n++) yield* ctx.sample({ prompt: `question ${n}` });
        yield* ctx.branch(function* (branch) {
          for (let n = 0; n < 2; n++) yield* branch.sample({ prompt: `aside ${n}` });
        });
        for (let n = 150; n < 152; n++) yield* ctx.sample({ prompt: `question ${n}` });
      });
      const answering = clientOf({
        *sample() {
          return said('answer');
        },
      });
      const session = yield* manager.create({ tool: code, params: {} });
      yield* drive(session, answering, 'end');
      const requests = session
        .events()
        .flatMap((event) => (event.type === 'sample_request' ? [event.ask.request] : []));
      expect(requests.map(({ messages }) => messages.length)).toEqual(
        Array.from({ length: 154 }, (_, n) => (n < 152 ? 2 * n + 1 : 2 * (n - 2) + 1)),
      );
      const last = (at: number) => textsOf(requests[at]?.messages ?? []).at(-1);
      expect([149, 150, 151, 152].map(last)).toEqual(
        ['question 149', 'aside 0', 'aside 1', 'question 150'].map((text) => textsOf([user(text)])[0]),
      );
      expect(textsOf(requests[153]?.messages ?? []).join()).not.toContain('aside');
      const [request] = requests.slice(-1);
      expect(request?.messages).toBe(request?.messages);
      expect(JSON.parse(JSON.stringify(request))).toEqual(structuredClone(request));
    }),
  );

  it('of a branch may start with messages and a system prompt of its own', async () => {
    const { requests } = await sampled(
      function* (ctx) {
        yield* ctx.sample({ prompt: 'root', systemPrompt: 'be brief' });
        const own = { messages: [user('own')], systemPrompt: 'be long' };
        yield* ctx.branch((branch) => branch.sample({ prompt: 'after' }), own);
        yield* ctx.branch((branch) => branch.sample({ prompt: 'alone' }), { ...own, inheritMessages: false });
      },
      ['1', '2', '3'],
    );
    expect(requests[1]).toMatchObject({ systemPrompt: 'be long' });
    expect(textsOf(requests[1]?.messages ?? []).join()).toMatch(/root.*1.*own.*after/);
    expect(textsOf(requests[2]?.messages ?? []).join()).toMatch(/own.*alone/);
    expect(requests[2]?.messages).toHaveLength(2);
  });

  it('has the conversation that the call comes from beside it, and never in it', async () => {
    const code = tool(function* (ctx: Ctx) {
      yield* ctx.sample({ prompt: 'one' });
      expect(Object.isFrozen(ctx.parentMessages)).toBe(true);
      return [ctx.parentMessages.length, ctx.messages.length];
    });
    const client = createMockMcpClient({ sampleResponses: ['1'] });
    const parentMessages = [user('before')];
    expect(await runMcpTool(code, {}, client, { parentMessages })).toEqual([1, 2]);
    expect(client.transcript).toMatchObject([{ request: { messages: [{ content: { text: 'one' } }] } }]);
  });

  it('reaches a branch unless that is turned off, and never comes back from it', async () => {
    const { value, requests } = await sampled(
      function* (ctx) {
        yield* ctx.sample({ prompt: 'root', systemPrompt: 'be brief' });
        const parents = yield* ctx.branch(function* (branch) {
          yield* branch.sample({ prompt: 'inside' });
          yield* branch.branch((deeper) => deeper.sample({ prompt: 'deeper' }));
          expect(Object.isFrozen(branch.parentMessages)).toBe(true);
          return [branch.parentMessages.length, branch.messages.length];
        });
        yield* ctx.branch(
          function* (branch) {
            expect(branch.parentMessages).toHaveLength(2);
            yield* branch.sample({ prompt: 'alone' });
          },
          { inheritMessages: false, inheritSystemPrompt: false },
        );
        yield* ctx.sample({ prompt: 'root again' });
        return [...parents, ctx.messages.length];
      },
      ['a', 'b', 'c', 'd', 'e'],
    );
    expect(value).toEqual([2, 4, 4]);
    expect(requests.map(({ messages, systemPrompt }) => [messages.length, systemPrompt])).toEqual([
      [1, 'be brief'],
      [3, 'be brief'],
      [5, 'be brief'],
      [1, undefined],
      [3, undefined],
    ]);
  });

  it('takes a snapshot when the branch begins', async () => {
    const { value } = await sampled(
      function* (ctx) {
        const branch = yield* spawn(() =>
          ctx.branch(function* (inner) {
            yield* sleep(0);
            return [inner.parentMessages.length, inner.messages.length];
          }),
        );
        yield* sleep(0);
        yield* ctx.sample({ prompt: 'meanwhile' });
        return yield* branch;
      },
      ['x'],
    );
    expect(value).toEqual([0, 0]);
  });
});

describe('a sampling', () => {
  it('sends JSON, or says what is not', async () => {
    const blob = { type: 'text', text: 'x', _meta: { at: new Date(0) } } as const;
    const { requests } = await sampled(
      (ctx) => ctx.sample({ messages: [{ role: 'user', content: blob }] }),
      ['x'],
    );
    expect(requests[0]?.messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'x', _meta: { at: '1970-01-01T00:00:00.000Z' } } },
    ]);
    const bad = { type: 'text', text: 'x', _meta: { run: () => 1 } } as const;
    await expect(
      sampled((ctx) => ctx.sample({ messages: [user('a'), { role: 'user', content: bad }] }), []),
    ).rejects.toMatchObject({
      code: 'SAMPLE_OPTIONS',
      message: expect.stringMatching(/messages\[1\].*_meta\.run/),
    });
    await expect(sampled((ctx) => ctx.sample({ prompt: 'x', key: 'a#2' }), [])).rejects.toMatchObject({
      code: 'SAMPLE_OPTIONS',
    });
  });
});

describe('a token budget', () => {
  const usage = (outputTokens: number): MockSampleResponse => ({
    ...said('x'),
    usage: { inputTokens: 0, outputTokens },
  });

  it('lowers maxTokens to what is left, and throws used and allowed when it is spent', async () => {
    const requests: number[] = [];
    const client = createMockMcpClient({
      sampleResponses: (request) => {
        requests.push(request.maxTokens);
        return usage(60);
      },
    });
    const code = tool(
      function* (ctx: Ctx) {
        yield* ctx.sample({ prompt: 'a', maxTokens: 80 });
        try {
          yield* ctx.sample({ prompt: 'b', maxTokens: 80 });
        } catch (error) {
          return (error as { details: unknown }).details;
        }
      },
      { limits: { maxTokens: 100 } },
    );
    expect(await runMcpTool(code, {}, client)).toEqual({ used: 120, allowed: 100 });
    expect(requests).toEqual([80, 40]);
  });

  it('of a branch is thrown at ctx.branch, where nothing inside can catch it', async () => {
    const { value } = await sampled(
      function* (ctx) {
        const log: string[] = [];
        try {
          yield* ctx.branch(
            function* (branch) {
              try {
                yield* branch.sample({ prompt: 'a' });
                yield* branch.sample({ prompt: 'b' });
                log.push('went on');
              } catch {
                log.push('caught inside');
              } finally {
                log.push('cleaned up');
              }
            },
            { maxTokens: 50 },
          );
        } catch (error) {
          const { code, details } = error as { code: string; details: unknown };
          return { log, code, details };
        }
      },
      [usage(30), usage(30)],
    );
    expect(value).toEqual({ log: ['cleaned up'], code: 'BRANCH_TOKENS', details: { used: 60, allowed: 50 } });
  });

  it('can be used to its last token', async () => {
    const { value } = await sampled(
      (ctx) => ctx.branch((branch) => branch.sample({ prompt: 'a' }), { maxTokens: 30 }),
      [usage(30)],
      { maxTokens: 30 },
    );
    expect(value).toMatchObject({ model: expect.anything() });
  });

  it('can only tighten what is left of those above, and is charged to them', async () => {
    const { value } = await sampled(
      function* (ctx) {
        yield* ctx.sample({ prompt: 'a' });
        try {
          yield* ctx.branch((branch) => branch.sample({ prompt: 'b' }), { maxTokens: 1_000 });
        } catch (error) {
          return (error as { details: unknown }).details;
        }
      },
      [usage(70), usage(40)],
      { maxTokens: 100 },
    );
    expect(value).toEqual({ used: 40, allowed: 30 });
  });

  it('of an outer branch ends the outer one, not only the inner', async () => {
    const { value } = await sampled(
      function* (ctx) {
        const log: string[] = [];
        try {
          yield* ctx.branch(
            function* (outer) {
              try {
                yield* outer.branch((inner) => inner.sample({ prompt: 'a' }), { maxTokens: 500 });
              } catch {
                log.push('caught in the outer branch');
              }
            },
            { maxTokens: 20 },
          );
        } catch (error) {
          log.push((error as { code: string }).code);
        }
        return log;
      },
      [usage(30)],
    );
    expect(value).toEqual(['BRANCH_TOKENS']);
  });

  it('is shared by samplings side by side', async () => {
    await expect(
      sampled(
        (ctx) => all([1, 2, 3].map((n) => ctx.branch((branch) => branch.sample({ prompt: `${n}` })))),
        [usage(40), usage(40), usage(40)],
        { maxTokens: 100 },
      ),
    ).rejects.toMatchObject({ code: 'CALL_TOKENS', details: { used: 120, allowed: 100 } });
  });
});

describe('the sampling steps of a plugin', () => {
  const ask = createMcpTool('ask')
    .description('d')
    .parameters(z.object({}))
    .elicits({})
    .execute(function* (_, ctx) {
      const direct = yield* ctx.sample({ prompt: 'one' });
      const data = yield* ctx.branch((branch) =>
        branch.sampleSchema({ prompt: 'two', schema: z.object({ n: z.int() }) }),
      );
      return [direct.text, data.parsed.n];
    });
  const withSteps = (config: PluginSamplingConfig) => makePlugin(ask).onElicit({}).sampling(config).build();

  it('go around every sampling of its tool, in branches too', async () => {
    const steps: string[] = [];
    const plugin = withSteps({
      *before(messages, { toolName, callId }) {
        steps.push(`before ${toolName} ${callId}`);
        return [user('preamble'), ...messages];
      },
      *act(prepared, provider) {
        steps.push(`act ${prepared.messages.length}`);
        yield* provider({ ...prepared, messages: [user('warm up')] });
        return yield* provider(prepared);
      },
      *after(result) {
        steps.push('after');
        return result;
      },
    });
    const client = createMockMcpClient({ sampleResponses: ['-', 'hello', '-', '{"n": 4}'] });
    expect(await runMcpTool(plugin, {}, client, { callId: 'c' })).toEqual(['hello', 4]);
    expect(steps).toEqual(['before ask c', 'act 2', 'after', 'before ask c', 'act 4', 'after']);
    expect(client.transcript.filter(({ type }) => type === 'sample')).toHaveLength(4);
  });

  it('fail the sampling when they throw', async () => {
    const plugin = withSteps({
      *before() {
        throw new Error('no messages today');
      },
    });
    await expect(runMcpTool(plugin, {})).rejects.toThrow('no messages today');
  });
});
