import { relative, resolve } from 'node:path';
import type { Metafile } from 'esbuild';
import { inputsOf, reachable } from '../../bundler/import-graph.ts';
import { pathBelow } from '../../files/path-below.ts';
import { OUTPUT_FOLDER } from '../host-build.ts';

/** What a tool file is made of. */
export interface MadeOf {
  /** All files that it reaches, also those of packages, and those of which nothing is in the build. */
  readonly inputs: ReadonlySet<string>;
  /** Names of its modules in the build. */
  readonly modules: ReadonlySet<string>;
}

/** What each of these tool files of a host build of `dir` is made of. */
export function madeOf(
  metafile: Metafile,
  dir: string,
  files: readonly string[],
): ReadonlyMap<string, MadeOf> {
  const { outputs } = metafile;
  const paths = new Map(
    Object.entries(outputs).flatMap(([path, { entryPoint }]) =>
      entryPoint === undefined ? [] : [[resolve(dir, entryPoint), path] as const],
    ),
  );
  return new Map(
    files.map((file) => {
      const path = paths.get(file);
      const next = (part: string) => outputs[part]?.imports.map((imported) => imported.path) ?? [];
      const parts = path === undefined ? [] : [...reachable(path, next)];
      const inputs = [...inputsOf(metafile, pathBelow(dir, file))].filter(
        (input) => input in metafile.inputs,
      );
      return [
        file,
        {
          inputs: new Set(inputs.map((input) => resolve(dir, input))),
          modules: new Set(
            parts.filter((part) => part in outputs).map((part) => relative(OUTPUT_FOLDER, part)),
          ),
        },
      ];
    }),
  );
}

/** These files, and all that share a file with one of them, and so on: what is built of them is nobody else's. */
export function sharing(
  made: ReadonlyMap<string, MadeOf>,
  changed: ReadonlySet<string>,
): ReadonlySet<string> {
  const reached = new Set(changed);
  const found = new Set<string>();
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const [file, { inputs }] of made) {
      if (found.has(file) || ![...inputs].some((input) => reached.has(input))) continue;
      found.add(file);
      for (const input of inputs) reached.add(input);
    }
  }
  return found;
}
