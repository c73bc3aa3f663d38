import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ensure, type Operation, resource, until } from 'effection';
import { type Esbuild, useEsbuild } from '../../workspace/bundler/esbuild-service.ts';
import { UsageError } from '../options.ts';
import { esbuildFolder } from '../package-info.ts';
import { fetchedEsbuild } from './fetched-esbuild.ts';

type BuildOptions = NonNullable<Parameters<Esbuild['build']>[0]>;

/** A plugin of esbuild. Types are taken from the esbuild that ships. */
export type BundlerPlugin = NonNullable<BuildOptions['plugins']>[number];
/** How esbuild reads a file, such as `ts` or `json`. */
export type Loader = NonNullable<BuildOptions['loader']>[string];
/** What esbuild says of a file, with its place. */
export type BuildMessage = Awaited<ReturnType<Esbuild['build']>>['errors'][number];

/**
 * esbuild as a resource: the native one where the folder's project (or ours) has it, since it starts in a tenth of the
 * time, else the WebAssembly build: beside Parley, in the project, or fetched.
 *
 * @throws `UsageError` where there is none
 */
export function useBundler(folder: string): Operation<Esbuild> {
  return resource(function* (provide) {
    const native = nativeEsbuild(folder);
    if (native) {
      yield* ensure(() => void native.stop());
      yield* provide(native);
    } else {
      const dir = esbuildFolder([folder]) ?? (yield* until(fetchedEsbuild()));
      if (dir === undefined) throw new UsageError(NO_ESBUILD);
      const service = yield* useEsbuild({ dir });
      yield* provide(service.api());
    }
  });
}

const NO_ESBUILD =
  'tools are built with esbuild, which could not be fetched: install it beside them with npm install --save-dev esbuild';

function nativeEsbuild(folder: string): Esbuild | undefined {
  for (const from of [join(folder, 'package.json'), import.meta.url]) {
    try {
      const found = createRequire(from)('esbuild') as Esbuild;
      // What the build below asks for came with this version.
      if (isAtLeast(found.version, 0, 25)) return found;
    } catch {
      // Not installed there, or not for this machine.
    }
  }
  return undefined;
}

function isAtLeast(version: string, major: number, minor: number): boolean {
  const [first = 0, second = 0] = version.split('.').map(Number);
  return first > major || (first === major && second >= minor);
}
