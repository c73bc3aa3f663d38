/** A server of the bench, in a process of its own: `mcp-server.ts <kind> <http|stdio>`. Says by IPC what it costs. */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { Agent, createServer, type RequestListener, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { ServerEntry } from '#src/mcp/client/index.ts';
import type { McpServerOptions } from '#src/mcp/index.ts';
import { startServer } from './mcp-wire.ts';

type RawServer = import('@modelcontextprotocol/sdk/server/index.js').Server;
type RawTransport = Parameters<RawServer['connect']>[0];

const [kind = '', transport = ''] = process.argv.slice(2);
const Params = z.object({ text: z.string() });
const Answer = z.object({ colour: z.string() });
const requestedSchema = {
  type: 'object' as const,
  properties: { colour: { type: 'string' as const } },
  required: ['colour'],
};
const inputSchema = { type: 'object' as const, properties: { text: { type: 'string' } }, required: ['text'] };
const info = { name: kind, version: '1.0.0' };
const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });

async function listen(handler: RequestListener): Promise<number> {
  const http = createServer(handler);
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready));
  return (http.address() as AddressInfo).port;
}

/** The PostgreSQL of this bench. */
function postgresUrl(): string {
  const { PARLEY_BENCH_POSTGRES: url } = process.env;
  if (url === undefined) throw new Error('PARLEY_BENCH_POSTGRES says where PostgreSQL is');
  return url;
}

/** Where the calls of a server of ours are between two requests. */
async function stateFor(where: string): Promise<Pick<McpServerOptions, 'state' | 'stateKeys'>> {
  // Several servers of one bench share their calls.
  const keys = [new Uint8Array(32).fill(7)];
  if (where === 'postgres') {
    const { createPostgresStore } = await import('#src/stores/postgres/index.ts');
    const bounds = { calls: 500_000, share: 500_000 };
    return { state: createPostgresStore({ url: postgresUrl(), keys, bounds }) };
  }
  if (where === 'carried') return { state: 'carried', stateKeys: keys };
  if (where !== 'stored') return {};
  const { createSqliteStore } = await import('#src/stores/index.ts');
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-calls-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return { state: createSqliteStore({ folder, keys }) };
}

async function parley(where = 'memory'): Promise<number> {
  const { createMcpTool } = await import('#src/core/index.ts');
  const { createMcpServer } = await import('#src/mcp/index.ts');
  const echo = createMcpTool('echo')
    .description('Echoes')
    .parameters(Params)
    .elicits({})
    .execute(function* (params) {
      return params.text;
    });
  const ask = createMcpTool('ask')
    .description('Asks')
    .parameters(Params)
    .elicits({ colour: Answer })
    .execute(function* (params, ctx) {
      const answer = yield* ctx.elicit('colour', { message: params.text });
      return answer.action === 'accept' ? answer.content.colour : answer.action;
    });
  const three = createMcpTool('three')
    .description('Asks three times')
    .parameters(Params)
    .durable()
    .elicits({ first: Answer, second: Answer, third: Answer })
    .execute(function* (params, ctx) {
      const first = yield* ctx.elicit.strict('first', { message: params.text });
      const second = yield* ctx.elicit.strict('second', { message: first.colour });
      const third = yield* ctx.elicit.strict('third', { message: second.colour });
      return third.colour;
    });
  const server = createMcpServer({
    ...info,
    ...(await stateFor(where)),
    tools: [echo, ask, three],
    limits: {
      maxWaiting: 20_000,
      maxSessions: 30_000,
      share: { maxWaiting: 20_000, maxSessions: 30_000, maxBytes: 2 ** 30 },
    },
  });
  if (transport === 'http') return await listen(server.createHandler());
  server.listen().then(() => process.exit(0));
  return 0;
}

async function rawV1(): Promise<number> {
  const types = await import('@modelcontextprotocol/sdk/types.js');
  return await serveRaw((server) => {
    server.setRequestHandler(types.ListToolsRequestSchema, () => ({
      tools: ['echo', 'ask'].map((name) => ({ name, inputSchema })),
    }));
    server.setRequestHandler(types.CallToolRequestSchema, async ({ params }, extra) => {
      const args = Params.parse(params.arguments);
      if (params.name === 'echo') return text(args.text);
      const asked = {
        method: 'elicitation/create' as const,
        params: { message: args.text, requestedSchema },
      };
      const answer = await extra.sendRequest(asked, types.ElicitResultSchema);
      return text(answer.action === 'accept' ? Answer.parse(answer.content).colour : answer.action);
    });
  });
}

/** Serves what `handle` puts on servers of the older SDK: one for each connection. */
async function serveRaw(handle: (server: RawServer) => void): Promise<number> {
  const { Server } = await import('@modelcontextprotocol/sdk/server/index.js');
  const make = () => {
    const server = new Server(info, { capabilities: { tools: {} } });
    handle(server);
    return server;
  };
  if (transport === 'stdio') {
    const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
    await make().connect(new StdioServerTransport());
    return 0;
  }
  const { StreamableHTTPServerTransport } = await import(
    '@modelcontextprotocol/sdk/server/streamableHttp.js'
  );
  const sessions = new Map<string, InstanceType<typeof StreamableHTTPServerTransport>>();
  return await listen(async (req, res) => {
    const known = sessions.get(String(req.headers['mcp-session-id']));
    if (known) return await known.handleRequest(req, res);
    const fresh = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, fresh),
    });
    // The SDK's own classes disagree about fields that may be undefined.
    await make().connect(fresh as RawTransport);
    await fresh.handleRequest(req, res);
  });
}

async function rawV2(): Promise<number> {
  const { createMcpHandler, createRequestStateCodec, inputRequired, Server } = await import(
    '@modelcontextprotocol/server'
  );
  const { toNodeHandler } = await import('@modelcontextprotocol/node');
  // What a handler of this SDK owes: state that is signed and expires.
  const codec = createRequestStateCodec<{ text: string }>({
    key: crypto.getRandomValues(new Uint8Array(32)),
  });
  const make = () => {
    const server = new Server(info, { capabilities: { tools: {} }, requestState: { verify: codec.verify } });
    server.setRequestHandler('tools/list', () => ({
      tools: ['echo', 'ask'].map((name) => ({ name, inputSchema })),
      ttlMs: 0,
      cacheScope: 'private',
    }));
    server.setRequestHandler('tools/call', async ({ params }, ctx) => {
      const args = Params.parse(params.arguments);
      if (params.name === 'echo') return text(args.text);
      const given = ctx.mcpReq.inputResponses?.colour as { action?: string; content?: unknown } | undefined;
      if (given)
        return text(given.action === 'accept' ? Answer.parse(given.content).colour : String(given.action));
      return inputRequired({
        inputRequests: { colour: inputRequired.elicit({ message: args.text, requestedSchema }) },
        requestState: await codec.mint({ text: args.text }, ctx),
      });
    });
    return server;
  };
  const handle = toNodeHandler(createMcpHandler(make, { legacy: 'reject' }));
  // The SDK's types and Node's disagree about fields that may be undefined.
  return await listen((req, res) => void handle(req as Parameters<typeof handle>[0], res));
}

async function fastmcp(): Promise<number> {
  const { FastMCP } = await import('fastmcp');
  const server = new FastMCP({ name: 'fastmcp', version: '1.0.0' });
  server.addTool({
    name: 'echo',
    description: 'Echoes',
    parameters: Params,
    execute: async (args) => args.text,
  });
  if (transport === 'stdio') {
    await server.start({ transportType: 'stdio' });
    return 0;
  }
  const port = await new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address() as AddressInfo;
      probe.close(() => resolve(free));
    });
  });
  console.log = console.info = () => {};
  await server.start({ transportType: 'httpStream', httpStream: { port, host: '127.0.0.1' } });
  return port;
}

/** What the gateway offers on: a raw SDK server of its own, which it reaches as it is reached itself. */
async function behindGateway(): Promise<ServerEntry> {
  if (transport === 'http') {
    const { port } = await startServer('raw-v1', 'http');
    return { kind: 'http', name: 'behind', url: `http://127.0.0.1:${port}/mcp`, headers: {} };
  }
  const args = [import.meta.filename, 'raw-v1', 'stdio'];
  return { kind: 'stdio', name: 'behind', command: process.execPath, args, env: {} };
}

/** Offers the tools of another server on to its clients. */
async function gateway(): Promise<number> {
  const { createScope, suspend } = await import('effection');
  const { useServers } = await import('#src/mcp/client/index.ts');
  const { createMcpServer } = await import('#src/mcp/index.ts');
  const [scope] = createScope();
  const behind = await behindGateway();
  const tools = await new Promise<McpServerOptions['tools']>((resolve, reject) => {
    scope
      .run(function* () {
        const servers = yield* useServers([behind]);
        const [connection] = servers.connections;
        if (connection) yield* connection.client();
        resolve(servers.tools);
        yield* suspend();
      })
      .catch(reject);
  });
  const server = createMcpServer({ ...info, tools });
  if (transport === 'http') return await listen(server.createHandler());
  server.listen().then(() => process.exit(0));
  return 0;
}

/** The least that offers another server's tool on: the SDK's server in front, the SDK's client behind, and nothing between. */
async function bareProxy(): Promise<number> {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const types = await import('@modelcontextprotocol/sdk/types.js');
  const behind = await behindGateway();
  const client = new Client(info);
  await client.connect(await transportTo(behind));
  return await serveRaw((server) => {
    server.setRequestHandler(types.ListToolsRequestSchema, ({ params }) => client.listTools(params));
    server.setRequestHandler(types.CallToolRequestSchema, ({ params }) => client.callTool(params));
  });
}

/** Less than any gateway: bytes from one side to the other, which nobody reads. */
async function pump(): Promise<number> {
  const behind = await behindGateway();
  if (behind.kind === 'stdio') {
    const { stdin, stdout } = spawn(behind.command, [...behind.args], { stdio: ['pipe', 'pipe', 'inherit'] });
    process.stdin.pipe(stdin);
    stdout.pipe(process.stdout);
    return 0;
  }
  const agent = new Agent({ keepAlive: true });
  return await listen((req, res) => {
    const { method, headers } = req;
    const onward = request(behind.url, { agent, headers, ...(method && { method }) }, (answer) => {
      res.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(res);
    });
    req.pipe(onward);
  });
}

async function transportTo(entry: ServerEntry) {
  if (entry.kind === 'http') {
    const { StreamableHTTPClientTransport } = await import(
      '@modelcontextprotocol/sdk/client/streamableHttp.js'
    );
    // The SDK's own classes disagree about fields that may be undefined.
    return new StreamableHTTPClientTransport(new URL(entry.url)) as RawTransport;
  }
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
  return new StdioClientTransport({ command: entry.command, args: [...entry.args], stderr: 'inherit' });
}

const kinds: Readonly<Record<string, () => Promise<number>>> = {
  parley: () => parley(),
  carried: () => parley('carried'),
  stored: () => parley('stored'),
  postgres: () => parley('postgres'),
  'bare-postgres': async () => (await import('./bare-postgres.ts')).barePostgres(listen, postgresUrl()),
  'raw-v1': rawV1,
  'raw-v2': rawV2,
  fastmcp,
  gateway,
  'bare-proxy': bareProxy,
  pump,
};
const start = kinds[kind];
if (!start) throw new Error(`no such server: ${kind}`);

// Memory is asked for apart: a full collection between two looks at the CPU would count as a cost of calls.
process.on('message', (what) => {
  if (what === 'memory') globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.(what === 'memory' ? heapUsed + external : user + system);
});
process.on('disconnect', () => process.exit(0));
// One behind a gateway ends with its input.
if (!process.send && transport === 'stdio') process.stdin.on('end', () => process.exit(0));
// Without a parent of the bench there is nobody to tell: it serves all the same.
const port = await start();
process.send?.({ port });
