import { createScope, suspend } from 'effection';
import { createMcpTool } from 'parley-mcp';
import { createMcpServer, type McpServer, type McpServerOptions, useMcpServer } from 'parley-mcp/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { CallPolicyContext, rulesPolicy } from '#src/mcp/client/index.ts';
import { answerForm, decline } from '#src/panel-port/index.ts';
import { type Linked, linked } from './kit/channel.ts';
import { type Person, person } from './kit/person.ts';
import { accept, envelope, type Message } from './kit/wire.ts';

const questions = { first: z.object({ yes: z.boolean() }), sure: z.object({ yes: z.boolean() }) };
const pays = (person: boolean) =>
  createMcpTool('pay')
    .description('Asks twice, the second time only a person')
    .parameters(z.object({}))
    .durable()
    .task()
    .elicits(questions)
    .execute(function* (_, ctx) {
      yield* ctx.elicit('first', { message: 'Shall we?' });
      const { action, answeredBy } = yield* ctx.elicit('sure', { message: 'Pay?', person });
      return `${action} by ${answeredBy}`;
    });

let server: McpServer | undefined;
let one: Person | undefined;
// The clock by which it is known how fast an answer comes stands still.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(async () => {
  vi.useRealTimers();
  await server?.close();
  one?.page.close();
});

const ERAS = ['2025', '2026', '2026, as a task'] as const;
type Era = (typeof ERAS)[number];

/** A client that asks with forms, and answers `given` so many milliseconds after it is asked what only a person may answer. */
async function paying(
  era: Era,
  name: string,
  given: object,
  after: number,
  options?: Parameters<typeof person>[0] | 'no page' | 'a rule',
): Promise<{ readonly text: Promise<string>; readonly person: Person }> {
  one = person(typeof options === 'string' ? {} : options);
  const page = options === 'no page' ? {} : { page: one.page };
  const tools = [pays(options !== 'a rule')];
  server = await serving({ name: 'test', version: '1.0.0', tools, ...page }, options === 'a rule');
  const client = await linked(server);
  const answers = [accept({ yes: true }), given];
  const next = () => {
    vi.advanceTimersByTime(answers.length === 1 ? after : 150);
    return answers.shift() ?? given;
  };
  const text = CALLED[era](client, name, next);
  return { text: text.then(({ result }) => result.content[0].text), person: one };
}

/** A server, perhaps of somebody whose rules want a person for all that is asked. */
function serving(options: McpServerOptions, isRuled: boolean): Promise<McpServer> {
  const [scope] = createScope();
  if (isRuled) scope.set(CallPolicyContext, rulesPolicy([{ verdict: 'person' }]));
  return new Promise((resolve) => {
    scope.run(function* () {
      resolve(yield* useMcpServer(options));
      yield* suspend();
    });
  });
}

async function in2025(client: Linked, name: string, next: () => object): Promise<Message> {
  await client.request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name, version: '1' },
  });
  const calling = client.request('tools/call', { name: 'pay', arguments: {} });
  const answering = async (): Promise<never> => {
    for (;;) {
      const { id } = await client.until(({ method }) => method === 'elicitation/create', 600_000);
      client.answer(id ?? '', next());
    }
  };
  return await Promise.race([calling, answering()]);
}

async function in2026(client: Linked, name: string, next: () => object): Promise<Message> {
  const call = { name: 'pay', arguments: {}, _meta: envelope({ elicitation: {} }, named(name)) };
  let reply = await client.request('tools/call', call);
  while (reply.result?.resultType === 'input_required') {
    const { requestState, inputRequests } = reply.result;
    const [key = ''] = Object.keys(inputRequests);
    reply = await client.request('tools/call', { ...call, requestState, inputResponses: { [key]: next() } });
  }
  return reply;
}

async function asTask(client: Linked, name: string, next: () => object): Promise<Message> {
  const _meta = envelope(
    { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
    named(name),
  );
  const { taskId } = (await client.request('tools/call', { name: 'pay', arguments: {}, _meta })).result;
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    const { result } = await client.request('tasks/get', { taskId, _meta });
    if (result.status === 'completed') return result;
    const [key] = Object.keys(result.inputRequests ?? {});
    // What it says after that would count.
    const answer = key && { taskId, _meta, inputResponses: { [key]: next() } };
    if (answer) await client.request('tasks/update', answer);
    if (key === 'sure') vi.advanceTimersByTime(1000);
  }
}

const CALLED = { '2025': in2025, '2026': in2026, '2026, as a task': asTask };

const named = (name: string) => ({ 'io.modelcontextprotocol/clientInfo': { name, version: '1' } });

async function onPage(
  at: Person,
  answer: (questionId: string) => Parameters<Awaited<ReturnType<Person['tab']>>['say']>[1],
) {
  const tab = await at.tab();
  const [page] = await tab.asking();
  if (!page) throw new Error('nothing is asked');
  const { id } = await tab.question(page);
  await tab.say(page, answer(id));
}

const yes = (questionId: string) => answerForm({ questionId, attempt: 1, content: { yes: true } });

describe.each(ERAS)('what only a person may answer, in %s', (era) => {
  it.each([
    ['an agent that refuses by itself', 'claude-code', { action: 'decline' }],
    ['an agent that accepts by itself', 'claude-code', accept({ yes: true })],
    ['an unknown client that answers faster than people read', 'other', accept({ yes: true })],
  ])('is asked on our page where %s', async (_, name, given) => {
    const { text, person: at } = await paying(era, name, given, 149);
    await onPage(at, yes);
    expect(await text).toBe('accept by person');
  });

  it('is what a rule says, whatever the tool says', async () => {
    const { text, person: at } = await paying(era, 'claude-code', accept({ yes: true }), 149, 'a rule');
    await onPage(at, yes);
    expect(await text).toBe('accept by person');
  });

  it('is asked nowhere else once a person has answered or declined in the form', async () => {
    for (const [given, said] of [
      [accept({ yes: true }), 'accept by person'],
      [{ action: 'decline' }, 'decline by person'],
    ] as const) {
      const { text, person: at } = await paying(era, 'claude-code', given, 150);
      expect(await text).toBe(said);
      expect(at.opened()).toEqual([]);
      await server?.close();
    }
  });

  it('is declined on the page by the person, whatever their agent has said', async () => {
    const { text, person: at } = await paying(era, 'claude-code', accept({ yes: true }), 0);
    await onPage(at, (questionId) => decline({ questionId }));
    expect(await text).toBe('decline by person');
  });

  it('is asked in a window of the folder, where one is open, and on no page', async () => {
    const told: string[] = [];
    const window = () => ({ isOpen: () => true, ask: (callId: string) => told.push(callId) > 0 });
    const { person: at } = await paying(era, 'claude-code', accept({ yes: true }), 0, { window });
    await vi.waitFor(() => expect(told).toHaveLength(1));
    expect(at.opened()).toEqual([]);
  });

  it.each([
    ['there is no page', 'no page'],
    ['no browser opens', { how: { kind: 'by hand' } }],
  ] as const)('is taken from no client that answers by itself where %s', async (_, options) => {
    const { text } = await paying(era, 'claude-code', accept({ yes: true }), 0, options);
    expect(await text).toBe('cancel by client');
  });

  it('counts where a client takes its time of which nothing is known', async () => {
    const { text } = await paying(era, 'other', accept({ yes: true }), 150);
    expect(await text).toBe('accept by unknown');
  });
});

it.each(['2025', '2026'] as const)(
  'after two answers that did not fit it is asked on our page, in %s',
  async (era) => {
    const { text, person: at } = await paying(era, 'claude-code', accept({ yes: 'maybe' }), 150);
    await onPage(at, (questionId) => answerForm({ questionId, attempt: 3, content: { yes: true } }));
    expect(await text).toBe('accept by person');
  },
);

it('is not answered by what a request has said before it was asked', async () => {
  one = person();
  server = createMcpServer({ name: 'test', version: '1.0.0', tools: [pays(true)], page: one.page });
  const client = await linked(server);
  const call = { name: 'pay', arguments: {}, _meta: envelope({ elicitation: {} }) };
  const { requestState } = (await client.request('tools/call', call)).result;
  const inputResponses = { first: accept({ yes: true }), sure: accept({ yes: true }) };
  const { result } = await client.request('tools/call', { ...call, requestState, inputResponses });
  expect(Object.keys(result.inputRequests)).toEqual(['sure']);
});
