import { type Operation, until } from 'effection';
import { SamplingError } from '../../core/errors/sampling-errors.ts';
import { isObject } from '../../core/schema/is-object.ts';
import { shortened } from '../wire/rpc/rpc-error.ts';

/** Longest answer, bytes. */
const MAX_ANSWER = 16 * 1024 ** 2;

/** Bytes that a streamed token takes at most, with what stands around it, and bytes of what is no token. */
const TOKEN = 2_048;
const AROUND = 64 * 1024;

/** Longest line of a stream, characters. */
const LINE = 2 ** 20;

/** Calls of tools in one answer. */
const MOST_CALLS = 128;

/** An answer that came whole, as text. */
export async function boundedText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > MAX_ANSWER) throw new SamplingError("The model's answer is longer than 16 MiB.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** What is put together of a stream: the body of an answer that came whole. */
interface Streamed {
  text: string;
  refusal: string;
  readonly calls: { id: string; function: { name: string; arguments: string } }[];
  reason: unknown;
  model: unknown;
  usage: unknown;
}

/**
 * A streamed answer (`chat.completion.chunk`), as the body of one that came whole.
 *
 * @param maxTokens what was asked for: a stream that goes on beyond it is ended
 * @param onText told of each piece of text
 */
export function* streamedBody(
  { body }: Response,
  maxTokens: number,
  onText: (text: string) => Operation<void>,
): Operation<unknown> {
  const most = Math.min(MAX_ANSWER, AROUND + maxTokens * TOKEN);
  const streamed: Streamed = {
    text: '',
    refusal: '',
    calls: [],
    reason: undefined,
    model: undefined,
    usage: undefined,
  };
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let length = 0;
  let rest = '';
  let isDone = reader === undefined;
  try {
    while (reader && !isDone) {
      const { done, value } = yield* until(reader.read().catch(brokeOff));
      length += value?.length ?? 0;
      if (length > most) throw new SamplingError('The model goes on beyond the length that was asked for.');
      const lines = (rest + (done ? `${decoder.decode()}\n` : decoder.decode(value, { stream: true }))).split(
        /\r?\n/,
      );
      rest = lines.pop() ?? '';
      if (rest.length > LINE)
        throw new SamplingError('The answer of the model is no stream that can be read.');
      const data = lines.flatMap((line) => /^data: ?(.*)$/.exec(line)?.[1] ?? []);
      const end = data.indexOf('[DONE]');
      for (const one of end < 0 ? data : data.slice(0, end)) {
        const piece = add(streamed, one);
        if (piece !== '') yield* onText(piece);
      }
      isDone = done || end >= 0;
      // Some end without a word; what has not said why it stops was cut off.
      if (done && end < 0 && streamed.reason === undefined) brokeOff();
    }
  } finally {
    void reader?.cancel().catch(() => {});
  }
  const { text: content, refusal, calls, reason, ...more } = streamed;
  const message = {
    content,
    ...(refusal === '' ? {} : { refusal }),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  return { ...more, choices: [{ message, finish_reason: reason }] };
}

function brokeOff(cause?: unknown): never {
  throw new SamplingError('The answer of the model broke off.', { cause });
}

/** Adds a chunk. Gives its text. */
function add(streamed: Streamed, json: string): string {
  const chunk = parsed(json);
  if (isObject(chunk.error)) {
    throw new SamplingError(
      `The model's server failed: ${shortened(String(chunk.error.message ?? 'it does not say why'))}`,
    );
  }
  streamed.model ??= chunk.model;
  if (chunk.usage) streamed.usage = chunk.usage;
  const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
  if (!isObject(choice)) return '';
  streamed.reason = choice.finish_reason ?? streamed.reason;
  const { content, refusal, tool_calls: calls } = isObject(choice.delta) ? choice.delta : {};
  if (typeof refusal === 'string') streamed.refusal += refusal;
  for (const call of Array.isArray(calls) ? calls : []) addCall(streamed, call);
  if (typeof content !== 'string') return '';
  streamed.text += content;
  return content;
}

function addCall({ calls }: Streamed, piece: unknown): void {
  if (!isObject(piece)) return;
  const at = typeof piece.index === 'number' ? piece.index : calls.length;
  if (!Number.isInteger(at) || at < 0 || at > Math.min(calls.length, MOST_CALLS)) {
    throw new SamplingError('The model called a tool in a way that cannot be read.');
  }
  calls[at] ??= { id: '', function: { name: '', arguments: '' } };
  const call = calls[at];
  const called = isObject(piece.function) ? piece.function : {};
  if (typeof piece.id === 'string') call.id ||= piece.id;
  if (typeof called.name === 'string') call.function.name += called.name;
  if (typeof called.arguments === 'string') call.function.arguments += called.arguments;
}

function parsed(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    if (isObject(value)) return value;
  } catch {
    // As below.
  }
  throw new SamplingError('The answer of the model is not JSON.');
}
