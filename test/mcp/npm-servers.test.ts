// @module-tag long
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  ElicitRequestSchema,
  type ElicitResult,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { createScope, suspend, until } from 'effection';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { defined } from '#src/core/schema/defined.ts';
import { type ServerEntry, type Servers, useServers } from '#src/mcp/client/index.ts';
import { createMockMcpClient, runMcpTool } from '#src/testing/index.ts';
import { tempFolder } from '#test/temp-folder.ts';
import { installServers, NPM_SERVERS } from './kit/npm-servers.ts';
import { cli, root } from './kit/parley-serve.ts';
import { running } from './kit/running.ts';

const odd = join(root, 'test/unit/mcp/client/reader/odd-server.ts');

/** Ten servers of our own, each with a habit of programs that people report. */
const HABITS = [
  'says null for what others leave out',
  'names a request by a text',
  'leaves jsonrpc out',
  'lists what is no item',
  'sends a block of a later protocol',
  'has tools without a schema',
  'says more of results than it gives',
  'answers what nobody asked',
  'sends what is no message',
  'asks as Python servers do',
] as const;

interface Started {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly call: readonly [tool: string, args: Readonly<Record<string, unknown>>];
}

let npm: readonly Started[];
beforeAll(async () => {
  const programs = await installServers();
  npm = Object.entries(NPM_SERVERS).map(([name, { args = [], env = {}, call }], at) => ({
    name: `npm${at}`,
    command: process.execPath,
    args: [programs.get(name) ?? '', ...args],
    env,
    call,
  }));
}, 400_000);

const red = { action: 'accept', content: { colour: 'red' } } as const;

/** What the person waits for before they answer, and how many questions they have open. */
let thought: Promise<void> | undefined;
let open = 0;

/** A person who likes red. */
async function answered(): Promise<ElicitResult> {
  open += 1;
  await thought;
  return { ...red };
}

/** The official client, with a person who likes red. */
async function connected(
  command: string,
  args: readonly string[],
  env: Started['env'],
  cwd: string,
): Promise<Client> {
  const capabilities = { elicitation: {}, sampling: {}, roots: {} };
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  client.setRequestHandler(ElicitRequestSchema, answered);
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [] }));
  await client.connect(
    new StdioClientTransport({
      command,
      args: [...args],
      cwd,
      env: { ...getDefaultEnvironment(), ...env },
      stderr: 'ignore',
    }),
  );
  onTestFinished(() => client.close());
  return client;
}

interface Offered {
  readonly tools: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  readonly prompts: readonly string[];
  readonly resources: readonly string[];
}

/** All that a server has, as the official client reads it: none has more than a page. */
async function offersOf(client: Client): Promise<Offered> {
  const { prompts, resources } = client.getServerCapabilities() ?? {};
  const { tools } = await client.listTools();
  return {
    tools: new Map(tools.map((tool) => [tool.name, { ...tool }])),
    prompts: prompts ? (await client.listPrompts()).prompts.map(({ name }) => name) : [],
    resources: resources ? (await client.listResources()).resources.map(({ uri }) => uri) : [],
  };
}

/** What a call gives, or the words with which it fails. */
async function given(client: Client, name: string, args: object): Promise<unknown> {
  const { content, structuredContent, isError } = await client
    .callTool({ name, arguments: { ...args } })
    .catch((error: Error) => ({
      content: error.message.replace(/MCP error -\d+: /g, ''),
      isError: true,
      structuredContent: undefined,
    }));
  return { content, ...defined({ structuredContent }), isError: isError === true };
}

/** Servers by whichever way they are used. */
interface Used {
  offers(): Promise<Offered>;
  call(name: string, args: object): Promise<unknown>;
  readonly address: (server: string, uri: string) => string;
}

async function behindGateway(
  servers: readonly Started[],
  folder: string,
  env: Started['env'],
): Promise<Used> {
  const file = join(folder, 'servers.json');
  const entries = servers.map(({ name, command, args, env: more }) => [
    name,
    { command, args, env: { ...env, ...more } },
  ]);
  await writeFile(file, JSON.stringify({ servers: Object.fromEntries(entries) }));
  const gateway = await connected(
    process.execPath,
    [cli, 'serve', '--stdio', '--servers', file],
    env,
    folder,
  );
  return {
    offers: () => offersOf(gateway),
    call: (name, args) => given(gateway, name, args),
    address: (server, uri) => `parley:${server}/${uri}`,
  };
}

/** As a window has them. */
async function inWindow(servers: readonly Started[], folder: string, env: Started['env']): Promise<Used> {
  const [scope, destroy] = createScope();
  onTestFinished(async () => void (await destroy()));
  const entries = servers.map(
    (one): ServerEntry => ({ ...one, kind: 'stdio', cwd: folder, env: { ...env, ...one.env } }),
  );
  const used = await new Promise<Servers>((resolve, reject) => {
    scope
      .run(function* () {
        resolve(yield* useServers(entries));
        yield* suspend();
      })
      .catch(reject);
  });
  const call = async (name: string, args: object) => {
    const tool = used.tools.list().find((one) => one.name === name);
    if (!tool) throw new Error(`there is no '${name}'`);
    const mock = createMockMcpClient({ elicitResponses: () => red });
    const client: typeof mock = {
      ...mock,
      *elicit(...asked) {
        open += 1;
        if (thought) yield* until(thought);
        if (!mock.elicit) throw new Error('it answers nothing');
        return yield* mock.elicit(...asked);
      },
    };
    return await scope
      .run(() => runMcpTool(tool, { ...args }, client))
      .then(
        (result) => ({ isError: false, ...(result as object) }),
        (error: Error) => ({ content: [{ type: 'text', text: error.message }], isError: true }),
      );
  };
  return {
    async offers() {
      const { tools, prompts, resources } = used;
      return {
        tools: new Map(
          tools
            .list()
            .map((tool) => [
              tool.name,
              { description: tool.def.description, inputSchema: tool.def.parameters.json },
            ]),
        ),
        prompts: prompts.list().map(({ name }) => name),
        resources: resources.list().flatMap(({ def: { info } }) => ('uri' in info ? [info.uri] : [])),
      };
    },
    call,
    address: (_server, uri) => uri,
  };
}

/** What each gives to a client of its own. */
async function withoutParley(env: Started['env']) {
  const found = npm.map(async ({ name, command, args, env: more, call }) => {
    const client = await connected(command, args, { ...env, ...more }, env.HOME ?? '');
    const offers = await offersOf(client);
    const result = await given(client, ...call);
    await client.close();
    return [name, { offers, result }] as const;
  });
  return new Map(await Promise.all(found));
}

describe('twelve servers of npm and ten odd ones', () => {
  it.each([
    ['behind one gateway', behindGateway],
    ['in a window', inWindow],
  ])(
    'are %s as they are without it, and come back when they are killed',
    { timeout: 300_000 },
    async (_where, use) => {
      const folder = tempFolder();
      const env = { HOME: folder, MEMORY_FILE_PATH: join(folder, 'memory.json') };
      const program = join(folder, 'odd-server.mts');
      await copyFile(odd, program);
      const own = HABITS.map(
        (habit, at): Started => ({
          name: `odd${at}`,
          command: process.execPath,
          args: [program, at % 2 === 0 ? '2025' : '2026', habit],
          env: {},
          call: ['say', { text: 'hi' }],
        }),
      );
      thought = undefined;
      const used = await use([...npm, ...own], folder, env);
      const direct = await withoutParley(env);
      const found = await vi.waitFor(
        async () => {
          const offers = await used.offers();
          for (const { name, call } of [...npm, ...own])
            expect([...offers.tools.keys()]).toContain(`${name}__${call[0]}`);
          return offers;
        },
        { timeout: 60_000, interval: 500 },
      );
      const work = async () => {
        for (const { name, call } of npm) {
          const { content, ...rest } = (direct.get(name)?.result ?? {}) as { content?: unknown };
          // An error of the protocol is told in a sentence that names the server.
          const told = typeof content === 'string' ? [{ text: expect.stringContaining(content) }] : content;
          expect(await used.call(`${name}__${call[0]}`, call[1]), name).toMatchObject({
            ...rest,
            content: told,
          });
        }
        for (const { name } of own) {
          expect(await used.call(`${name}__say`, { text: 'hi' }), name).toMatchObject({
            content: expect.arrayContaining([{ type: 'text', text: 'said hi' }]),
            isError: false,
          });
          expect(JSON.stringify(await used.call(`${name}__ask`, {})), name).toContain('red');
        }
      };
      for (const { name } of npm) {
        const { tools = new Map(), prompts = [], resources = [] } = direct.get(name)?.offers ?? {};
        for (const [tool, { description, inputSchema }] of tools) {
          const there = found.tools.get(`${name}__${tool}`);
          expect([tool, there?.description], name).toEqual([tool, description]);
          expect(there?.inputSchema, `${name} ${tool}`).toMatchObject(inputSchema as object);
        }
        for (const prompt of prompts) expect(found.prompts).toContain(`${name}__${prompt}`);
        for (const uri of resources) expect(found.resources).toContain(used.address(name, uri));
      }
      for (const { name } of own) {
        for (const tool of ['say', 'ask', 'fail'])
          expect([...found.tools.keys()]).toContain(`${name}__${tool}`);
        expect(found.prompts).toContain(`${name}__greet`);
      }
      await work();
      // In the middle of a question: what asks in 2026-07-28 has nothing open then, and goes on.
      const thinking = Promise.withResolvers<void>();
      [thought, open] = [thinking.promise, 0];
      const waiting = own.map(({ name }) => used.call(`${name}__ask`, {}));
      await vi.waitFor(() => expect(open).toBe(own.length), { timeout: 30_000 });
      for (const mark of [program, 'npm-servers-'])
        for (const line of await running(mark)) process.kill(Number.parseInt(line, 10), 'SIGKILL');
      const ended = waiting.filter((_, at) => at % 2 === 0);
      for (const end of await Promise.all(ended)) expect(end).toMatchObject({ isError: true });
      thought = undefined;
      thinking.resolve();
      for (const end of await Promise.all(waiting.filter((_, at) => at % 2 === 1)))
        expect(JSON.stringify(end)).toContain('red');
      await vi.waitFor(work, { timeout: 60_000, interval: 500 });
    },
  );
});
