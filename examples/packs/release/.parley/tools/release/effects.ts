import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Operation, until } from 'effection';
import * as z from 'zod';
import { command, ifItWorks } from './command.ts';
import type { Facts } from './look.ts';
import type { Plan } from './questions.ts';

/** A commit of the release, and what was there before. */
export interface ReleaseCommit {
  readonly before: string;
  readonly made: string;
}

/** Writes the version and the notes, and commits both. Again after a crash, it finds the commit that it made. */
export function* commitRelease(
  folder: string,
  facts: Facts,
  { version, notes }: Plan,
  today: string,
): Operation<ReleaseCommit> {
  const subject = `Release ${version}`;
  const head = yield* command(folder, 'git', 'rev-parse', 'HEAD');
  if (head !== facts.head) {
    const [parent, last] = (yield* command(folder, 'git', 'log', '-1', '--format=%P%n%s')).split('\n');
    if (parent === facts.head && last === subject) return { before: facts.head, made: head };
    throw new Error(`Somebody has committed to ${facts.branch} since you were asked. Run the release again.`);
  }
  yield* setVersion(folder, version);
  const changelog = join(folder, 'CHANGELOG.md');
  const old = yield* until(readFile(changelog, 'utf8').catch(() => '# Changelog\n'));
  yield* until(writeFile(changelog, withNotes(old, `## ${version} (${today})\n\n${notes}\n`)));
  yield* command(folder, 'git', 'add', '--', 'package.json', 'CHANGELOG.md');
  const lock = yield* command(folder, 'git', 'ls-files', '--', 'package-lock.json');
  if (lock !== '') yield* command(folder, 'git', 'add', '--', 'package-lock.json');
  yield* command(folder, 'git', 'commit', '-m', subject, '-m', notes);
  return { before: facts.head, made: yield* command(folder, 'git', 'rev-parse', 'HEAD') };
}

/** Takes the commit back, unless something else was committed on it. Changes that were made meanwhile stay. */
export function* takeCommitBack(folder: string, { before, made }: ReleaseCommit): Operation<void> {
  const head = yield* command(folder, 'git', 'rev-parse', 'HEAD');
  if (head === before) return;
  if (head !== made)
    throw new Error(
      `Something was committed after the release commit ${made.slice(0, 9)}: revert that by hand.`,
    );
  yield* command(folder, 'git', 'reset', '--keep', before);
}

/** Tags the commit of the release. */
export function* tagRelease(folder: string, tag: string, notes: string, commit: string): Operation<string> {
  const tagged = yield* ifItWorks(
    command(folder, 'git', 'rev-parse', '--verify', '--quiet', `refs/tags/${tag}^{commit}`),
  );
  if (tagged === commit) return tag;
  if (tagged !== undefined)
    throw new Error(
      `The tag ${tag} is at another commit. Choose another version, or delete it: git tag -d ${tag}`,
    );
  yield* command(folder, 'git', 'tag', '-a', tag, '-m', notes, commit);
  return tag;
}

/** Deletes the tag, where it is there. */
export function* takeTagBack(folder: string, tag: string): Operation<void> {
  yield* ifItWorks(command(folder, 'git', 'tag', '-d', tag));
}

const packed = z.array(z.object({ files: z.array(z.object({ path: z.string(), size: z.int() })) }));

/** Which files npm would publish. */
export function* filesToPublish(folder: string): Operation<{ path: string; size: number }[]> {
  const said = yield* command(folder, 'npm', 'pack', '--dry-run', '--json', '--ignore-scripts');
  return packed.parse(JSON.parse(said)).flatMap(({ files }) => files);
}

/** Publishes it. After a crash it looks first: a version can be published once. */
export function* publish(folder: string, { name }: Facts, version: string, attempt: number): Operation<void> {
  if (attempt > 1) {
    const there = yield* ifItWorks(command(folder, 'npm', 'view', `${name}@${version}`, 'version'));
    if (there === version) return;
  }
  yield* command(folder, 'npm', 'publish', ...(version.includes('-') ? ['--tag', 'next'] : []));
}

/** Pushes the branch and the tag, both or neither. */
export function* push(folder: string, remote: string, branch: string, tag: string): Operation<void> {
  yield* command(folder, 'git', 'push', '--atomic', remote, branch, `refs/tags/${tag}`);
}

/** Sets the version by npm, which knows all files that have it. */
function* setVersion(folder: string, version: string): Operation<void> {
  yield* command(
    folder,
    'npm',
    'version',
    version,
    '--no-git-tag-version',
    '--allow-same-version',
    '--ignore-scripts',
  );
}

/** Puts the notes of a release on top of those before it. */
function withNotes(changelog: string, notes: string): string {
  const first = changelog.search(/^## (?!\[?unreleased)/im);
  if (first < 0) return `${changelog.trimEnd()}\n\n${notes}`;
  return `${changelog.slice(0, first)}${notes}\n${changelog.slice(first)}`;
}
