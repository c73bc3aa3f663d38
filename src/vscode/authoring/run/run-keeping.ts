import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { endedCall } from '../../calls/commands/meant-call.ts';
import { agreed } from '../../calls/notices/agreed.ts';
import { inform } from '../../calls/notices/inform.ts';
import { pickSome } from '../../calls/pick/pick-some.ts';
import { countAnswers, type Remembered } from '../../calls/remembering.ts';
import { currentTool } from '../../calls/run/current-tool.ts';
import { known } from '../../calls/run/named-tool.ts';
import { type RunToolParts, runForPerson } from '../../calls/run/run-for-person.ts';

/**
 * **Run Again with Same Answers…**: a new call of the tool as it is now, with the parameters of an ended one. Where it asks the same,
 * the answers of then are given; steps run again.
 *
 * @param which `all`: those of the person and of the model, without being picked
 */
export function* runKeeping(parts: RunToolParts, argument: unknown, which?: unknown): Operation<void> {
  const entry = yield* endedCall(parts, argument);
  if (!entry) return;
  const chosen = yield* known(parts.tools.registry, entry.toolName);
  const lines = yield* (yield* parts.desk()).linesOf(entry);
  const counts = countAnswers(lines);
  if (counts.person + counts.model === 0) {
    return inform(vscode.l10n.t('No answers of “{0}” are saved.', entry.title));
  }
  const whose = which === 'all' ? { person: true, model: true } : yield* pickAnswers(counts);
  if (!whose) return;
  const { registered, notice } = yield* currentTool(parts.tools, chosen);
  const { durable, annotations } = registered.tool.def;
  if (annotations.readOnlyHint !== true && !(yield* mayRunAgain(entry.title, durable !== undefined))) return;
  const started = entry.panel.store.get().rows.find((row) => row.type === 'started');
  yield* runForPerson(parts, registered, {
    params: started?.params ?? {},
    remembered: { ...whose, lines, began: started?.time ?? 0 },
    notice,
  });
}

interface Choice extends vscode.QuickPickItem {
  readonly of: 'person' | 'model';
}

function* pickAnswers({
  person,
  model,
}: ReturnType<typeof countAnswers>): Operation<Pick<Remembered, 'person' | 'model'> | undefined> {
  const choices: Choice[] = [
    { of: 'person', label: vscode.l10n.t('My answers'), description: String(person), picked: true },
    { of: 'model', label: vscode.l10n.t('Model answers'), description: String(model) },
  ];
  const there = choices.filter(({ of }) => (of === 'person' ? person : model) > 0);
  const [only, ...others] = there;
  // A list of one leaves nothing to choose.
  if (only && others.length === 0) return { person: only.of === 'person', model: only.of === 'model' };
  const placeHolder = vscode.l10n.t('Reuse the answers of the earlier call');
  const picked = yield* pickSome(there, { placeHolder });
  if (!picked) return undefined;
  return { person: picked.some(({ of }) => of === 'person'), model: picked.some(({ of }) => of === 'model') };
}

function* mayRunAgain(title: string, hasSteps: boolean): Operation<boolean> {
  const again = vscode.l10n.t('Run Again');
  const detail = hasSteps
    ? vscode.l10n.t('Your answers are reused. Steps with effects (bookings, writes) run again.')
    : vscode.l10n.t('Your answers are reused. Changes that the tool made run again.');
  const message = vscode.l10n.t('Run “{0}” again?', title);
  return yield* agreed({ message, detail, button: again });
}
