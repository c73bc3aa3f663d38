import { run, until } from 'effection';
import { expect, it, vi } from 'vitest';
import type * as definitionsOf from '#src/vscode/agents/mcp/definition-provider.ts';
import { gatewayOffers } from '#src/vscode/agents/mcp/offers/gateway-offers.ts';
import { createToolPort } from '#src/vscode/calls/run/tool-port.ts';
import type * as contextsOf from '#src/vscode/contexts.ts';
import { createToolRegistry } from '#src/workspace/registry/registry.ts';
import { asking } from './window-kit.ts';

interface Definition {
  readonly version: string;
}

interface Provider {
  provideMcpServerDefinitions(token: object): Promise<readonly Definition[]>;
}

/** The editor, as far as it is told of servers. */
const editor = vi.hoisted(() => ({ told: 0, provider: undefined as unknown }));
const nothing = () => ({ dispose() {} });

vi.mock('vscode', () => ({
  EventEmitter: class {
    readonly event = nothing;
    fire() {
      editor.told += 1;
    }
    dispose() {}
  },
  McpHttpServerDefinition: class {
    readonly version: string;
    constructor(_label: string, _uri: string, _headers: object, version: string) {
      this.version = version;
    }
  },
  Uri: { parse: String },
  lm: {
    registerMcpServerDefinitionProvider(_id: string, provider: unknown) {
      editor.provider = provider;
      return nothing();
    },
  },
  workspace: {
    getConfiguration: () => ({ get: (id: string) => (id === 'parley.codeMode' ? false : []) }),
    onDidChangeConfiguration: nothing,
  },
}));

it('the server for Copilot is told of once, and stays as it is while tools come and go: its calls would end', async () => {
  // Another file of this worker may have had another editor.
  vi.resetModules();
  const { EdgeContext, ExtensionHome, LogContext, useOwnEdge }: typeof contextsOf = await import(
    '#src/vscode/contexts.ts'
  );
  const { useMcpDefinitions }: typeof definitionsOf = await import(
    '#src/vscode/agents/mcp/definition-provider.ts'
  );
  await run(function* () {
    yield* LogContext.set({} as never);
    yield* ExtensionHome.set({ extension: { packageJSON: { version: '1' } } } as never);
    yield* EdgeContext.set(yield* useOwnEdge());
    const registry = createToolRegistry();
    const offers = gatewayOffers({ of: () => undefined, subscribe: () => () => {} }, () => []);
    const server = {
      *forCopilot() {
        return { url: 'http://127.0.0.1:1/mcp', token: 'secret' };
      },
    };
    const shipped = { now: () => false, subscribe: () => () => {} };
    yield* useMcpDefinitions(createToolPort(registry), offers, server as never, shipped);
    const { provideMcpServerDefinitions } = editor.provider as Provider;
    const token = { onCancellationRequested: nothing };
    const given = () => until(provideMcpServerDefinitions(token));
    expect(yield* given()).toEqual([]);

    const source = { kind: 'workspace', id: 'w', label: 'W', folder: '/w', order: 0 } as const;
    const tools = registry.register(source, { tools: [{ tool: asking('first') }] });
    expect(editor.told).toBe(1);
    const [first] = yield* given();
    tools.replace({ tools: [{ tool: asking('first') }, { tool: asking('second') }] });
    expect(yield* given()).toEqual([first]);
    tools.unregister();
    const [last] = yield* given();
    expect(last).toBe(first);
    expect(editor.told).toBe(1);
  });
});
