import { type Operation, run } from 'effection';
import { beforeEach, expect, it } from 'vitest';
import * as z from 'zod';
import { StoreUnavailableError } from '#src/core/errors/store-errors.ts';
import { createMcpTool } from '#src/core/index.ts';
import { type CallStore, createMemoryStore } from '#src/stores/index.ts';
import { startServer } from '#test/mcp/kit/in-process.ts';
import { ask, envelope, type Message } from '#test/mcp/kit/wire.ts';

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

let kept: CallStore;
/** What was asked of the store. */
let asked: string[];
/** The operation that fails, by its number, and whether it is done all the same. */
let fails: { readonly at: number; readonly done: boolean } | undefined;
let url: URL;

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
  ({ url } = await startServer({ tools: [three], state, onProblem() {} }));
});

/** Sends a request until it is answered with a result. */
async function insist(more: object): Promise<Message['result']> {
  const _meta = envelope({ elicitation: { form: {} } });
  for (;;) {
    const { result, error } = await ask(url, 'tools/call', { name: 'three', arguments: {}, _meta, ...more });
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
