import { run } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { chatAnswer } from '#src/mcp/model/chat-answer.ts';
import { withoutThinking } from '#src/runtime/sampling/without-thinking.ts';
import { calls, scriptedModel } from './scripted-model.ts';

const DRAFT = 'maybe {"n":9}, or\n```json\n{"n":8}\n```\n';
const ANSWER = '{"n":1}';

describe('thinking in an answer', () => {
  it.each([
    ['think', `<think>${DRAFT}</think>${ANSWER}`],
    ['an open fence', `<think>\n\`\`\`json\n{"n":9}\n</think>\n\n\`\`\`json\n${ANSWER}\n\`\`\``],
    ['attributes and capitals', `<Thinking budget="3">${DRAFT}</Thinking>\n\n${ANSWER}`],
    ['reasoning behind a greeting', `Sure. <reasoning>${DRAFT}</reasoning>${ANSWER}`],
    ['no beginning', `${DRAFT}</think>\n${ANSWER}`],
    ['nested tags', `<think>a <think>b</think>${DRAFT}</think>${ANSWER}`],
    ['several thoughts', `<thought>${DRAFT}</thought>So:\n<thought>${DRAFT}</thought>${ANSWER}`],
    ['square brackets', `[THINK]${DRAFT}[/THINK]${ANSWER}`],
    ['special tokens', `<|START_THINKING|>${DRAFT}<|END_THINKING|>${ANSWER}`],
    ['words for special tokens', `<|begin_of_thought|>${DRAFT}<|end_of_thought|>${ANSWER}`],
    ['triangles', `◁think▷${DRAFT}◁/think▷${ANSWER}`],
    [
      'a channel',
      `<|channel|>analysis<|message|>${DRAFT}<|end|><|start|>assistant<|channel|>final<|message|>${ANSWER}<|return|>`,
    ],
    [
      'two channels',
      `<|channel|>analysis<|message|>${DRAFT}<|end|><|start|>assistant<|channel|>commentary<|message|>${DRAFT}<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>${ANSWER}`,
    ],
    ['a channel that another ends', `<|channel>thought\n${DRAFT}<channel|>${ANSWER}`],
    ['a channel without its tokens', `analysis${DRAFT}assistantfinal${ANSWER}`],
    ['words before', `First {"n":9}. No, better: ${ANSWER}.`],
    ['a fence before', `\`\`\`json\n{"n":9}\n\`\`\`\nWait, that is wrong: ${ANSWER}`],
  ])('is not taken for the answer: %s', async (_what, text) => {
    const model = scriptedModel([text]);
    const result = await run(() => model.sample({ prompt: 'n?', schema: z.object({ n: z.number() }) }));
    expect(result.parsed).toEqual({ n: 1 });
  });

  it.each([
    ['an unclosed tag', `<think>${DRAFT}`],
    ['an unclosed tag behind words', `Sure: <thinking>${DRAFT}`],
    ['an unclosed channel', `<|channel|>analysis<|message|>${DRAFT}`],
    ['no answer after it', `<think>${DRAFT}</think>`],
  ])('is no answer by itself: %s', async (_what, text) => {
    const model = scriptedModel([text]);
    const result = await run(() => model.sample({ prompt: 'n?', schema: z.object({ n: z.number() }) }));
    expect(result.problem).toBe('the answer holds no JSON');
  });

  it('is left out of the text, of the exchange and of what is remembered', async () => {
    const model = scriptedModel([
      '<think>secret</think>\n\nHello.',
      [{ type: 'text', text: '<think>secret' }, calls('x', {})],
    ]);
    const { text, exchange } = await run(() => model.sample({ prompt: 'Hi' }));
    const second = await run(() => model.sample({ prompt: 'Hi' }));
    expect(text).toBe('Hello.');
    expect(JSON.stringify([exchange, second.exchange, model.history])).not.toContain('secret');
    expect(second.exchange.messages.at(1)).toMatchObject({ content: [{ type: 'tool_use' }] });
  });

  it('is left out where a provider gives it as a part of its own', () => {
    const content = [
      { type: 'reasoning', text: '{"n":9}' },
      { type: 'text', text: ANSWER },
    ];
    expect(chatAnswer({ choices: [{ message: { content } }] }, 'm').content).toMatchObject({ text: ANSWER });
  });

  it.each([
    '{"html":"<think>x</think>"}',
    'Here: {"html":"an <think> b"} and <b>that</b> is it',
    'Models write `<think>` and `</think>`.',
    '  As in:\n```html\n<think>x</think>\n```\n',
    'I think <b>so</b>: a < b, [think](x)',
  ])('is nothing that is only mentioned: %s', (text) => {
    expect(withoutThinking(text)).toBe(text);
  });

  it('is found behind JSON that mentions it', () => {
    expect(withoutThinking(`{"a":"<think>"} <think>${DRAFT}</think> ${ANSWER}`)).toBe(
      `{"a":"<think>"}  ${ANSWER}`,
    );
  });

  it.each([
    '<think>',
    '</think>',
    '<think></think>',
    '<|channel|>',
    '```\n',
    '`',
    '{"<think>',
    '{"a":"<think>"}',
  ])('is looked for in much text without end: %s', { timeout: 30_000 }, (piece) => {
    expect(withoutThinking(piece.repeat(400_000)).length).toBeLessThanOrEqual(piece.length * 400_000);
  });
});
