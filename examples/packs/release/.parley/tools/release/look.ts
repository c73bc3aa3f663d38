import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Operation, until } from 'effection';
import * as z from 'zod';
import { command, ifItWorks } from './command.ts';

/** What the tool knows before it asks. */
export const factsSchema = z.object({
  name: z.string(),
  version: z.string(),
  branch: z.string(),
  head: z.string(),
  /** The last release, if there was one. */
  lastTag: z.string().optional(),
  /** Where it is pushed to, if anywhere. */
  remote: z.string().optional(),
  commits: z.array(z.object({ hash: z.string(), subject: z.string() })),
});

/** What the tool knows before it asks. */
export type Facts = z.infer<typeof factsSchema>;

const packageSchema = z.looseObject({
  name: z.string(),
  version: z.string().regex(/^\d+\.\d+\.\d+/),
  private: z.boolean().optional(),
});

/** So many commits are read; more than that nobody reads. */
const MOST_COMMITS = 500;

/** Looks at a package and its repository; refuses what cannot be released. */
export function* lookAt(folder: string): Operation<Facts> {
  const { name, version, private: isPrivate } = yield* readPackage(folder);
  if (isPrivate)
    throw new Error(`${name} says "private": true in its package.json, so npm does not publish it.`);
  const changed = yield* command(folder, 'git', 'status', '--porcelain', '--', '.');
  if (changed !== '') {
    throw new Error(`Commit or stash your changes first. Git reports:\n${changed.slice(0, 1000)}`);
  }
  const head = yield* command(folder, 'git', 'rev-parse', 'HEAD');
  const branch = yield* ifItWorks(command(folder, 'git', 'symbolic-ref', '--short', 'HEAD'));
  if (branch === undefined) throw new Error('HEAD is detached: check a branch out, and release from there.');
  const lastTag = yield* ifItWorks(
    command(folder, 'git', 'describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*'),
  );
  const remote = yield* ifItWorks(command(folder, 'git', 'config', `branch.${branch}.remote`));
  const range = lastTag === undefined ? 'HEAD' : `${lastTag}..HEAD`;
  const log = yield* command(
    folder,
    'git',
    'log',
    `--max-count=${MOST_COMMITS}`,
    '--format=%h%x09%s',
    range,
    '--',
    '.',
  );
  const commits = log
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [hash = '', ...subject] = line.split('\t');
      return { hash, subject: subject.join('\t') };
    });
  return {
    name,
    version,
    branch,
    head,
    ...(lastTag !== undefined && { lastTag }),
    ...(remote !== undefined && { remote }),
    commits,
  };
}

function* readPackage(folder: string): Operation<z.infer<typeof packageSchema>> {
  const file = join(folder, 'package.json');
  try {
    return packageSchema.parse(JSON.parse(yield* until(readFile(file, 'utf8'))));
  } catch (cause) {
    throw new Error(`${file} is no package.json with a name and a version.`, { cause });
  }
}
