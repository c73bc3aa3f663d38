import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { type Operation, run, useScope } from 'effection';
import type { ExtensionContext, Memento, SecretStorage } from 'vscode';
import * as z from 'zod';
import type { Endpoint } from '#src/cli/setup/agents.ts';
import { defined } from '#src/core/schema/defined.ts';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import { servedCalls } from '#src/mcp/served-calls.ts';
import type { SessionManager } from '#src/runtime/manager/manager.ts';
import type { Client as McpClient } from '#src/runtime/session/client.ts';
import type { Session } from '#src/runtime/session/session.ts';
import { createMockMcpClient, type MockElicitRequest, type MockElicitResponse } from '#src/testing/index.ts';
import type { SurfaceChoice } from '#src/vscode/agents/mcp/choose-surface.ts';
import { type ConnectedServers, gatewayOffers } from '#src/vscode/agents/mcp/offers/gateway-offers.ts';
import {
  useWindowServer,
  type WindowServer,
  type WindowServerParts,
} from '#src/vscode/agents/mcp/window-server.ts';
import type { Asker } from '#src/vscode/calls/asker.ts';
import {
  type Answered,
  attendCall,
  type EditorClient,
  editorOf,
  panelBeside,
} from '#src/vscode/calls/attend.ts';
import type { CallDesk } from '#src/vscode/calls/desk.ts';
import { useWindowManager } from '#src/vscode/calls/window-manager.ts';
import { EdgeContext, ExtensionHome, LogContext, useOwnEdge } from '#src/vscode/contexts.ts';
import {
  createToolRegistry,
  type Registration,
  type ToolRegistry,
} from '#src/workspace/registry/registry.ts';
import { tempFolder } from '#test/temp-folder.ts';
import { places } from '#test/unit/code/code-kit.ts';

/** A tool that asks for a name; who answered shows in its result. */
export function asking(name: string) {
  return createMcpTool(name)
    .description('Asks who it is.')
    .parameters(z.object({}))
    .annotations({ readOnlyHint: true })
    .requires({ elicitation: true })
    .elicits({ who: z.object({ name: z.string() }) })
    .execute(function* (_, ctx) {
      yield* ctx.log('info', 'asking');
      const { name } = yield* ctx.elicit.strict('who', { message: 'Who?' });
      return `answered by ${name}`;
    });
}

/** What an editor keeps over reloads. */
export function createDisk() {
  const values = new Map<string, unknown>();
  const secrets = new Map<string, string>();
  const state: Memento = {
    keys: () => [...values.keys()],
    get: <T>(key: string, fallback?: T) => (values.has(key) ? (values.get(key) as T) : (fallback as T)),
    async update(key: string, value: unknown) {
      values.set(key, value);
    },
  };
  const listeners = new Set<(event: { key: string }) => void>();
  const storage: SecretStorage = {
    keys: async () => [...secrets.keys()],
    get: async (key) => secrets.get(key),
    async store(key, value) {
      secrets.set(key, value);
      for (const listener of [...listeners]) listener({ key });
    },
    async delete(key) {
      secrets.delete(key);
      for (const listener of [...listeners]) listener({ key });
    },
    onDidChange(listener) {
      const tell = (event: { key: string }) => listener(event);
      listeners.add(tell);
      return { dispose: () => listeners.delete(tell) };
    },
  };
  /** What windows of this workspace know each other by. */
  const proof = (): string => {
    const [, kept = '{}'] = [...secrets].find(([key]) => key.startsWith('parley.mcp.')) ?? [];
    return (JSON.parse(kept) as { proof: string }).proof;
  };
  return { state, storage, secrets, proof };
}

/** A window with its server. */
export interface TestWindow {
  readonly manager: SessionManager;
  readonly server: WindowServer;
  readonly registry: ToolRegistry;
  readonly workspace: Registration;
  readonly adopted: Session[];
  readonly askers: Asker[];
  /** Tools that the person was asked for because they run inside another call. */
  readonly inner: string[];
  readonly logged: string[];
}

function* nothingNew(): Operation<undefined> {}

/** Runs a test in a window, whose editor answers every question with the name `editor`. */
export function inWindow(
  test: (window: TestWindow) => Operation<void>,
  {
    disk = createDisk(),
    surfaces = {},
    gateway = [],
    servers = { of: () => undefined, subscribe: () => () => {} },
    abilities,
    codeMode = () => false,
    catchUp = nothingNew,
    elicitResponses = () => ({ action: 'accept', content: { name: 'editor' } }),
    elicit,
    onAdopted = () => {},
  }: {
    disk?: ReturnType<typeof createDisk>;
    surfaces?: Partial<SurfaceChoice>;
    /** Servers that are offered on. */
    gateway?: readonly string[];
    /** The servers that are connected. */
    servers?: ConnectedServers;
    /** What the editor of this window lends. */
    abilities?: () => Operation<unknown>;
    codeMode?: () => boolean;
    /** Puts a tool in place as it stands on disk. */
    catchUp?: WindowServerParts['catchUp'];
    /** What the person answers in the editor. */
    elicitResponses?: (request: MockElicitRequest) => MockElicitResponse;
    /** The same, for one who takes their time. */
    elicit?: EditorClient['elicit'];
    /** Hears of each call of a client; what it is given opens its panel. */
    onAdopted?: (open: () => void) => void;
  } = {},
): Promise<void> {
  return run(function* () {
    const home = tempFolder();
    if (abilities) yield* abilities();
    const registry = createToolRegistry();
    registry.register(
      { kind: 'shipped', id: 'parley', label: 'Parley' },
      { tools: [{ tool: asking('shipped') }] },
    );
    const workspace = registry.register(
      { kind: 'workspace', id: 'w', label: 'W', folder: '/w', order: 0 },
      { tools: [{ tool: asking('dynamic') }] },
    );
    const adopted: Session[] = [];
    const askers: Asker[] = [];
    const inner: string[] = [];
    const logged: string[] = [];
    const clients = new WeakMap<Session, Answered>();
    const manager = yield* useWindowManager();
    const scope = yield* useScope();
    const calls = servedCalls({
      ...{ manager, ttl: 3_600_000, report() {} },
      run: (op) => scope.run(op),
    });
    const attend = (session: Session, client: McpClient) => attendCall(calls, session, client);
    /** The person at the editor answers what opens in front of them. */
    const answeredBy = (session: Session, asker: Asker): Answered => {
      const known = clients.get(session);
      if (known) return known;
      adopted.push(session);
      askers.push(asker);
      const mock = createMockMcpClient({ elicitResponses, sampleResponses: () => 'editor' });
      // It has all verbs, whatever it says.
      const client = { ...(mock as EditorClient), ...defined({ elicit }) };
      const answered = { client, asked() {} };
      clients.set(session, answered);
      return answered;
    };
    const desk: CallDesk = {
      ...{ manager, calls, attend },
      *run(): Operation<never> {
        throw new Error('a person did not ask');
      },
      revive() {
        throw new Error('there is no history');
      },
      *takeUp() {
        return new Map();
      },
      *linesOf() {
        return [];
      },
      *mayRun(_session, { tool }) {
        inner.push(tool.name);
        return !tool.name.startsWith('never');
      },
      listOther() {
        throw new Error('there are no other programs');
      },
      panelOf: () => undefined,
      pageDrawn() {},
      changed() {},
      *ask() {
        return { action: 'decline' };
      },
      editor: editorOf((session) => answeredBy(session, { kind: 'person' })),
      adopt: (session, asker) => answeredBy(session, asker).client,
      adoptFor(session, asker, promised, mayAnswer) {
        const answered = answeredBy(session, asker);
        const panel = panelBeside(answered.client, promised, mayAnswer);
        const opened = () => {
          answered.asked = () => {};
          scope.run(() => attend(session, panel)).catch(() => {});
        };
        answered.asked = opened;
        onAdopted(() => answered.asked());
      },
    };
    const line = (message: string) => void logged.push(message);
    yield* LogContext.set({
      debug: line,
      info: line,
      warn: (message, error) => line(`warn: ${message} ${String(error)}`),
      error: (message, error) => line(`error: ${message} ${String(error)}`),
      call: (source, level, message) => line(`${source} ${level} ${message}`),
      show() {},
    });
    yield* ExtensionHome.set({
      workspaceState: disk.state,
      secrets: disk.storage,
      globalStorageUri: { fsPath: home },
      extension: { packageJSON: { version: '1.0.0' } },
    } as unknown as ExtensionContext);
    yield* EdgeContext.set(yield* useOwnEdge());
    const server = yield* useWindowServer({
      offering: () => ({ shipped: false, gateway }),
      offers: gatewayOffers(servers, () => gateway),
      codeMode,
      sandbox: places,
      *desk() {
        return desk;
      },
      registry,
      catchUp,
      t: (message, ...values) => message.replace(/\{(\d)\}/g, (_, at: number) => String(values[at])),
      onTaken: (port) => line(`taken: ${port}`),
      surfaces: () => ({ elicitation: 'auto', sampling: 'auto', agent: 'panel', ...surfaces }),
    });
    yield* test({ manager: desk.manager, server, registry, workspace, adopted, askers, inner, logged });
  });
}

/**
 * A client of the official SDK, connected. With `name` it answers questions with that name; with `model` it samples, and
 * its model says that.
 */
export async function connect({ url, token }: Endpoint, name?: string, model?: string): Promise<Client> {
  const capabilities = {
    ...(name === undefined ? {} : { elicitation: { form: {} } }),
    ...(model === undefined ? {} : { sampling: {} }),
  };
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  if (model !== undefined) {
    client.setRequestHandler(CreateMessageRequestSchema, async () => ({
      role: 'assistant',
      model,
      content: { type: 'text', text: model },
    }));
  }
  if (name !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'accept', content: { name } }));
  }
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  return client;
}

/** The text that a call of a tool gives. */
export async function callText(client: Client, name: string): Promise<unknown> {
  const { content } = await client.callTool({ name, arguments: {} });
  return (content as ReadonlyArray<{ text?: string }>)[0]?.text;
}
