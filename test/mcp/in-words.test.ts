import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from 'effection';
import { createMcpTool } from 'parley-mcp';
import { createChatEngine, createChatHandler } from 'parley-mcp/chat';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { tempFolder } from '#test/temp-folder.ts';
import { calls, ending, says, scriptedModel, withManager } from '../unit/chat/rig.ts';
import { RAW_ZOD } from '../unit/raw-zod.ts';
import { linked } from './kit/channel.ts';
import { type InProcess, startServer } from './kit/in-process.ts';
import { cli } from './kit/parley-serve.ts';
import { envelope, openSession, send, stateless } from './kit/wire.ts';

const seats = z.object({ seats: z.int().min(1), mail: z.email().optional() });

const asks = createMcpTool('asks')
  .description('Asks')
  .parameters(z.object({ name: z.string(), kind: z.enum(['a', 'b']).optional() }))
  .output(z.object({ seats: z.int() }))
  .elicits({ seats })
  .execute(function* ({ name }, ctx) {
    if (name === 'samples') yield* ctx.sample({ prompt: '?', schema: seats });
    if (name === 'roots') yield* ctx.roots();
    if (name === 'odd') return { seats: 'two' as unknown as number };
    return yield* ctx.elicit.strict('seats', { message: '?' });
  });

/** What is no value of most fields. */
const ODD: readonly unknown[] = [null, 7, 'x', [], {}, true];

/** A thing with each of its fields in turn missing, or odd. */
function* spoiled(thing: unknown): Generator<unknown> {
  yield* ODD;
  if (typeof thing !== 'object' || thing === null) return;
  for (const [name, value] of Object.entries(thing)) {
    const { [name]: _, ...rest } = thing as Record<string, unknown>;
    yield rest;
    for (const odd of spoiled(value)) yield { ...rest, [name]: odd };
  }
}

const call = { name: 'asks', arguments: { name: 'samples' } };
const clientInfo = { name: 'odd', version: '1' };
const capabilities = { elicitation: { form: {} }, sampling: {}, roots: {} };
const REQUESTS: Readonly<Record<string, object>> = {
  initialize: { protocolVersion: '2025-11-25', capabilities, clientInfo },
  'server/discover': { _meta: envelope() },
  'tools/list': { cursor: 'x' },
  'tools/call': { ...call, _meta: { ...envelope(capabilities), progressToken: 1 } },
  'prompts/get': { name: 'p', arguments: { a: 'x' } },
  'resources/read': { uri: 'note://one' },
  'resources/subscribe': { uri: 'note://one' },
  'completion/complete': { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: 'x' } },
  'logging/setLevel': { level: 'info' },
  'tasks/get': { taskId: 'x' },
};

/** Answers to questions that are odd in some place. */
const ANSWERS = [
  ...spoiled({ action: 'accept', content: { seats: 2, mail: 'a@b.example' } }),
  ...spoiled({ role: 'assistant', model: 'm', content: { type: 'text', text: '{"seats":"two"}' } }),
  ...spoiled({ roots: [{ uri: 'file:///a', name: 'a' }] }),
];

async function started(): Promise<InProcess> {
  const running = await startServer({ tools: [asks] });
  onTestFinished(() => running.close());
  return running;
}

/** Each kind of question. */
const KINDS = ['elicits', 'samples', 'roots', 'odd'];

it.each<[string, () => Promise<readonly unknown[]>]>([
  [
    'over HTTP to requests of 2025-11-25',
    async () => {
      const { url, problems } = await started();
      const session = await openSession(url, capabilities);
      const said: unknown[] = [problems];
      let id = 1;
      for (const [method, params] of Object.entries(REQUESTS))
        for (const odd of spoiled(params)) {
          const headers = method === 'initialize' ? {} : session.headers;
          const reply = await send(url, {
            headers,
            body: { jsonrpc: '2.0', id: ++id, method, params: odd },
          });
          // A call that asks is not waited for.
          said.push(method === 'tools/call' ? await reply.next() : await reply.rest());
          reply.drop();
        }
      return said;
    },
  ],
  [
    'over HTTP to requests and answers of 2026-07-28',
    async () => {
      const { url, problems } = await started();
      const said: unknown[] = [problems];
      for (const [method, params] of Object.entries(REQUESTS))
        for (const odd of spoiled(params)) {
          const all = typeof odd === 'object' && odd !== null && !Array.isArray(odd) ? odd : {};
          said.push(await (await stateless(url, method, { ...all })).rest());
        }
      for (const name of KINDS) {
        const params = { name: 'asks', arguments: { name } };
        const asked = (await (await stateless(url, 'tools/call', params)).rest()).at(-1)?.result;
        said.push(asked);
        const [key = 'none'] = Object.keys(asked?.inputRequests ?? {});
        for (const answer of ANSWERS) {
          const more = { requestState: asked?.requestState, inputResponses: { [key]: answer } };
          said.push(await (await stateless(url, 'tools/call', { ...params, ...more })).rest());
        }
      }
      return said;
    },
  ],
  [
    'over a channel to answers of 2025-11-25',
    async () => {
      const { server, problems } = await started();
      const client = await linked(server);
      const said: unknown[] = [problems];
      said.push(await client.request('initialize', REQUESTS.initialize ?? {}));
      client.notify('notifications/initialized', {});
      let answer: unknown;
      const answering = async () => {
        for (;;) {
          const asked = await client.until(({ method, id }) => method !== undefined && id !== undefined);
          said.push(asked);
          client.answer(asked.id ?? '', answer as object);
        }
      };
      // It is asked no more when the test is over.
      answering().catch(() => {});
      for (const name of KINDS)
        for (answer of ANSWERS)
          said.push(await client.request('tools/call', { name: 'asks', arguments: { name } }));
      return said;
    },
  ],
  [
    'to turns of a chat',
    () =>
      withManager(function* (manager) {
        // Its arguments are as odd.
        const script = Array.from({ length: 200 }, () => [[calls('1', 'add', { a: 'two' })], [says('so')]]);
        const handle = createChatHandler(createChatEngine(ending(manager, scriptedModel(script.flat()))));
        const turn = {
          state: { id: 'c', messages: [], awaiting: [], results: [], queued: [] },
          message: { role: 'user', content: { type: 'text', text: 'hi' } },
          pluginElicitResponses: [
            { sessionId: 's', elicitId: 'e', result: { action: 'accept', content: {} } },
          ],
        };
        const said: unknown[] = [];
        for (const odd of [turn, ...spoiled(turn)]) {
          const request = new Request('http://chat.example', { method: 'POST', body: JSON.stringify(odd) });
          const answer = yield* until(handle(request));
          said.push(yield* until(answer.text()));
        }
        expect(said.join('')).toContain('must be a number, not text');
        return said;
      }),
  ],
  [
    'on the command line about files',
    async () => {
      const folder = tempFolder();
      const tool = `import { createMcpTool } from 'parley-mcp'; import * as z from 'zod';
export const one = createMcpTool(7).description('x').parameters(z.object({})).elicits({}).execute(function* () {});`;
      const files: Readonly<Record<string, string>> = {
        'bad.ts': tool,
        'date.ts': tool.replace('(7)', "('one')").replace('z.object({})', 'z.object({ d: z.date() })'),
        'servers.json': JSON.stringify({ servers: { a: { command: 7 }, b: 7, c: { url: [] } } }),
        'rules.json': JSON.stringify({ rules: [{ tool: 7 }], default: 7 }),
      };
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
      const runs = [
        ['check', join(folder, 'bad.ts')],
        ['check', join(folder, 'date.ts')],
        ['serve', '--stdio', '--servers', join(folder, 'servers.json')],
        [
          'serve',
          '--stdio',
          '--servers',
          join(folder, 'servers.json'),
          '--policy',
          join(folder, 'rules.json'),
        ],
      ];
      const run = promisify(execFile);
      return await Promise.all(
        runs.map(async (args) => {
          const running = run(process.execPath, [cli, ...args], { cwd: folder });
          running.child.stdin?.end();
          const { stdout, stderr } = await running.catch(
            (error: { stdout: string; stderr: string }) => error,
          );
          return `${args.join(' ')}: ${stdout}${stderr}`;
        }),
      );
    },
  ],
])('what is wrong is said in words, never as zod says it, %s', async (_where, say) => {
  const said = (await say()).map((one) => JSON.stringify(one) ?? '');
  expect(said.length).toBeGreaterThan(3);
  expect(said.filter((text) => RAW_ZOD.test(text) || RAW_ZOD.test(text.replaceAll('\\', '')))).toEqual([]);
});
