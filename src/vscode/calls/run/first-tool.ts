import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { type RegisteredTool, registeredTool } from '../../../workspace/registry/registered-tool.ts';
import type { ToolRegistry } from '../../../workspace/registry/registry.ts';
import { fromThenable } from '../../bridge.ts';
import { takeWords } from '../shipped/shipped-words.ts';

/** The tool that the first page tries out. It is in no list, and no agent gets it. */
export function* firstTool(): Operation<RegisteredTool> {
  const { createFirstTool } = yield* fromThenable(import('../../../tools/index.ts'));
  const tool = createFirstTool(vscode.l10n.t);
  takeWords([tool], {});
  return registeredTool({ tool }, { kind: 'shipped', id: 'parley', label: 'Parley' });
}

/** The tool of a call that is to go on, or to be made again: that of the first page, too. */
export function* toolOfCall(
  registry: Pick<ToolRegistry, 'get'>,
  name: string,
): Operation<RegisteredTool | undefined> {
  const registered = registry.get(name);
  if (registered) return registered;
  const first = yield* firstTool();
  return first.name === name ? first : undefined;
}
