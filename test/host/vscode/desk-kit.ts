import { createScope, type Operation, type Scope, suspend } from 'effection';
import * as vscode from 'vscode';
import type { CallStore } from '#src/runtime/journal/call-store.ts';
import type { EndEvent } from '#src/runtime/session/events.ts';
import { createMemoryStore } from '#src/stores/index.ts';
import { start } from '#src/vscode/bridge.ts';
import type { CallEntry } from '#src/vscode/calls/call-entry.ts';
import { type CallList, createCallList } from '#src/vscode/calls/call-list.ts';
import { type CallDesk, useDesk } from '#src/vscode/calls/desk.ts';
import { lendAbilities } from '#src/vscode/calls/editor/lend-abilities.ts';
import { EdgeContext, ExtensionHome, LogContext, useOwnEdge } from '#src/vscode/contexts.ts';
import type { Log } from '#src/vscode/log/log.ts';
import { createStackMaps } from '#src/workspace/load/stack-maps.ts';
import { createToolRegistry } from '#src/workspace/registry/registry.ts';

/** A desk of the test's own in this real VS Code: its panels are real, and the test answers as their pages would. */
export interface DeskKit {
  readonly scope: Scope;
  readonly desk: CallDesk;
  readonly calls: CallList;
  readonly logged: readonly string[];
  /** Where its calls are kept: a desk that is opened on it is that of the next window. */
  readonly store: CallStore;
  run<T>(operation: () => Operation<T>): Promise<T>;
  /** Starts a call, which the editor lends its abilities, and gives its entry and its end. */
  call(request: Parameters<CallDesk['run']>[0]): { entry: CallEntry; end: Promise<EndEvent | undefined> };
  close(): Promise<void>;
}

/** What decides about consent in tests: all is allowed, as after the person said yes. */
export const allowed = { canSendRequest: () => true } as unknown as vscode.LanguageModelAccessInformation;

export async function openDesk(store: CallStore = createMemoryStore()): Promise<DeskKit> {
  const [scope, destroy] = createScope();
  const logged: string[] = [];
  const note =
    (level: string) =>
    (message: string): void => {
      logged.push(`${level}: ${message}`);
    };
  const log: Log = {
    debug: note('debug'),
    info: note('info'),
    warn: note('warn'),
    error: note('error'),
    call: (source, level, message) => logged.push(`${source} ${level}: ${message}`),
    show() {},
  };
  const run = async <T>(operation: () => Operation<T>): Promise<T> => {
    const outcome = await start(scope, operation).outcome;
    if (outcome.type === 'done') return outcome.value;
    throw outcome.type === 'failed' ? outcome.error : new Error('halted');
  };
  const calls = createCallList();
  const kept = new Map<string, unknown>();
  const context = {
    extensionUri: vscode.extensions.getExtension('parley.parley-mcp')?.extensionUri,
    languageModelAccessInformation: allowed,
    storageUri: vscode.Uri.file('/storage/of/a/desk/parley.parley-mcp'),
    workspaceState: {
      keys: () => [...kept.keys()],
      get: (key: string) => kept.get(key),
      update: async (key: string, value: unknown) => void kept.set(key, value),
    },
  } as unknown as vscode.ExtensionContext;
  const ready = Promise.withResolvers<CallDesk>();
  const life = run(function* () {
    yield* LogContext.set(log);
    yield* ExtensionHome.set(context);
    yield* EdgeContext.set(yield* useOwnEdge());
    const viewsDir = `${context.extensionUri.fsPath}/dist/views-of-tests`;
    const registry = createToolRegistry();
    const history = {
      *keep() {
        return 'dropped' as const;
      },
      *store() {
        return store;
      },
    };
    const tools = { *loaded() {} };
    ready.resolve(
      yield* useDesk({
        ...{ calls, history, registry, tools, viewsDir, stackMaps: createStackMaps() },
        inbox: undefined,
        *known() {},
      }),
    );
    yield* suspend();
  });
  // A desk that cannot be made says why, in place of a hook that waits for it.
  life.catch(ready.reject);
  const desk = await ready.promise;
  return {
    scope,
    desk,
    calls,
    logged,
    store,
    run,
    call(request) {
      const before = new Set(calls.list());
      const end = run(function* () {
        yield* lendAbilities();
        return (yield* desk.run(request)).end;
      });
      const entry = calls.list().find((candidate) => !before.has(candidate));
      if (!entry) throw new Error('the call is not in the list');
      return { entry, end };
    },
    close: async () => {
      await destroy();
    },
  };
}
