import type { Operation } from 'effection';
import * as vscode from 'vscode';
import {
  calledName,
  type ToolDirectory,
  ToolDirectoryContext,
} from '../../runtime/context/tool-directory.ts';
import { CallPolicyContext } from '../../runtime/policy/call-policy.ts';
import type { ToolRegistry } from '../../workspace/registry/registry.ts';
import { fromThenable } from '../bridge.ts';
import type { CallDesk } from '../calls/desk.ts';
import { type Lazy, useLazy } from '../calls/lazy.ts';
import type { WindowServers } from './keep-servers.ts';
import type { ServerBook } from './server-book.ts';

/** What tools that call others, and the tools of servers, find in this window. */
export function* useServerContexts({
  servers,
  desk,
  registry,
}: {
  readonly servers: ServerBook<WindowServers>;
  readonly desk: Lazy<CallDesk>;
  readonly registry: Pick<ToolRegistry, 'get' | 'list'>;
}): Operation<void> {
  const policy = yield* useLazy(function* () {
    const { useEditorPolicy } = yield* fromThenable(import('./policy/editor-policy.ts'));
    return yield* useEditorPolicy(servers, desk);
  });
  yield* CallPolicyContext.set({
    namesOwn: hasRules,
    *decide(call) {
      return yield* (yield* policy()).decide(call);
    },
    *ask(call) {
      return yield* (yield* policy()).ask(call);
    },
    *forPerson(tool) {
      const { forPerson } = hasRules() ? yield* policy() : {};
      return forPerson ? yield* forPerson(tool) : false;
    },
  });
  const find: ToolDirectory = (name, given) => {
    if (given) return given;
    const found = registry.get(servers.keeper()?.outsideName(name) ?? name);
    return found?.plugin ?? found?.tool;
  };
  const names = () => registry.list().map(({ tool }) => calledName(tool));
  yield* ToolDirectoryContext.set(Object.assign(find, { names }));
}

/** Whether anybody has written rules: most have not, and then nothing of them is loaded. */
function hasRules(): boolean {
  const { globalValue, workspaceValue, workspaceFolderValue } =
    vscode.workspace.getConfiguration().inspect<unknown>('parley.policy') ?? {};
  return [globalValue, workspaceValue, workspaceFolderValue].some(
    (rules) => rules !== undefined && !(Array.isArray(rules) && rules.length === 0),
  );
}
