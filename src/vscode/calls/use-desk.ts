import type { Operation } from 'effection';
import type * as vscode from 'vscode';
import type { StackMaps } from '../../workspace/load/stack-maps.ts';
import type { ToolRegistry } from '../../workspace/registry/registry.ts';
import type { Edge } from '../bridge.ts';
import type { Log } from '../log/log.ts';
import { createPanelHost } from '../panel/panel-host.ts';
import { createLastModel } from '../sampler/last-model.ts';
import { showModels } from '../sampler/models.ts';
import { createSampler } from '../sampler/sampler.ts';
import type { CallList } from './call-list.ts';
import { type CallDesk, createCallDesk } from './desk.ts';
import { useAttention } from './notices/attention.ts';
import { createEndActions } from './notices/end-actions.ts';
import { createLastParameters } from './parameters/last-parameters.ts';
import { useWindowManager } from './window-manager.ts';

/** What the desk takes from the rest of Parley. */
export interface UseDeskParts {
  readonly context: vscode.ExtensionContext;
  readonly calls: CallList;
  readonly edge: Edge;
  readonly log: Log;
  readonly registry: ToolRegistry;
  readonly viewsDir: string;
  readonly stackMaps: Pick<StackMaps, 'frames'>;
}

/**
 * The desk with all that runs calls: sessions, panels, sampler. It is loaded with the first call, so that starting the
 * editor does not pay for it; ended with its owner, and every call with it.
 */
export function* useDesk(parts: UseDeskParts): Operation<CallDesk> {
  const { context, calls, edge, log, registry, viewsDir, stackMaps } = parts;
  return createCallDesk({
    calls,
    edge,
    log,
    stackMaps,
    manager: yield* useWindowManager(),
    panels: createPanelHost({ edge, log, context, viewsDir, registry }),
    sampler: createSampler(
      context.languageModelAccessInformation,
      log,
      createLastModel(context.workspaceState, showModels),
    ),
    attention: yield* useAttention(calls, edge),
    lastParameters: createLastParameters(context.workspaceState),
    onAction: createEndActions(edge),
  });
}
