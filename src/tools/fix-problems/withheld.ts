import type { Operation } from 'effection';
import { type EditsAbility, useEdits } from '../../core/editor/editor-edits.ts';
import { suspicionOf } from '../../core/messages/secrets/secrets.ts';
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
  ctx: FixContext,
): Operation<ReadonlySet<string> | undefined> {
  const suspicious = yield* ctx.step('look for secrets', () => suspicionsOf(files), { reads: true });
  const purpose = 'A model will read these files completely to fix their problems.';
  const all = yield* askAboutSecrets(suspicious, purpose, (question) => ctx.elicit(question));
  if (all === undefined) return undefined;
  return new Set(all ? [] : suspicious.map(({ uri }) => uri));
}

function* suspicionsOf(files: readonly ProblemFile[]): Operation<(Suspicion & { readonly uri: string })[]> {
  const editor = yield* useEdits();
  const suspicious = [];
  for (const { uri, path } of files) {
    const why = suspicionOf([path], yield* textOf(uri, editor));
    if (why !== undefined) suspicious.push({ uri, path, why });
  }
  return suspicious;
}

/** What cannot be read cannot be sent, and is said when it is its turn. */
function* textOf(uri: string, editor: EditsAbility): Operation<string> {
  try {
    return yield* editor.read(uri);
  } catch {
    return '';
  }
}
