import type { Operation } from 'effection';
import * as vscode from 'vscode';
import type { RegisteredTool } from '../../../workspace/registry/registered-tool.ts';
import type { ToolRegistry } from '../../../workspace/registry/registry.ts';
import { fromThenable } from '../../bridge.ts';
import { toolOfCall } from './first-tool.ts';

/** The tool that a person has named: one of a server as `server/tool`, too, as in `ctx.call`. */
export function* named(registry: ToolRegistry, name: string): Operation<RegisteredTool | undefined> {
  if (!name.includes('/')) return registry.get(name);
  const { outsideName } = yield* fromThenable(import('../../../mcp/client/index.ts'));
  return registry.get(outsideName(name));
}

/** @throws with the names there are, for the author of a keybinding. */
export function* known(registry: ToolRegistry, name: string): Operation<RegisteredTool> {
  const registered = (yield* named(registry, name)) ?? (yield* toolOfCall(registry, name));
  if (registered) return registered;
  const names = registry
    .list()
    .map((tool) => tool.name)
    .join(', ');
  throw new Error(
    names === ''
      ? vscode.l10n.t('The tool “{0}” was not found. No tools are available.', name)
      : vscode.l10n.t('The tool “{0}” was not found. Available tools: {1}.', name, names),
  );
}
