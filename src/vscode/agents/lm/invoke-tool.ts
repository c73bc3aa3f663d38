import type { Operation } from 'effection';
import * as vscode from 'vscode';
import type { JsonObject } from '../../../core/messages/json.ts';
import type { AnyPlugin } from '../../../core/plugin/plugin.ts';
import type { CallDesk } from '../../calls/desk.ts';
import { runForOthers } from '../../calls/run/run-for-others.ts';
import type { LmPart } from '../../calls/sampler/parts.ts';
import { fitParts, type PartBudget } from './fit-parts.ts';
import { resultParts } from './result-parts.ts';

/** The agent's call of a tool, from its input to what the model reads. @throws with text that the model can act on. */
export function* invokeTool(
  desk: CallDesk,
  plugin: AnyPlugin,
  input: object,
  budget: PartBudget | undefined,
): Operation<readonly LmPart[]> {
  // The editor does not check the input: the session does, against the tool's own schema.
  const asker = { kind: 'agent', name: vscode.l10n.t('the agent') } as const;
  const { id, end } = yield* runForOthers(desk, { plugin, params: input as JsonObject, asker });
  return yield* fitParts(resultParts(id, end), budget);
}
