import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ensure, type Operation, resource } from 'effection';
import { type Esbuild, useEsbuild } from '../../workspace/bundler/esbuild-service.ts';
import { esbuildFolder } from '../package-info.ts';

type BuildOptions = NonNullable<Parameters<Esbuild['build']>[0]>;

/** A plugin of esbuild. Types are taken from the esbuild that ships. */
export type BundlerPlugin = NonNullable<BuildOptions['plugins']>[number];
/** How esbuild reads a file, such as `ts` or `json`. */
export type Loader = NonNullable<BuildOptions['loader']>[string];
/** What esbuild says of a file, with its place. */
export type BuildMessage = Awaited<ReturnType<Esbuild['build']>>['errors'][number];

/**
 * esbuild as a resource: the native one where the folder's project (or ours) has it, since it starts in a tenth of the
 * time, else the WebAssembly build that ships with Parley.
 */
export function useBundler(folder: string): Operation<Esbuild> {
  return resource(function* (provide) {
    const native = nativeEsbuild(folder);
    if (native) {
      yield* ensure(() => void native.stop());
      yield* provide(native);
    } else {
      const service = yield* useEsbuild({ dir: esbuildFolder() });
      yield* provide(service.api());
    }
  });
}

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
