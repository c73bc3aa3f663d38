import { type Operation, race, sleep, until, useAbortSignal } from 'effection';
import { SamplingError } from '../../core/errors/sampling-errors.ts';
import { isLoopback } from '../../core/page/page-address.ts';
import type { SampleAnswer, SampleAskRequest } from '../../core/tool/ask.ts';
import { tokensUsed } from '../../runtime/sampling/index.ts';
import { Budget, type ModelLimits } from './budget.ts';
import { chatAnswer, chatFailure, dataAnswer } from './chat-answer.ts';
import { chatRequest, refusedPart } from './chat-request.ts';
import { boundedText, streamedBody } from './read-answer.ts';

/** Where a model is, and what may be spent of it. */
export interface ModelPlace {
  /** What `/chat/completions` is put behind: `https://api.openai.com/v1`. */
  readonly url: string;
  /** Which of the server's models. */
  readonly name: string;
  /** Sent as a bearer token; only over `https:`, or to this machine. */
  readonly key?: string;
  /** What one principal may spend in an hour; 100 samplings and 200,000 tokens by default. */
  readonly limits?: Partial<ModelLimits>;
  /** How long an answer may take, milliseconds; two minutes by default. */
  readonly timeout?: number;
  readonly now?: () => number;
}

/** A model behind an OpenAI-compatible address. */
export interface Model {
  /** @param onText told of each piece of text as it arrives: with it the answer is streamed */
  respond(
    request: SampleAskRequest,
    principal: string,
    onText?: (text: string) => Operation<void>,
  ): Operation<SampleAnswer>;
}

const LIMITS: ModelLimits = { calls: 100, tokens: 200_000 };
const TIMEOUT = 120_000;

/**
 * A model behind an OpenAI-compatible address.
 *
 * @param checkKey what to do about a key that is not accepted
 * @throws `TypeError` for an address that is none, or over which a key would travel in the open
 */
export function createModel(place: ModelPlace, checkKey = 'Check PARLEY_MODEL_KEY.'): Model {
  const { name, timeout = TIMEOUT, now = () => performance.now() } = place;
  const address = addressOf(place);
  const budget = new Budget({ ...LIMITS, ...place.limits }, now);
  let refused: ReadonlySet<string> = new Set();

  /** Asks again without what the model refuses, and remembers what that was. */
  function* complete(
    request: SampleAskRequest,
    onText?: (text: string) => Operation<void>,
  ): Operation<SampleAnswer> {
    for (let without = refused; ; ) {
      const sent = { ...chatRequest(name, request, without), ...(onText ? { stream: true } : {}) };
      const { status, ok, body } = yield* post(address, place.key, sent, request.maxTokens, onText);
      if (ok) {
        refused = without;
        const answer = chatAnswer(
          typeof body === 'string' ? parsed(body) : body,
          name,
          without.has('stop') ? request.stopSequences : undefined,
        );
        if (!('response_format' in sent)) return answer;
        const data = dataAnswer(answer);
        // Some do not read what they do not know, and say nothing of it.
        if (!data && answer.stopReason !== 'maxTokens') refused = new Set([...without, 'response_format']);
        return data ?? answer;
      }
      const text = String(body);
      const part = refusedPart(status, text, sent);
      if (part === undefined) throw chatFailure(status, text, checkKey);
      without = new Set([...without, part]);
    }
  }

  return {
    *respond(request, principal, onText) {
      // As much as it may cost: what is said is known, and what comes is bounded.
      const settle = budget.spend(principal, tokensUsed(request, NOTHING) + request.maxTokens);
      let spent = tokensUsed(request, NOTHING);
      try {
        const answer = yield* race([complete(request, onText), late(timeout)]);
        spent = tokensUsed(request, answer);
        return answer;
      } finally {
        settle(spent);
      }
    },
  };
}

const NOTHING: SampleAnswer = { role: 'assistant', content: { type: 'text', text: '' }, model: '' };

function addressOf({ url, key }: ModelPlace): URL {
  const base = URL.canParse(url) ? new URL(url) : undefined;
  if (!base || !/^https?:$/.test(base.protocol) || base.username !== '' || base.password !== '') {
    throw new TypeError(`the address of a model begins with https:// or http://, not '${url}'`);
  }
  if (key !== undefined && base.protocol === 'http:' && !isLoopback(base.hostname)) {
    throw new TypeError(`a key is not sent in the open: the model at ${base.host} needs https://`);
  }
  base.pathname = `${base.pathname.replace(/\/$/, '')}/chat/completions`;
  return base;
}

function* late(timeout: number): Operation<never> {
  yield* sleep(timeout);
  throw new SamplingError(`The model did not answer within ${timeout / 1000} s.`);
}

interface Answer extends Pick<Response, 'status' | 'ok'> {
  /** As text, or put together of what was streamed. */
  readonly body: unknown;
}

function* post(
  address: URL,
  key: string | undefined,
  sent: unknown,
  maxTokens: number,
  onText: ((text: string) => Operation<void>) | undefined,
): Operation<Answer> {
  const signal = yield* useAbortSignal();
  const headers = {
    'content-type': 'application/json',
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };
  const unreachable = (cause: unknown) => {
    throw new SamplingError(`The model's server at ${address.host} cannot be reached.`, { cause });
  };
  const response = yield* until(
    // Elsewhere the key has no business.
    fetch(address, { method: 'POST', redirect: 'error', headers, body: JSON.stringify(sent), signal }).catch(
      unreachable,
    ),
  );
  const { status, ok } = response;
  const streams = onText && ok && /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
  const body = streams
    ? yield* streamedBody(response, maxTokens, onText)
    : yield* until(boundedText(response));
  return { status, ok, body };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SamplingError('The answer of the model is not JSON.', { cause });
  }
}
