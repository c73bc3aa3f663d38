import { Client as Client2, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as Linked1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as Server1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import {
  createMcpHandler,
  InMemoryTransport as Linked2,
  McpServer as Server2,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import type { StraightHandler } from 'parley-mcp/inline';
import { type Handlers, shapes } from './handlers.ts';

/** What a person says in turn: content, or that they decline or cancel. */
export type Said = Record<string, unknown> | 'decline' | 'cancel';

/** What came of a call, for all clients. */
export interface Came {
  readonly text: string;
  readonly data: unknown;
  readonly isError: boolean;
}

/** A client that answers with what `say` has, in turn. */
export interface Talk {
  readonly asked: string[];
  call(name: keyof Handlers, args?: object, signal?: AbortSignal): Promise<Came>;
}

const sampled = {
  role: 'assistant' as const,
  content: { type: 'text' as const, text: 'Notes!' },
  model: 'm',
};
const CAPABILITIES = { elicitation: { form: {} }, sampling: {} };

function person(say: Said[]) {
  const asked: string[] = [];
  const elicit = ({ params }: { params: { message: string } }) => {
    asked.push(params.message);
    const said = say.shift();
    if (typeof said === 'string') return { action: said };
    return { action: 'accept' as const, content: said as Record<string, string> };
  };
  return { asked, elicit };
}

/** Each takes its own arguments, which its server has checked. */
const loose = (handler: unknown) => handler as StraightHandler<unknown>;

type Made = {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
  readonly [field: string]: unknown;
};
const came = ({ content, structuredContent, isError }: Made): Came => ({
  text: (content as { text: string }[])[0]?.text ?? '',
  data: structuredContent,
  isError: isError === true,
});

/** A server of SDK v2 with these handlers. */
export function server2(handlers: Handlers, options: ServerOptions = {}): Server2 {
  const server = new Server2({ name: 'theirs', version: '1' }, { capabilities: { logging: {} }, ...options });
  for (const [name, handler] of Object.entries(handlers))
    server.registerTool(name, { inputSchema: shapes[name as keyof Handlers] }, loose(handler));
  return server;
}

async function client2(say: Said[], mode: 'legacy' | { pin: '2026-07-28' }, can: object) {
  const { asked, elicit } = person(say);
  const client = new Client2(
    { name: 'c', version: '1' },
    { capabilities: can, versionNegotiation: { mode }, inputRequired: { maxRounds: 40 } },
  );
  if ('elicitation' in can) client.setRequestHandler('elicitation/create', elicit);
  if ('sampling' in can) client.setRequestHandler('sampling/createMessage', () => sampled);
  const call: Talk['call'] = async (name, args = {}, signal) =>
    came(await client.callTool({ name, arguments: { ...args } }, signal ? { signal } : {}));
  return { client, talk: { asked, call } };
}

/** Each host with a client of its own. */
export const hosts: Readonly<
  Record<string, (handlers: Handlers, say: Said[], can?: object) => Promise<Talk>>
> = {
  async 'SDK v2, 2026-07-28'(handlers, say, can = CAPABILITIES) {
    const { fetch } = createMcpHandler(() => server2(handlers));
    const { client, talk } = await client2(say, { pin: '2026-07-28' }, can);
    await client.connect(
      new StreamableHTTPClientTransport(new URL('http://x/mcp'), {
        fetch: (url, init) => fetch(new Request(url, init)),
      }),
    );
    return talk;
  },
  async 'SDK v2, a session of 2025'(handlers, say, can = CAPABILITIES) {
    const [here, there] = Linked2.createLinkedPair();
    await server2(handlers).connect(there);
    const { client, talk } = await client2(say, 'legacy', can);
    await client.connect(here);
    return talk;
  },
  async 'SDK v1'(handlers, say, can = CAPABILITIES) {
    const server = new Server1({ name: 'theirs', version: '1' }, { capabilities: { logging: {} } });
    for (const [name, handler] of Object.entries(handlers)) {
      const inputSchema = shapes[name as keyof Handlers].shape;
      server.registerTool(name, { inputSchema }, loose(handler));
    }
    const [here, there] = Linked1.createLinkedPair();
    await server.connect(there);
    const { asked, elicit } = person(say);
    const client = new Client1({ name: 'c', version: '1' }, { capabilities: can });
    if ('elicitation' in can) client.setRequestHandler(ElicitRequestSchema, elicit);
    if ('sampling' in can) client.setRequestHandler(CreateMessageRequestSchema, () => sampled);
    await client.connect(here);
    const call: Talk['call'] = async (name, args = {}, signal) =>
      came(await client.callTool({ name, arguments: { ...args } }, undefined, signal ? { signal } : {}));
    return { asked, call };
  },
};

/** One request of 2026-07-28, as a server by hand has it. */
export function params(more: object = {}) {
  return {
    ...more,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': CAPABILITIES,
    },
  };
}

/** How a leg ended. */
export interface Leg {
  readonly key: string;
  readonly message: string | undefined;
  readonly state: string | undefined;
  readonly text: string | undefined;
  readonly data: unknown;
}

type Handler = (args: never, host: unknown) => Promise<Record<string, unknown>>;

/** One leg of a call: with what was asked before and its answer, or from the beginning. */
export async function leg(
  handler: Handler,
  args: object,
  before?: Leg,
  content?: object,
  host: object = {},
): Promise<Leg> {
  const inputResponses = before && content ? { [before.key]: { action: 'accept', content } } : {};
  const more = before ? { requestState: before.state, inputResponses } : {};
  const made = await handler(args as never, { params: params(more), ...host });
  const [[key = '', asked] = []] = Object.entries((made.inputRequests ?? {}) as Record<string, Asked>);
  const [block] = (made.content ?? []) as { text: string }[];
  return {
    key,
    message: asked?.params.message,
    state: made.requestState as string | undefined,
    text: block?.text,
    data: made.structuredContent,
  };
}

interface Asked {
  readonly params: { readonly message: string };
}
