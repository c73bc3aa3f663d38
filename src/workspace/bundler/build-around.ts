import { resolve } from 'node:path';
import type { Operation } from 'effection';
import type { BuildResult, Message } from 'esbuild';
import type { BrokenFiles } from './broken-files.ts';
import type { IncrementalBuild } from './incremental-build.ts';

/** A build of all that can be built, and the errors of what cannot. */
export interface BuiltAround {
  /** Absent when errors could not be put down to files. */
  readonly result: BuildResult<{ metafile: true; write: false }> | undefined;
  readonly errors: readonly Message[];
}

/**
 * Builds, and where that fails builds again without the files that have errors, until it succeeds. Adds those files to
 * `broken`; the build must leave them out (see `withoutBrokenFiles`). `dir` is what paths in messages are relative to.
 */
export function* buildAround(
  build: IncrementalBuild,
  broken: BrokenFiles,
  dir: string,
): Operation<BuiltAround> {
  const errors: Message[] = [];
  for (;;) {
    const attempt = yield* build.run();
    if ('result' in attempt) return { result: attempt.result, errors };
    errors.push(...attempt.errors);
    const known = broken.size;
    for (const error of attempt.errors) {
      const file = fileOfMessage(error, dir);
      if (file !== undefined) broken.add(file);
    }
    if (broken.size === known) return { result: undefined, errors };
  }
}

/** The file that a message of esbuild is about: not one that a plugin made up. */
export function fileOfMessage({ location }: Message, dir: string): string | undefined {
  if (!location || (location.namespace !== '' && location.namespace !== 'file')) return undefined;
  return resolve(dir, location.file);
}
