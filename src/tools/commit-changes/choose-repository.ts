import type { Operation } from 'effection';
import * as z from 'zod';
import { type GitRepository, useGit } from '../../core/editor/editor-git.ts';
import { type ChangedFile, numbered } from './changed-file.ts';
import type { CommitContext } from './questions.ts';

/** A repository with something in it to commit. */
export interface Candidate {
  readonly repository: GitRepository;
  /** Its folder's name, or its whole path where another one has the same name. */
  readonly name: string;
  readonly files: readonly ChangedFile[];
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
  const git = yield* useGit();
  const repositories = yield* git.repositories();
  if (repositories.length === 0) {
    throw new Error(
      'There is no git repository in this workspace. Open a folder that is one, or run “Git: Initialize Repository”.',
    );
  }
  const all = nameAll(repositories);
  const named =
    wanted === undefined ? all : all.filter(({ name, repository }) => isMeant(name, repository, wanted));
  if (named.length === 0) {
    const names = all.map(({ name }) => name).join(', ');
    throw new Error(`There is no repository “${wanted}” in this workspace. There are: ${names}.`);
  }
  const candidates: Candidate[] = [];
  for (const { repository, name } of named) {
    const files = numbered(yield* repository.changes());
    if (files.length > 0) candidates.push({ repository, name, files });
  }
  const [only, ...others] = candidates;
  if (!only) {
    const where = named.map(({ name }) => name).join(', ');
    throw new Error(`There is nothing to commit in ${where}: no file has changed since the last commit.`);
  }
  return others.length === 0 ? only : yield* askWhich(candidates, ctx);
}

function* askWhich(candidates: readonly Candidate[], ctx: CommitContext): Operation<Candidate | undefined> {
  const names = candidates.map(({ name }) => name);
  const answer = yield* ctx.elicit({
    message: 'Several repositories have changes. Where do you want to commit?',
    schema: z.object({ repository: z.enum(names).meta({ title: 'Repository' }) }),
  });
  if (answer.action !== 'accept') return undefined;
  return candidates.find(({ name }) => name === answer.content.repository);
}

function nameAll(repositories: readonly GitRepository[]) {
  const names = repositories.map(({ root }) => nameOf(root));
  return repositories.map((repository, at) => {
    const name = names[at] ?? '';
    const unique = names.indexOf(name) === names.lastIndexOf(name);
    return { repository, name: unique ? name : pathOf(repository.root) };
  });
}

function isMeant(name: string, { root }: GitRepository, wanted: string): boolean {
  const plain = wanted.replace(/[\\/]+$/, '');
  return name === plain || nameOf(root) === plain || pathOf(root) === plain || root === plain;
}

function nameOf(root: string): string {
  return pathOf(root).split('/').at(-1) ?? root;
}

function pathOf(root: string): string {
  return decodeURIComponent(new URL(root).pathname).replace(/\/+$/, '');
}
