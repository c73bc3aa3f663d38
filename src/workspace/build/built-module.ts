import { createHash } from 'node:crypto';

/** One output of a host build: CommonJS that any realm can run. */
export interface BuiltModule {
  /** Its name within the build, as in `require('./name')`. */
  readonly name: string;
  readonly code: string;
  /** The source map as JSON; its sources are relative to the build's output folder. */
  readonly map: string;
  /** Changes when the module or anything that it loads from the same build does. */
  readonly version: string;
  /** The author's file whose `import.meta` and `__filename` it has. */
  readonly source: string | undefined;
}

/** An output before it is made CommonJS. */
export interface EsModule {
  readonly name: string;
  readonly text: string;
  /** Outputs of the same build that it imports when it is loaded. */
  readonly imports: readonly string[];
  /** What it imports from outside the build when it is loaded, once for each statement. */
  readonly externals: readonly string[];
  /** Whether it imports something later, while it runs. */
  readonly isLoading: boolean;
  /** The names that it exports, sorted. */
  readonly exports: readonly string[];
  readonly source: string | undefined;
}

/** The versions of all outputs, by name. */
export function versionsOf(modules: ReadonlyMap<string, EsModule>): ReadonlyMap<string, string> {
  const versions = new Map<string, string>();
  const versionOf = (name: string): string => {
    const known = versions.get(name);
    if (known !== undefined) return known;
    const module = modules.get(name);
    if (module === undefined) return '';
    // What stands for a module within a cycle: names carry a hash of the contents.
    versions.set(name, name);
    const hash = createHash('sha256').update(name).update('\0').update(module.text);
    for (const imported of module.imports) hash.update('\0').update(versionOf(imported));
    const version = hash.digest('hex').slice(0, 16);
    versions.set(name, version);
    return version;
  };
  for (const name of modules.keys()) versionOf(name);
  return versions;
}
