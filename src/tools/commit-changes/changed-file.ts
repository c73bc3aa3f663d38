import * as z from 'zod';
import type { GitChange } from '../../core/editor/editor-git.ts';

/** One file that can be committed. `number` counts from 1; a file that is partly staged is there twice. */
export const changedFile = z.object({
  number: z.int(),
  path: z.string(),
  from: z.string().optional(),
  kind: z.enum(['added', 'modified', 'deleted', 'renamed', 'untracked', 'conflicted']),
  staged: z.boolean(),
});

/** One file that can be committed. */
export type ChangedFile = z.infer<typeof changedFile>;

/** So long is an answer at most. */
export const LONGEST_PICKS = 2000;

/** The changes of a repository with their numbers: first what is staged, each part by path. */
export function numbered(changes: readonly GitChange[]): ChangedFile[] {
  return [...changes]
    .sort((a, b) => Number(b.staged) - Number(a.staged) || (a.path < b.path ? -1 : 1))
    .map((change, at) => ({ number: at + 1, ...change }));
}

/** What to tick at first: what the caller names, else what is staged, else all that git tracks, else everything. */
export function suggested(files: readonly ChangedFile[], named: readonly string[] = []): number[] {
  const first = [
    ({ path }: ChangedFile) => named.includes(path),
    ({ staged }: ChangedFile) => staged,
    ({ kind }: ChangedFile) => kind !== 'untracked',
    () => true,
  ]
    .map((wanted) => files.filter(wanted))
    .find((some) => some.length > 0);
  return (first ?? []).map(({ number }) => number);
}

/** What was ticked, as an answer that people can read: a line for each, `1: src/shop.ts`; numbers where those are too long. */
export function picksText(numbers: readonly number[], files: readonly ChangedFile[]): string {
  const lines = files.filter(({ number }) => numbers.includes(number)).map(lineOf);
  const text = lines.join('\n');
  return text.length <= LONGEST_PICKS && text.split('\n').length === lines.length ? text : numbers.join(', ');
}

function lineOf({ number, path }: ChangedFile): string {
  return `${number}: ${path}`;
}

/**
 * Reads what {@link picksText} says, and what a person typed where no list could be ticked: `all`, `staged`, or numbers such as `1, 3-5`.
 *
 * @returns the files, or a sentence that says what is wrong.
 */
export function readPicks(text: string, files: readonly ChangedFile[]): readonly ChangedFile[] | string {
  const lines = text.split('\n');
  const named = files.filter((file) => lines.includes(lineOf(file)));
  if (named.length === lines.length) return named;
  const word = text.trim().toLowerCase();
  if (word === 'all') return files;
  if (word === 'staged') {
    const staged = files.filter((file) => file.staged);
    return staged.length > 0 ? staged : 'Nothing is staged yet.';
  }
  const wanted = new Set<number>();
  for (const part of word.split(/[\s,;]+/).filter((piece) => piece !== '')) {
    const [, first, last = first] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(part) ?? [];
    const [low, high] = [Number(first), Number(last)];
    // Not a number, back to front, or no such file.
    if (!(low >= 1 && low <= high && high <= files.length)) {
      return `“${part.slice(0, 40)}” is none of 1 to ${files.length}, “all” or “staged”.`;
    }
    for (let number = low; number <= high; number++) wanted.add(number);
  }
  if (wanted.size === 0) return 'No file was named.';
  return files.filter(({ number }) => wanted.has(number));
}
