import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { isParleyError, toError } from '../../../core/errors/errors.ts';
import type { AnyTool } from '../../../core/tool/tool.ts';
import { type CallEntry, hasEnded } from '../call-entry.ts';
import { mayRunUpToHere } from '../go-back.ts';
import { type RunToolParts, toolAsItStands } from '../run/run-for-person.ts';
import { hasAnother, offerOf, sayChanged } from './versions.ts';

/** Takes a call that runs over to the newest version of its tool; where that cannot be, its panel says why. */
export function* goOnWithNewVersion(parts: RunToolParts, entry: CallEntry): Operation<void> {
  const chosen = parts.tools.registry.get(entry.toolName);
  const newest = chosen && (yield* toolAsItStands(parts.tools, chosen)).registered;
  const session = entry.session();
  if (!newest || !session || hasEnded(entry) || !hasAnother(entry, newest)) return;
  const promises = [newest.tool, session.tool].every(isPromised);
  if (!promises && !(yield* mayRunUpToHere(entry, vscode.l10n.t('Continue')))) return;
  const { manager, changed } = yield* parts.desk();
  try {
    yield* manager.continueWith(session, { tool: offerOf(newest), ...(promises ? {} : { anyway: true }) });
    changed(entry, session);
    sayChanged(entry);
  } catch (error) {
    if (hasEnded(entry)) return;
    const stays = vscode.l10n.t('The call continues with the version it started with: {0}', whyNot(error));
    sayChanged(entry, stays, vscode.l10n.t('Try Again'));
  }
}

function isPromised({ def }: AnyTool): boolean {
  return def.durable !== undefined || def.annotations.readOnlyHint === true;
}

function whyNot(error: unknown): string {
  const { message } = toError(error);
  if (!isParleyError(error, 'REPLAY_DIVERGED')) return message;
  const { did, does } = error.details ?? {};
  return vscode.l10n.t('then it {0}; now it {1}.', String(did), String(does));
}
