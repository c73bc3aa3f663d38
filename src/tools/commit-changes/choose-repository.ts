import type { Operation } from 'effection';
import * as z from 'zod';
import { type GitChange, type GitRepository, useGit } from '../../core/editor/editor-git.ts';
import { filePath } from '../../core/editor/file-path.ts';
import { type ChangedFile, numbered } from './changed-file.ts';
import type { CommitContext } from './questions.ts';

/** A repository with something in it to commit. */
export interface Candidate {
  /** Its `file:` URI. */
  readonly root: string;
  /** Its folder's name, or its whole path where another one has the same name. */
  readonly name: string;
  readonly files: readonly ChangedFile[];
}

/** A repository as it was when the call looked. */
interface Looked {
  readonly root: string;
  /** What differs in it; nobody looks where nobody wants to commit. */
  readonly changes: readonly GitChange[];
}

/**
 * The repository to commit in: the one that is named, the only one with changes, or the one that the person chooses.
 *
 * @returns `undefined` when the person does not want any.
 * @throws with what to do when there is no repository, or none with changes.
 */
export function* chooseRepository(
  wanted: string | undefined,
  ctx: CommitContext,
): Operation<Candidate | undefined> {
  const found = yield* ctx.step('look for changes', () => look(wanted), { reads: true });
  if (found.length === 0) {
    throw new Error(
      'There is no git repository in this workspace. Open a folder that is one, or run “Git: Initialize Repository”.',
    );
  }
  const all = nameAll(found);
  const named = all.filter((one) => isMeant(one, wanted));
  if (named.length === 0) {
    const names = all.map(({ name }) => name).join(', ');
    throw new Error(`There is no repository “${wanted}” in this workspace. There are: ${names}.`);
  }
  const candidates = named.flatMap(({ root, name, changes }): Candidate[] =>
    changes.length === 0 ? [] : [{ root, name, files: numbered(changes) }],
  );
  const [only, ...others] = candidates;
  if (!only) {
    const where = named.map(({ name }) => name).join(', ');
    throw new Error(`There is nothing to commit in ${where}: no file has changed since the last commit.`);
  }
  return others.length === 0 ? only : yield* askWhich(candidates, ctx);
}

/** The repository with this root, as the editor has it now: the call may go on in another window than it began in. */
export function* repositoryAt(root: string): Operation<GitRepository> {
  const repositories = yield* (yield* useGit()).repositories();
  const found = repositories.find((one) => one.root === root);
  if (!found) throw new Error(`The repository ${pathOf(root)} is not open in this window any more.`);
  return found;
}

function* look(wanted: string | undefined): Operation<readonly Looked[]> {
  const repositories = yield* (yield* useGit()).repositories();
  const looked: Looked[] = [];
  const named = nameAll(repositories.map((repository) => ({ root: repository.root, repository })));
  for (const { root, name, repository } of named) {
    looked.push({ root, changes: isMeant({ root, name }, wanted) ? yield* repository.changes() : [] });
  }
  return looked;
}

function* askWhich(candidates: readonly Candidate[], ctx: CommitContext): Operation<Candidate | undefined> {
  const names = candidates.map(({ name }) => name);
  const answer = yield* ctx.elicit({
    message: 'Several repositories have changes. Choose one to commit to.',
    schema: z.object({ repository: z.enum(names).meta({ title: 'Repository' }) }),
  });
  if (answer.action !== 'accept') return undefined;
  return candidates.find(({ name }) => name === answer.content.repository);
}

function nameAll<T extends { readonly root: string }>(repositories: readonly T[]): (T & { name: string })[] {
  const names = repositories.map(({ root }) => nameOf(root));
  return repositories.map((repository, at) => {
    const name = names[at] ?? '';
    const unique = names.indexOf(name) === names.lastIndexOf(name);
    return { ...repository, name: unique ? name : pathOf(repository.root) };
  });
}

function isMeant(
  { name, root }: { readonly name: string; readonly root: string },
  wanted: string | undefined,
): boolean {
  if (wanted === undefined) return true;
  // A model may write the drive in upper case and the separators as it likes.
  const plain = /^[a-z]:[\\/]/i.test(wanted) ? pathOf(`file:///${wanted}`) : wanted.replace(/[\\/]+$/, '');
  return [name, nameOf(root), pathOf(root), root].includes(plain);
}

function nameOf(root: string): string {
  return pathOf(root).split(/[\\/]/).at(-1) ?? root;
}

function pathOf(root: string): string {
  return filePath(root).replace(/[\\/]+$/, '');
}
