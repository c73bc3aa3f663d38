import type { Operation } from 'effection';
import type { EditsAbility } from '../../core/editor/editor-edits.ts';
import { suspicionOf } from '../../core/messages/secrets.ts';
import { askAboutSecrets, type Suspicion } from '../ask-about-secrets.ts';
import type { ProblemFile } from './problem-files.ts';
import type { FixContext } from './questions.ts';

/**
 * The files, by URI, that the model must not read: those that look as if they held secrets, unless the person lets it.
 *
 * @returns `undefined` when the person cancelled.
 */
export function* withheldFiles(
  files: readonly ProblemFile[],
  editor: EditsAbility,
  ctx: FixContext,
): Operation<ReadonlySet<string> | undefined> {
  const suspicious = new Map<string, Suspicion>();
  for (const { uri, path } of files) {
    const why = suspicionOf([path], yield* textOf(uri, editor));
    if (why !== undefined) suspicious.set(uri, { path, why });
  }
  const purpose = 'A model is about to read these files whole, to mend their problems.';
  const all = yield* askAboutSecrets([...suspicious.values()], purpose, (question) => ctx.elicit(question));
  if (all === undefined) return undefined;
  return new Set(all ? [] : suspicious.keys());
}

/** What cannot be read cannot be sent, and is said when it is its turn. */
function* textOf(uri: string, editor: EditsAbility): Operation<string> {
  try {
    return yield* editor.read(uri);
  } catch {
    return '';
  }
}
