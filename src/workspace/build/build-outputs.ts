import { relative, resolve } from 'node:path';
import type { BuildResult, Metafile } from 'esbuild';
import type { BrokenFiles } from '../bundler/broken-files.ts';
import { reachable } from '../bundler/import-graph.ts';
import { pathBelow } from '../files/path-below.ts';
import type { BuiltFile, BuiltViews } from './built-folder.ts';
import type { EsModule } from './built-module.ts';
import { HOST_ENTRY, OUTPUT_FOLDER } from './host-build.ts';
import { buildHash, stamp } from './views/view-stamp.ts';

/** A build in memory. */
export type MemoryBuild = BuildResult<{ metafile: true; write: false }>;

/** The outputs of a host build of `dir`, by name, with the hash of the views that they refer to. */
export function modulesOf(
  { outputFiles, metafile }: MemoryBuild,
  dir: string,
  hash: string,
): ReadonlyMap<string, EsModule> {
  const modules = new Map<string, EsModule>();
  for (const { path, text } of outputFiles) {
    const output = metafile.outputs[pathBelow(dir, path)];
    if (output === undefined || output.entryPoint === `parley:${HOST_ENTRY}`) continue;
    const [first] = Object.keys(output.inputs);
    const source = output.entryPoint ?? first;
    const name = relative(resolve(dir, OUTPUT_FOLDER), path);
    modules.set(name, {
      name,
      text: stamp(text, hash),
      imports: output.imports
        .filter((imported) => !imported.external && imported.kind !== 'dynamic-import')
        .map((imported) => relative(OUTPUT_FOLDER, imported.path)),
      externals: output.imports
        .filter(({ external, kind }) => external && kind === 'import-statement')
        .map((imported) => imported.path),
      isLoading: output.imports.some(({ kind }) => kind !== 'import-statement'),
      exports: output.exports,
      source: source === undefined ? undefined : resolve(dir, source),
    });
  }
  return modules;
}

/** The tool files of a host build. */
export function filesOf(
  { outputs }: Metafile,
  dir: string,
  { wanted, broken }: { wanted: ReadonlySet<string>; broken: BrokenFiles },
): ReadonlyMap<string, BuiltFile> {
  const files = new Map<string, BuiltFile>();
  for (const [path, { entryPoint }] of Object.entries(outputs)) {
    const file = entryPoint === undefined ? undefined : resolve(dir, entryPoint);
    if (file === undefined || !wanted.has(file)) continue;
    const parts = reachable(path, (part) => outputs[part]?.imports.map((imported) => imported.path) ?? []);
    const inputs = [...parts].flatMap((part) => Object.keys(outputs[part]?.inputs ?? {}));
    const sources = inputs.map((input) => resolve(dir, input));
    files.set(file, {
      module: relative(OUTPUT_FOLDER, path),
      sources: new Set(sources.filter((source) => !isOfPackage(source))),
      packages: new Set(sources.filter(isOfPackage)),
      relevant: parts.has('parley-mcp') || sources.some((source) => broken.has(source)),
    });
  }
  return files;
}

function isOfPackage(path: string): boolean {
  return /[\\/]node_modules[\\/]/.test(path);
}

/** What a host build leaves to Parley to lend. */
export function lentTo({ outputs }: Metafile): ReadonlySet<string> {
  const imports = Object.values(outputs).flatMap((output) => output.imports);
  return new Set(imports.filter((imported) => imported.external).map(({ path }) => path));
}

/** The bundle of a view build, stamped with the hash that it gives the views. */
export function viewsOf({ outputFiles }: MemoryBuild): BuiltViews {
  const text = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text;
  const script = text('.js') ?? '';
  const style = text('.css');
  const hash = buildHash([
    { path: 'views.js', text: script },
    { path: 'views.css', text: style ?? '' },
  ]);
  return { hash, script: stamp(script, hash), style, map: text('.js.map') ?? '' };
}
