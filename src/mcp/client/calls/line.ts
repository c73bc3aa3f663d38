import type { Client, RequestOptions } from '@modelcontextprotocol/client';
import { action, all, type Operation, sleep } from 'effection';
import * as z from 'zod';
import { isObject } from '../../../core/schema/is-object.ts';
import { saidIn } from '../reader/read-answer.ts';
import type { Json } from '../reader/read-message.ts';
import type { CallInFlight, CallsInFlight, ForeignAskKind } from './in-flight.ts';

/** Longer than any call: time is the call's to keep. */
const NO_TIMEOUT = 2 ** 31 - 1;

/** A person may take their time over the rounds of a call: only a server that asks without end is stopped. */
const MAX_ROUNDS = 1_000;

/** Between two rounds of a call that asks nothing. Milliseconds. */
const PACE = 250;

/** What a server says is read by us. */
export const ANY = () => z.looseObject({});

const KINDS: Readonly<Record<string, ForeignAskKind>> = {
  'elicitation/create': 'elicit',
  'sampling/createMessage': 'sample',
  'roots/list': 'roots',
};

/** What a server's request asks for; nothing where it is no question. */
export function askKind(method: unknown): ForeignAskKind | undefined {
  return typeof method === 'string' && Object.hasOwn(KINDS, method) ? KINDS[method] : undefined;
}

/** Requests of one call of ours: what they report is reported there, and halting one cancels it. */
export class ForeignLine {
  client: Client;
  readonly call: CallInFlight;
  readonly calls: CallsInFlight;
  readonly #newer: (() => Operation<Client>) | undefined;

  /** @param newer the client of a later life of the connection, once it is there */
  constructor(client: Client, call: CallInFlight, calls: CallsInFlight, newer?: () => Operation<Client>) {
    this.client = client;
    this.call = call;
    this.calls = calls;
    this.#newer = newer;
  }

  /** Makes a request, and answers what its server asks first. @returns what the server said */
  *request(method: 'tools/call' | 'prompts/get' | 'resources/read', params: Json): Operation<Json> {
    let given: Json = {};
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const result: Json = yield* this.send<Json>(async (client, common) => {
        const options = { ...common, allowInputRequired: true };
        const all = { ...params, ...given };
        return method === 'tools/call'
          ? await client.callTool(all as Parameters<Client['callTool']>[0], options)
          : await client.request({ method, params: all }, ANY(), options);
      });
      if (result.resultType !== 'input_required') return saidIn(result);
      const { inputRequests, requestState } = result;
      given = { requestState, ...(yield* this.#answers(isObject(inputRequests) ? inputRequests : {})) };
      // What its server had asked was with us: one that was started anew meanwhile goes on with that.
      if (this.#newer) this.client = yield* this.#newer();
    }
    throw new Error(`it has asked more than ${MAX_ROUNDS} times`);
  }

  *#answers(requests: Json): Operation<Json> {
    const asked = Object.entries(requests);
    if (asked.length === 0) {
      yield* sleep(PACE);
      return {};
    }
    const answers = yield* all(asked.map(([, request]) => this.answer(request)));
    return { inputResponses: Object.fromEntries(asked.map(([key], at) => [key, answers[at]])) };
  }

  /** Asks who answers this call what a server asks within an answer. @throws `Error` for what is no question */
  *answer(request: unknown): Operation<Json> {
    const { method, params = {} }: Json = isObject(request) ? request : {};
    const kind = askKind(method);
    if (!kind || !isObject(params))
      throw new Error(`it sent a request that cannot be answered: ${String(method)}`);
    return yield* cancellable((signal) => this.call.ask(kind, params, signal));
  }

  /** One request on the SDK's client. What comes on the stream of its answer is known to be of this call. */
  send<T>(make: (client: Client, options: RequestOptions) => Promise<T>): Operation<T> {
    const { call } = this;
    return cancellable((signal) =>
      this.calls.within(call, () =>
        make(this.client, { signal, timeout: NO_TIMEOUT, onprogress: (progress) => call.progress(progress) }),
      ),
    );
  }
}

/** Waits for a promise; halting the wait aborts its signal. */
function cancellable<T>(make: (signal: AbortSignal) => Promise<T>): Operation<T> {
  return action((resolve, reject) => {
    const stop = new AbortController();
    make(stop.signal).then(resolve, reject);
    return () => stop.abort(new Error('the call was cancelled'));
  });
}
