import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ensure, type Operation, scoped, until } from 'effection';
import type { BuiltFile, FolderBuild } from './built-folder.ts';
import type { BuiltModule } from './built-module.ts';

/** The last build of a folder, kept for the next window: with it, tools are there before a bundler runs. */
export interface BuildCache {
  /** The build of these tool files, if it is still that of what is on disk. */
  read(files: readonly string[]): Operation<FolderBuild | undefined>;
  /** Keeps a build that began at `began` (epoch milliseconds), unless a file has changed since. */
  write(files: readonly string[], build: FolderBuild, began: number): Operation<void>;
}

/** Files that say how to build, next to those that are built. */
const CONFIGURATION = [
  'package.json',
  'tsconfig.json',
  '.parley/tsconfig.json',
  '.parley/tools/tsconfig.json',
];

/** What a build is as JSON. */
interface Kept {
  readonly madeBy: string;
  readonly tools: readonly string[];
  readonly inputs: ReadonlyArray<readonly [path: string, print: string]>;
  readonly files: ReadonlyArray<
    readonly [
      string,
      Omit<BuiltFile, 'sources' | 'packages'> & { sources: readonly string[]; packages: readonly string[] },
    ]
  >;
  readonly modules: ReadonlyArray<readonly [string, BuiltModule]>;
  readonly lent: readonly string[];
  readonly views: FolderBuild['views'] | null;
}

/** The cache of `folder` in `file`. It is an aid: what goes wrong with it is as if it were not there. */
export function createBuildCache(file: string, folder: string): BuildCache {
  return {
    *read(tools) {
      try {
        const kept = JSON.parse(yield* until(readFile(file, 'utf8'))) as Kept;
        if (kept.madeBy !== (yield* maker()) || !sameList(kept.tools, tools)) return undefined;
        const paths = kept.inputs.map(([path]) => path);
        const prints = yield* fingerprints(paths);
        if (kept.inputs.some(([, print], index) => print !== prints[index]?.print)) return undefined;
        return revive(kept, paths);
      } catch {
        return undefined;
      }
    },
    *write(tools, build, began) {
      const paths = [...build.inputs, ...CONFIGURATION.map((name) => join(folder, name))];
      const prints = yield* fingerprints(paths);
      if (prints.some(({ changed }) => changed >= began)) return;
      const kept: Kept = {
        madeBy: yield* maker(),
        tools,
        inputs: paths.map((path, index) => [path, prints[index]?.print ?? ''] as const),
        files: Array.from(
          build.files,
          ([path, built]) =>
            [path, { ...built, sources: [...built.sources], packages: [...built.packages] }] as const,
        ),
        modules: [...build.modules],
        lent: [...build.lent],
        views: build.views ?? null,
      };
      yield* replace(file, JSON.stringify(kept));
    },
  };
}

function revive(kept: Kept, inputs: readonly string[]): FolderBuild {
  return {
    files: new Map(
      kept.files.map(([path, { sources, packages, ...built }]) => [
        path,
        { ...built, sources: new Set(sources), packages: new Set(packages) },
      ]),
    ),
    modules: new Map(kept.modules),
    lent: new Set(kept.lent),
    views: kept.views ?? undefined,
    problems: [],
    inputs: new Set(inputs),
  };
}

/** All of it or nothing: two windows may write at once. It is code that will be run: nobody else's to read or write. */
function* replace(file: string, text: string): Operation<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    yield* scoped(function* () {
      yield* until(mkdir(dirname(file), { recursive: true }));
      yield* ensure(() => until(rm(draft, { force: true })));
      yield* until(writeFile(draft, text, { mode: 0o600 }));
      yield* until(rename(draft, file));
    });
  } catch {
    // A disk that is full, a folder that is read-only: then the next window builds.
  }
}

/** Another Parley, or another Node, would build something else. */
function* maker(): Operation<string> {
  const [own] = yield* fingerprints([import.meta.filename]);
  return `${own?.print} ${process.versions.node}`;
}

interface Fingerprint {
  /** A hash of the contents: a file may be replaced by another of the same size and time. */
  readonly print: string;
  /** When it last changed, in epoch milliseconds. */
  readonly changed: number;
}

function fingerprints(paths: readonly string[]): Operation<Fingerprint[]> {
  return until(Promise.all(paths.map(fingerprint)));
}

async function fingerprint(path: string): Promise<Fingerprint> {
  try {
    const [{ mtimeMs, ctimeMs }, contents] = await Promise.all([stat(path), readFile(path)]);
    const print = createHash('sha256').update(contents).digest('base64');
    return { print, changed: Math.max(mtimeMs, ctimeMs) };
  } catch {
    return { print: '', changed: 0 };
  }
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
