import { createMcpTool } from 'parley-mcp';
import { createMemoryStore } from 'parley-mcp/stores';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { askUser } from '#src/tools/ask-user/tool.ts';
import { type InProcess, startServer } from './kit/in-process.ts';
import { accept, ask, envelope, leg, openSession } from './kit/wire.ts';

// The clock by which it is known how fast an answer comes stands still.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const start = (options: Partial<Parameters<typeof startServer>[0]> = {}) =>
  startServer({ tools: [strict, twice, whose, askUser], apps: false, ...options });

const strict = createMcpTool('strict')
  .description('Needs an answer')
  .parameters(z.object({}))
  .elicits({ seat: z.object({ row: z.int() }) })
  .execute(function* (_params, ctx) {
    const { row } = yield* ctx.elicit.strict('seat', { message: 'Which row?' });
    return `row ${row}`;
  });

const twice = createMcpTool('twice')
  .description('Says whose its first answer was, after a second')
  .parameters(z.object({}))
  .durable()
  .elicits({ seat: z.object({ row: z.int() }), meal: z.object({ dish: z.string() }) })
  .execute(function* (_params, ctx) {
    const { action, answeredBy } = yield* ctx.elicit('seat', { message: 'Which row?' });
    const { dish } = yield* ctx.elicit.strict('meal', { message: 'Which dish?' });
    return `${action} by ${answeredBy}, ${dish}`;
  });

const whose = createMcpTool('whose')
  .description('Says whose its answer was')
  .parameters(z.object({}))
  .durable()
  .task()
  .elicits({ seat: z.object({ row: z.int() }) })
  .execute(function* (_params, ctx) {
    const { action, answeredBy } = yield* ctx.elicit('seat', { message: 'Which row?' });
    return `${action} by ${answeredBy}`;
  });

const asking = (name: string, client: string, extensions = {}) => ({
  name,
  arguments: name === 'ask_user' ? { message: 'How?', fields: [{ name: 'how', label: 'How' }] } : {},
  _meta: envelope(
    { elicitation: {}, extensions },
    { 'io.modelcontextprotocol/clientInfo': { name: client, version: '2' } },
  ),
});

type Answer = (
  server: InProcess,
  tool: string,
  client: string,
  answer: object,
  after: number,
) => Promise<string>;

const answering: Readonly<Record<'2025' | '2026' | '2026, as a task', Answer>> = {
  async 2025({ url }, tool, client, answer, after) {
    const session = await openSession(url, { elicitation: {} }, {}, '2025-11-25', client);
    const { _meta, ...call } = asking(tool, client);
    const reply = await session.request(1, 'tools/call', call);
    const question = await reply.until(({ method }) => method === 'elicitation/create');
    vi.advanceTimersByTime(after);
    await session.answer(question.id ?? '', answer);
    return (await reply.until(({ id }) => id === 1)).result.content[0].text;
  },
  async 2026(server, tool, client, answer, after) {
    const call = asking(tool, client);
    const first = await leg(server, call);
    vi.advanceTimersByTime(after);
    const [key = ''] = Object.keys(first.result.inputRequests);
    return (await leg(server, call, first, { [key]: answer })).result.content[0].text;
  },
  async '2026, as a task'({ url }, tool, client, answer, after) {
    const call = asking(tool, client, { 'io.modelcontextprotocol/tasks': {} });
    const { taskId } = (await ask(url, 'tools/call', call)).result;
    const until = async (status: string) => {
      for (;;) {
        const { result } = await ask(url, 'tasks/get', { taskId, _meta: call._meta });
        if (result.status === status) return result;
      }
    };
    const [key = ''] = Object.keys((await until('input_required')).inputRequests);
    vi.advanceTimersByTime(after);
    await ask(url, 'tasks/update', { taskId, inputResponses: { [key]: answer }, _meta: call._meta });
    return (await until('completed')).result.content[0].text;
  },
};

it.each(['2025', '2026', '2026, as a task'] as const)(
  'a tool reads whose its answer is, in %s',
  async (way) => {
    const server = await start();
    const given = accept({ row: 4 });
    const said = (client: string, answer: object, after: number) =>
      answering[way](server, 'whose', client, answer, after);
    expect(await said('claude-code', given, 149)).toBe('accept by client');
    expect(await said('claude-code', { ...given, answeredBy: 'person' }, 0)).toBe('accept by client');
    expect(await said('claude-code', given, 150)).toBe('accept by person');
    expect(await said('claude-code', { action: 'decline' }, 150)).toBe('decline by person');
    expect(await said('wire', { ...given, answeredBy: 'person' }, 150)).toBe('accept by unknown');
    expect(await said('wire', given, 0)).toBe('accept by unknown');
  },
);

for (const era of ['2025', '2026'] as const) {
  const answered = answering[era];

  it(`an agent that refuses at once is told that nobody was asked, in ${era}`, async () => {
    const server = await start();
    for (const client of ['claude-code', 'codex-mcp-client', 'copilot-cli'])
      for (const action of ['decline', 'cancel']) {
        const text = await answered(server, 'strict', client, { action }, 149);
        expect(text).toContain("nobody was asked 'seat'");
        expect(text).not.toContain('the user');
      }
    expect(await answered(server, 'ask_user', 'claude-code', { action: 'decline' }, 8)).toContain(
      'not_asked',
    );
  });

  it(`a person who refuses in an agent, or at once in another client, has declined, in ${era}`, async () => {
    const server = await start();
    const decline = { action: 'decline', answeredBy: 'client' };
    expect(await answered(server, 'strict', 'claude-code', decline, 150)).toContain('the user declined');
    expect(await answered(server, 'strict', 'wire', decline, 1)).toContain('the user declined');
    expect(await answered(server, 'ask_user', 'claude-code', decline, 150)).toContain('declined');
  });

  it(`an answer counts however fast, in ${era}`, async () => {
    const server = await start();
    expect(await answered(server, 'strict', 'claude-code', accept({ row: 4 }), 0)).toBe('row 4');
  });
}

it('a refusal by a client is one when the call is replayed in another process', async () => {
  const state = createMemoryStore();
  const [a, b] = [await start({ state }), await start({ state })];
  const call = asking('twice', 'claude-code');
  const one = await leg(a, call);
  const two = await leg(a, call, one, { seat: { action: 'cancel' } });
  vi.advanceTimersByTime(5000);
  const end = await leg(b, call, two, { meal: accept({ dish: 'soup' }) });
  expect(end.result.content[0].text).toBe('cancel by client, soup');
});

it('a server that publishes pages tells as well that nobody was asked', async () => {
  let at = '';
  const server = await startServer({ tools: [strict] }, { publish: { at: () => at } });
  at = server.url.origin;
  const text = await answering['2026'](server, 'strict', 'claude-code', { action: 'decline' }, 8);
  expect(text).toContain("nobody was asked 'seat'");
});
