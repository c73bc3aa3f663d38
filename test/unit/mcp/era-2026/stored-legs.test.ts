import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Operation, run } from 'effection';
import { afterEach, beforeEach, expect, it } from 'vitest';
import * as z from 'zod';
import { StoreUnavailableError } from '#src/core/errors/store-errors.ts';
import { createMcpTool } from '#src/core/index.ts';
import { createMcpServer } from '#src/mcp/index.ts';
import { type CallStore, createMemoryStore } from '#src/stores/index.ts';

const Answer = z.object({ colour: z.string() });
const three = createMcpTool('three')
  .description('Asks three times')
  .parameters(z.object({}))
  .durable()
  .elicits({ first: Answer, second: Answer, third: Answer })
  .execute(function* (_, ctx) {
    const first = yield* ctx.elicit.strict('first', { message: 'First?' });
    const second = yield* ctx.elicit.strict('second', { message: first.colour });
    const third = yield* ctx.elicit.strict('third', { message: second.colour });
    return [first, second, third].map(({ colour }) => colour).join(' ');
  });

const closing: (() => Promise<unknown>)[] = [];
let kept: CallStore;
/** What was asked of the store. */
let asked: string[];
/** The operation that fails, by its number, and whether it is done all the same. */
let fails: { readonly at: number; readonly done: boolean } | undefined;
let port: number;

beforeEach(async () => {
  kept = createMemoryStore();
  asked = [];
  fails = undefined;
  const state = new Proxy(kept, {
    get: (target, name: keyof CallStore) => {
      const own = target[name]?.bind(target) as ((...given: unknown[]) => Operation<unknown>) | undefined;
      if (!own || name === 'watch') return own;
      return function* (...given: unknown[]) {
        if (name === 'due') return yield* own(...given);
        const mine = asked.push(name) - 1;
        if (mine !== fails?.at) return yield* own(...given);
        if (fails.done) yield* own(...given);
        throw new StoreUnavailableError({ where: 'memory', problem: 'it is away.' });
      };
    },
  });
  const server = createMcpServer({ name: 'test', version: '1.0.0', tools: [three], state, onProblem() {} });
  const http = createServer(server.createHandler());
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready));
  port = (http.address() as AddressInfo).port;
  closing.push(async () => {
    http.closeAllConnections();
    http.close();
    await server.close();
  });
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Reply {
  readonly result?: {
    readonly content?: readonly { readonly text: string }[];
    readonly inputRequests?: Readonly<Record<string, unknown>>;
    readonly requestState?: string;
  };
  readonly error?: { readonly code: number };
}

async function post(more: object): Promise<Reply> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  };
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'three' },
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'three', arguments: {}, _meta, ...more },
    }),
  });
  return (await response.json()) as Reply;
}

/** Sends a request until it is answered with a result. */
async function insist(more: object): Promise<NonNullable<Reply['result']>> {
  for (;;) {
    const { result, error } = await post(more);
    if (result) return result;
    expect(error?.code).toBe(-32000);
  }
}

const colours = { first: 'red', second: 'green', third: 'blue' };

/** The whole call; what each of its requests asked of the store, and the kinds of lines that it left. */
async function wholeCall() {
  const requests: string[][] = [];
  const through = async (more: object) => {
    const before = asked.length;
    const result = await insist(more);
    requests.push(asked.slice(before));
    return result;
  };
  let { requestState, inputRequests } = await through({});
  for (const [key, colour] of Object.entries(colours)) {
    expect(Object.keys(inputRequests ?? {})).toEqual([key]);
    const inputResponses = { [key]: { action: 'accept', content: { colour } } };
    const result = await through({ requestState, inputResponses });
    ({ requestState, inputRequests } = result);
    if (key === 'third') expect(result.content?.[0]?.text).toBe('red green blue');
  }
  const [ended] = await run(() => kept.list({ ended: true }));
  if (!ended) throw new Error('no call has ended');
  const { lines = [] } = (await run(() => kept.read(ended.name))) ?? {};
  const kinds = lines.map((line) => Object(line).t as string);
  // An end whose answer could not be kept is written again by the copy that answers.
  const once = kinds.filter((t, at) => t !== 'end' || kinds[at - 1] !== 'end');
  return { requests, held: ended.held, lines: once };
}

it.each([
  ['cannot be done', false],
  ['is done, and nobody hears of it', true],
] as const)('whichever operation %s, the same requests come to the same end', async (_, done) => {
  const { requests, held, lines } = await wholeCall();
  // Each is kept in one piece with what gives it back.
  expect(requests).toEqual([['begin', 'append'], ...Array(3).fill(['claim', 'append'])]);
  expect(held).toBe(false);
  const all = requests.flat();
  for (const [at, name] of all.entries()) {
    // A claim that nobody knows of, or that cannot be given back, lapses after half a minute.
    if (name === (done ? 'claim' : 'release')) continue;
    for (const { name: old } of await run(() => kept.list())) await run(() => kept.forget(old));
    asked.length = 0;
    fails = { at, done };
    expect((await wholeCall()).lines, `operation ${at}, ${name}`).toEqual(lines);
  }
});
