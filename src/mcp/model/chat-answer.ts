import { randomUUID } from 'node:crypto';
import { ModelQuotaError, SamplingError, SamplingRefusedError } from '../../core/errors/sampling-errors.ts';
import { blocksOf, type MessageContent } from '../../core/messages/content.ts';
import { defined } from '../../core/schema/defined.ts';
import { isObject } from '../../core/schema/is-object.ts';
import type { SampleAnswer } from '../../core/tool/ask.ts';
import { SCHEMA_TOOL_NAME } from '../../core/tool/sample.ts';
import { toolUse, unreadableInput } from '../../core/tool/tool-input.ts';
import { withoutThinking } from '../../runtime/sampling/index.ts';
import { shortened } from '../wire/rpc/rpc-error.ts';

const STOPS: Readonly<Record<string, string>> = {
  stop: 'endTurn',
  length: 'maxTokens',
  tool_calls: 'toolUse',
  function_call: 'toolUse',
};

/**
 * The answer in the body of a `chat.completion`.
 *
 * @param stops sequences that the model was not told of
 * @throws a `ParleyError` for what is none, and for a refusal
 */
export function chatAnswer(body: unknown, model: string, stops: readonly string[] = []): SampleAnswer {
  const choice: unknown = isObject(body) && Array.isArray(body.choices) ? body.choices[0] : undefined;
  if (!isObject(body) || !isObject(choice) || !isObject(choice.message)) {
    throw new SamplingError('The answer of the model is not a chat completion.');
  }
  const { content, tool_calls: calls, refusal } = choice.message;
  const reason = choice.finish_reason;
  if (typeof refusal === 'string' && refusal !== '') {
    throw new SamplingRefusedError(`The model refused: ${shortened(refusal)}`);
  }
  if (reason === 'content_filter') {
    throw new SamplingRefusedError('The provider of the model filtered its answer. Ask for something else.');
  }
  const uses = Array.isArray(calls) ? calls.map(useOf) : [];
  const whole = textOf(content);
  const text = stops.reduce((left, stop) => (stop === '' ? left : (left.split(stop)[0] ?? '')), whole);
  const blocks: MessageContent[] = [...(text === '' && uses.length > 0 ? [] : [textBlock(text)]), ...uses];
  const [only] = blocks;
  return {
    role: 'assistant',
    content: uses.length === 0 && only ? only : blocks,
    model: typeof body.model === 'string' ? body.model : model,
    stopReason:
      uses.length > 0
        ? 'toolUse'
        : text !== whole
          ? 'stopSequence'
          : typeof reason === 'string'
            ? (STOPS[reason] ?? reason)
            : 'endTurn',
    ...defined({ usage: usageOf(body.usage) }),
  };
}

/** An answer to a request for data, as a call of the reserved tool; nothing where the server did not give data alone. */
export function dataAnswer(answer: SampleAnswer): SampleAnswer | undefined {
  const [only, ...more] = blocksOf(answer);
  const text = only?.type === 'text' && more.length === 0 ? withoutThinking(only.text).trim() : '';
  if (text === '') return undefined;
  const use = toolUse(randomUUID(), SCHEMA_TOOL_NAME, text);
  return unreadableInput(use) === undefined ? { ...answer, content: use, stopReason: 'toolUse' } : undefined;
}

/** What a failed request comes to in a tool. `body` is what the server said, as text; `checkKey` what to do about a key. */
export function chatFailure(status: number, body: string, checkKey: string): Error {
  const why = reasonIn(body);
  const said = why === '' ? '' : ` It says: ${shortened(why)}`;
  if (status === 429) return new ModelQuotaError(`The model's quota is used up for now.${said}`);
  if (status === 401 || status === 403) {
    return new SamplingError(`The model's server did not accept the key (${status}). ${checkKey}`);
  }
  return new SamplingError(`The model's server answered with ${status}.${said}`);
}

function textBlock(text: string): MessageContent {
  return { type: 'text', text };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (isSpoken(part) && typeof part.text === 'string' ? part.text : '')).join('');
}

/** A part that is the answer: others are the model's thinking. */
function isSpoken(part: unknown): part is { readonly text?: unknown } {
  return isObject(part) && (part.type === undefined || part.type === 'text' || part.type === 'output_text');
}

function useOf(call: unknown): MessageContent {
  const called = isObject(call) && isObject(call.function) ? call.function : undefined;
  if (!isObject(call) || typeof call.id !== 'string' || typeof called?.name !== 'string') {
    throw new SamplingError('The model called a tool in a way that cannot be read.');
  }
  return toolUse(call.id, called.name, called.arguments);
}

function usageOf(usage: unknown): SampleAnswer['usage'] {
  if (!isObject(usage)) return undefined;
  const inputTokens = countIn(usage.prompt_tokens);
  const outputTokens = countIn(usage.completion_tokens);
  return inputTokens === undefined && outputTokens === undefined
    ? undefined
    : defined({ inputTokens, outputTokens });
}

function countIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function reasonIn(body: string): string {
  try {
    const parsed: unknown = JSON.parse(body);
    const error = isObject(parsed) ? parsed.error : undefined;
    if (isObject(error) && typeof error.message === 'string') return error.message;
    return typeof error === 'string' ? error : '';
  } catch {
    return '';
  }
}
