import type { Operation } from 'effection';
import type { GitChange, GitChangeKind } from '../../../../core/editor/editor-git.ts';
import { type Git, runGit } from './run-git.ts';

/** More changes than anybody looks through. */
const MOST_CHANGES = 10_000;
const MOST_TEXT = 8_000_000;

const KINDS: Readonly<Record<string, GitChangeKind>> = {
  A: 'added',
  C: 'added',
  D: 'deleted',
  M: 'modified',
  R: 'renamed',
  T: 'modified',
};

/** What differs in a repository, in git's order; the first ten thousand changes. */
export function* changesOf(git: Git): Operation<readonly GitChange[]> {
  const { text, cut } = yield* runGit(
    git,
    // A submodule that is dirty inside has nothing that could be committed here.
    ['status', '--porcelain=v2', '-z', '--untracked-files=all', '--ignore-submodules=dirty'],
    { most: MOST_TEXT },
  );
  return parseStatus(cut ? text.slice(0, text.lastIndexOf('\0') + 1) : text).slice(0, MOST_CHANGES);
}

/** Source: git-status, “Porcelain Format Version 2”, with `-z`. */
export function parseStatus(text: string): GitChange[] {
  const changes: GitChange[] = [];
  const records = text.split('\0').values();
  for (const record of records) {
    const [, type, staged = '.', unstaged = '.'] = /^([12u?]) (?:(.)(.) )?/.exec(record) ?? [];
    if (type === '?') {
      // A repository inside that is no submodule yet ends in a slash.
      changes.push({ path: record.slice(2).replace(/\/$/, ''), kind: 'untracked', staged: false });
    } else if (type === 'u') {
      changes.push({ path: afterFields(record, 10), kind: 'conflicted', staged: false });
    } else if (type === '1' || type === '2') {
      const path = afterFields(record, type === '1' ? 8 : 9);
      const from = type === '2' ? records.next().value : undefined;
      for (const [letter, isStaged] of [
        [staged, true],
        [unstaged, false],
      ] as const) {
        const kind = KINDS[letter];
        if (!kind) continue;
        changes.push({
          path,
          ...(kind === 'renamed' && from !== undefined ? { from } : {}),
          kind,
          staged: isStaged,
        });
      }
    }
  }
  return changes;
}

/** What follows so many fields, each of which ends in a space: a path, with whatever is in it. */
function afterFields(record: string, fields: number): string {
  let at = 0;
  for (let passed = 0; passed < fields; passed++) at = record.indexOf(' ', at) + 1;
  return record.slice(at);
}
