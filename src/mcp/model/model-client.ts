import { type Operation, race, sleep, until, useAbortSignal } from 'effection';
import { SamplingError } from '../../core/errors/sampling-errors.ts';
import { isLoopback } from '../../core/page/page-address.ts';
import type { SampleAnswer, SampleAskRequest } from '../../core/tool/ask.ts';
import { tokensUsed } from '../../runtime/sampling/index.ts';
import type { SampleAsk } from '../../runtime/session/ask.ts';
import { canAnswer } from '../../runtime/session/capabilities.ts';
import type { Client } from '../../runtime/session/client.ts';
import { Budget, type ModelLimits } from './budget.ts';
import { chatAnswer, chatFailure, dataAnswer } from './chat-answer.ts';
import { chatRequest, refusedPart } from './chat-request.ts';

/** A model behind an OpenAI-compatible address. */
export interface ModelOptions {
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
  /** Whether this sampling may use it; any may by default. */
  readonly allows?: (ask: SampleAsk) => boolean;
  readonly now?: () => number;
}

const LIMITS: ModelLimits = { calls: 100, tokens: 200_000 };
const TIMEOUT = 120_000;

/** Longest answer, bytes. */
const MAX_ANSWER = 16 * 1024 ** 2;

const CAPABILITIES = { sampling: { tools: true } } as const;

/**
 * A model of the server's own, for clients that have none: it answers samplings, and nothing else.
 *
 * @example
 * const model = createModelClient({ url: 'http://127.0.0.1:11434/v1', name: 'qwen3' });
 * createMcpServer({ name: 'travel', version: '1.0.0', tools, client: (wire) => compose(wire, model) });
 * @throws `TypeError` for an address that is none, or over which a key would travel in the open
 */
export function createModelClient(options: ModelOptions): Client {
  const { name, timeout = TIMEOUT, allows = () => true, now = () => performance.now() } = options;
  const address = addressOf(options);
  const budget = new Budget({ ...LIMITS, ...options.limits }, now);
  let refused: ReadonlySet<string> = new Set();

  /** Asks again without what the model refuses, and remembers what that was. */
  function* complete(request: SampleAskRequest): Operation<SampleAnswer> {
    for (let without = refused; ; ) {
      const sent = chatRequest(name, request, without);
      const { status, ok, text } = yield* post(address, options.key, sent);
      if (ok) {
        refused = without;
        const answer = chatAnswer(
          parsed(text),
          name,
          without.has('stop') ? request.stopSequences : undefined,
        );
        if (!('response_format' in sent)) return answer;
        const data = dataAnswer(answer);
        // Some do not read what they do not know, and say nothing of it.
        if (!data && answer.stopReason !== 'maxTokens') refused = new Set([...without, 'response_format']);
        return data ?? answer;
      }
      const part = refusedPart(status, text, sent);
      if (part === undefined) throw chatFailure(status, text);
      without = new Set([...without, part]);
    }
  }

  function* sample(request: SampleAskRequest, principal: string): Operation<SampleAnswer> {
    // As much as it may cost: what is said is known, and what comes is bounded.
    const settle = budget.spend(principal, tokensUsed(request, NOTHING) + request.maxTokens);
    let spent = tokensUsed(request, NOTHING);
    try {
      const answer = yield* race([complete(request), late(timeout)]);
      spent = tokensUsed(request, answer);
      return answer;
    } finally {
      settle(spent);
    }
  }

  return {
    name: `the model '${name}'`,
    capabilities: () => CAPABILITIES,
    can: (ask) => ask.kind === 'sample' && allows(ask) && canAnswer(CAPABILITIES, ask),
    *sample({ request }, { session, offClock }) {
      return yield* offClock(() => sample(request, session.principal));
    },
  };
}

const NOTHING: SampleAnswer = { role: 'assistant', content: { type: 'text', text: '' }, model: '' };

function addressOf({ url, key }: ModelOptions): URL {
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

function* post(address: URL, key: string | undefined, body: unknown): Operation<Answer> {
  const signal = yield* useAbortSignal();
  const headers = {
    'content-type': 'application/json',
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };
  return yield* until(
    // Elsewhere the key has no business.
    fetch(address, { method: 'POST', redirect: 'error', headers, body: JSON.stringify(body), signal }).then(
      read,
      (cause: unknown) => {
        throw new SamplingError(`The model's server at ${address.host} cannot be reached.`, { cause });
      },
    ),
  );
}

interface Answer extends Pick<Response, 'status' | 'ok'> {
  readonly text: string;
}

async function read(response: Response): Promise<Answer> {
  const { status, ok } = response;
  return { status, ok, text: await boundedText(response) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SamplingError('The answer of the model is not JSON.', { cause });
  }
}

async function boundedText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > MAX_ANSWER) throw new SamplingError("The model's answer is longer than 16 MiB.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
