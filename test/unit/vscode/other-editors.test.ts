import { run } from 'effection';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { EdgeContext, ExtensionHome, LogContext, useOwnEdge } from '#src/vscode/contexts.ts';
import { createToolRegistry } from '#src/workspace/registry/registry.ts';
import { createDisk } from './mcp/window-kit.ts';

const registered: string[] = [];
const disposable = () => ({ dispose() {} });
const register = (name: string) => {
  registered.push(name);
  return disposable();
};
const lm: Record<string, unknown> = {};
const editor = {
  lm,
  chat: {},
  env: {},
  workspace: {
    onDidChangeConfiguration: disposable,
    getConfiguration: () => ({ get: () => undefined, inspect: () => undefined }),
  },
  commands: { registerCommand: register, executeCommand: async () => undefined },
  l10n: { t: (text: string) => text },
  EventEmitter: class {
    readonly event = disposable;
    dispose() {}
  },
};
vi.mock('vscode', () => editor);

afterEach(() => {
  registered.length = 0;
  for (const name of Object.keys(lm)) delete lm[name];
});

const tools = ['ask_user', 'approve'];
const manifest = {
  version: '1.0.0',
  contributes: { languageModelTools: tools.map((name) => ({ name })) },
};

/** Runs what Parley contributes in an editor that has what the test says, and gives what is in the log. */
async function contribute(what: 'useMcp' | 'useLanguageModelTools' | 'useParticipant'): Promise<string[]> {
  const logged: string[] = [];
  const line = (message: string, error?: unknown) =>
    void logged.push(error ? `${message}: ${String(error)}` : message);
  const modules = {
    useMcp: async () => (await import('#src/vscode/agents/mcp/use-mcp.ts')).useMcp,
    useLanguageModelTools: async () =>
      (await import('#src/vscode/agents/lm/language-model-tools.ts')).useLanguageModelTools,
    useParticipant: async () =>
      (await import('#src/vscode/agents/participant/participant.ts')).useParticipant,
  };
  const use = await modules[what]();
  await run(function* () {
    const { state, storage } = createDisk();
    yield* LogContext.set({ debug: line, info: line, warn: line, error: line, call() {}, show() {} });
    yield* ExtensionHome.set({
      workspaceState: state,
      secrets: storage,
      extensionUri: { fsPath: '/parley' },
      extension: { packageJSON: manifest },
    } as never);
    yield* EdgeContext.set(yield* useOwnEdge());
    const servers = { keeper: () => undefined, subscribe: () => () => {} };
    const parts = { tools: { registry: createToolRegistry() }, servers, earlier: {} };
    yield* use(parts as never);
  });
  return logged;
}

describe('an editor that is made of VS Code', () => {
  it.each([
    ['useMcp', /^This editor has no vscode\.lm\.registerMcpServerDefinitionProvider: its own chat/],
    ['useLanguageModelTools', /^This editor has no vscode\.lm\.registerTool: its agent/],
    ['useParticipant', /^This editor has no vscode\.chat\.createChatParticipant: its chat/],
  ] as const)('and lacks what %s registers is told of in one line of the log', async (what, line) => {
    expect(await contribute(what)).toEqual([expect.stringMatching(line)]);
  });

  it('serves other clients without a chat that takes servers', async () => {
    await contribute('useMcp');
    expect(registered).toEqual(['parley.copyMcpConfiguration', 'parley.resetMcpToken']);
  });

  it('and refuses one tool has the others', async () => {
    lm.registerTool = (name: string) => {
      if (name === 'ask_user') throw new Error('not this one');
      return register(name);
    };
    expect(await contribute('useLanguageModelTools')).toEqual([
      'The agent does not get the tool ask_user: Error: not this one',
    ]);
    expect(registered).toEqual(['approve']);
  });
});
