import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Operation } from 'effection';
import * as z from 'zod';
import { createMcpTool } from '#src/core/index.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import type { Client as SessionClient } from '#src/runtime/session/client.ts';
import { runIn } from '#src/runtime/taskless/run-in.ts';
import { type Measured, measure } from './measure.ts';
import { againstFirst, type Row, ratioRow } from './report.ts';
import { managerScope } from './rig.ts';

const params = z.object({ text: z.string() });
const answer = z.object({ colour: z.string() });

const echo = createMcpTool('echo')
  .description('Echoes')
  .parameters(params)
  .elicits({})
  .execute(function* ({ text }) {
    return text;
  });

const ask = createMcpTool('ask')
  .description('Asks')
  .parameters(params)
  .elicits({ colour: answer })
  .execute(function* ({ text }, ctx) {
    const result = yield* ctx.elicit('colour', { message: text });
    return result.action === 'accept' ? result.content.colour : result.action;
  });

const scripted: SessionClient = {
  name: 'script',
  capabilities: () => ({ elicitation: { form: true } }),
  can: (asked) => asked.kind === 'elicit',
  *elicit() {
    return { action: 'accept', content: { colour: 'blue' } };
  },
};

/** A call through a session against the MCP SDK's server, and against a plain function, doing the same. */
export async function callRows(): Promise<readonly Row[]> {
  const { manager, scope, close } = await managerScope();
  const sdk = await sdkPair();
  try {
    const through = (tool: typeof echo | typeof ask) => () =>
      runIn(scope, function* (): Operation<unknown> {
        const session = yield* manager.create({
          tool,
          params: { text: 'hi' },
          capabilities: scripted.capabilities(),
        });
        return yield* drive(session, scripted, 'end');
      });
    const echoes = await measure([
      { name: 'MCP SDK McpServer, in memory', run: () => sdk.call('echo') },
      { name: 'Parley session', run: through(echo) },
      { name: 'one empty Effection task', run: () => scope.run(function* () {}) },
      { name: 'zod parse and a plain async function', run: plainEcho },
    ]);
    const asks = await measure([
      { name: 'MCP SDK McpServer, in memory', run: () => sdk.call('ask') },
      { name: 'Parley session', run: through(ask) },
      { name: 'zod parses and plain async functions', run: plainAsk },
    ]);
    return [
      ...againstFirst('echo', echoes),
      ratioRow('echo: session against MCP SDK', ratioOf(echoes, 1), 1.0),
      ...againstFirst('one elicitation', asks),
      ratioRow('one elicitation: session against MCP SDK', ratioOf(asks, 1), 1.0),
    ];
  } finally {
    await sdk.close();
    await close();
  }
}

const ratioOf = (measured: readonly Measured[], index: number) => measured[index]?.ratio ?? Number.NaN;

async function plainEcho(): Promise<string> {
  return (await Promise.resolve(params.parse({ text: 'hi' }))).text;
}

async function plainAsk(): Promise<string> {
  params.parse({ text: 'hi' });
  const content = await Promise.resolve({ colour: 'blue' });
  return answer.parse(content).colour;
}

async function sdkPair() {
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  server.registerTool('echo', { inputSchema: params.shape }, async ({ text }) => ({
    content: [{ type: 'text', text }],
  }));
  server.registerTool('ask', { inputSchema: params.shape }, async ({ text }) => {
    const result = await server.server.elicitInput({
      message: text,
      requestedSchema: { type: 'object', properties: { colour: { type: 'string' } }, required: ['colour'] },
    });
    return { content: [{ type: 'text', text: answer.parse(result.content).colour }] };
  });
  const client = new Client({ name: 'bench', version: '1.0.0' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, async () => ({
    action: 'accept',
    content: { colour: 'blue' },
  }));
  const [one, two] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(one), client.connect(two)]);
  return {
    call: (name: string) => client.callTool({ name, arguments: { text: 'hi' } }),
    close: () => client.close(),
  };
}
