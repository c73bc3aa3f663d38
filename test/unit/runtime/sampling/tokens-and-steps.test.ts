import { run } from 'effection';
import { describe, expect, it } from 'vitest';
import type { SampleAnswer, SampleAskRequest } from '#src/core/tool/ask.ts';
import type { Step } from '#src/core/tool/step.ts';
import { withSamplingSteps } from '#src/runtime/sampling/steps.ts';
import { tokensUsed } from '#src/runtime/sampling/tokens.ts';
import { assistant, calls, user } from './scripted-model.ts';

const request: SampleAskRequest = { messages: [user('x'.repeat(40))], maxTokens: 100 };
const answer: SampleAnswer = { ...assistant('y'.repeat(20)), role: 'assistant', model: 'm' };

describe('the tokens of a sampling', () => {
  it('are estimated from characters: four to a token, and four tokens for each message', () => {
    expect(tokensUsed(request, answer)).toBe(10 + 4 + 5);
    expect(tokensUsed({ ...request, systemPrompt: 'z'.repeat(8) }, answer)).toBe(10 + 4 + 5 + 2);
  });

  it('are what the client reports, where it does', () => {
    expect(tokensUsed(request, { ...answer, usage: { inputTokens: 3, outputTokens: 4 } })).toBe(7);
    expect(tokensUsed(request, { ...answer, usage: { outputTokens: 4 } })).toBe(14 + 4);
  });

  it('count images, tools and their results', () => {
    const image = { type: 'image', data: 'A'.repeat(10_000), mimeType: 'image/png' } as const;
    const withImage = tokensUsed({ ...request, messages: [{ role: 'user', content: image }] }, answer);
    expect(withImage).toBe(1000 + 4 + 5);
    const result = {
      type: 'tool_result',
      toolUseId: 'a',
      content: [image, { type: 'text', text: 'abcd' }],
    } as const;
    expect(tokensUsed({ ...request, messages: [{ role: 'user', content: [result] }] }, answer)).toBe(
      1001 + 4 + 5,
    );
    const tools = [{ name: 'move', inputSchema: { type: 'object' } }];
    expect(tokensUsed({ ...request, tools }, answer)).toBeGreaterThan(tokensUsed(request, answer) + 5);
    expect(tokensUsed(request, { ...answer, content: calls('move', { cell: 1 }) })).toBeGreaterThan(14 + 10);
  });
});

describe('the steps around a sampling', () => {
  const step: Step = () => {
    throw new Error('not called');
  };
  const facts = { toolName: 't', callId: 'c', signal: new AbortController().signal, step };

  it('prepare the messages, do the sampling and change the answer, in this order', async () => {
    const order: string[] = [];
    const sample = withSamplingSteps(
      {
        *before(messages, ctx) {
          order.push(`before ${ctx.toolName} ${ctx.request.messages.length}`);
          return [user('first'), ...messages];
        },
        *act(prepared, provider) {
          order.push(`act ${prepared.messages.length}`);
          yield* provider(prepared);
          return yield* provider({ ...prepared, maxTokens: 1 });
        },
        *after(result, ctx) {
          order.push(`after ${ctx.callId}`);
          return { ...result, model: 'changed' };
        },
      },
      facts,
      function* (sent) {
        order.push(`provider ${sent.messages.length} ${sent.maxTokens}`);
        return answer;
      },
    );
    expect(await run(() => sample(request))).toEqual({ ...answer, model: 'changed' });
    expect(order).toEqual(['before t 1', 'act 2', 'provider 2 100', 'provider 2 1', 'after c']);
  });

  it('may leave the provider out', async () => {
    const sample = withSamplingSteps(
      {
        *act() {
          return answer;
        },
      },
      facts,
      function* () {
        throw new Error('not called');
      },
    );
    expect(await run(() => sample(request))).toBe(answer);
  });

  it.each([
    ['before', 'messages'],
    ['act', 'answer'],
    ['after', 'answer'],
  ])('say so where %s gives nothing', async (name, what) => {
    const provider = function* () {
      return answer;
    };
    const forgetful = { *[name]() {} };
    const sample = withSamplingSteps(forgetful, facts, provider);
    await expect(run(() => sample(request))).rejects.toThrow(
      `the sampling step '${name}' of its plugin gave no ${what}: return what it was given`,
    );
  });

  it('are the provider itself when there are none', () => {
    const provider = function* () {
      return answer;
    };
    expect(withSamplingSteps({}, facts, provider)).toBe(provider);
  });
});
