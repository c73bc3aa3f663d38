import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { type Operation, sleep, until } from 'effection';
import type { BuiltModule } from '../build/built-module.ts';
import { LENT_TO_HOST, lentObject, type ModuleObject } from '../build/lent-modules.ts';
import { refuseUnbuilt } from './exported-tools.ts';
import {
  type LoadedFile,
  moduleUrl,
  type RealmInput,
  type RealmOptions,
  type ToolRealm,
} from './tool-realm.ts';

/** What a realm in this process needs to know. */
export interface HostRealmOptions extends Omit<RealmOptions, 'stackMaps'> {
  /** Not needed where stacks are mapped elsewhere. */
  readonly stackMaps?: RealmOptions['stackMaps'];
  /** How long files are loaded in one go, in milliseconds, before others get their turn. */
  readonly slice?: number;
  /** Hears of each module that was run, after those that it needs. */
  readonly onRun?: (module: BuiltModule, exports: ModuleObject) => void;
}

/** A module that was run. */
interface Running {
  readonly version: string;
  readonly module: { exports: ModuleObject };
}

type Modules = Map<string, Running>;

/** One load. Its modules refer to it for what they import later, so it may not refer to the load before. */
interface Load {
  readonly modules: RealmInput['modules'];
  readonly running: Modules;
  previous: Modules;
}

/** What an unchanged module has loaded is not asked for again, and still is the one of its kind. */
function keepUntouched({ modules, previous, running }: Load): void {
  for (const [name, before] of previous) {
    if (!running.has(name) && modules.get(name)?.version === before.version) running.set(name, before);
  }
}

const HEAD = '(function (exports, require, module, __filename, __dirname, parleyUrl) {';

/**
 * The function that a module's code is. Not made with `compileFunction`, which debuggers that wait for source maps do not notice: they
 * would set breakpoints when the code has long run.
 */
function compile(code: string, filename: string): (...given: unknown[]) => void {
  const script = new Script(`${HEAD}${code}\n})`, { filename, columnOffset: -HEAD.length });
  return script.runInThisContext() as (...given: unknown[]) => void;
}

/** Runs tools in this process. What nothing uses any more is collected as garbage. */
export function createHostRealm({
  folder,
  outDir,
  stackMaps,
  slice = 20,
  onRun,
}: HostRealmOptions): ToolRealm {
  const lent = new Map<string, ModuleObject>();
  const outside = createRequire(join(folder, 'package.json'));
  let running: Modules = new Map();

  return {
    *load({ modules, entries, lent: wanted }) {
      for (const name of wanted) yield* lend(name);
      const load: Load = { modules, previous: running, running: new Map() };
      const loaded = new Map<string, LoadedFile>();
      let sliceEnd = performance.now() + slice;
      for (const [file, name] of entries) {
        loaded.set(file, attempt(load, name));
        if (performance.now() < sliceEnd) continue;
        yield* sleep(0);
        sliceEnd = performance.now() + slice;
      }
      keepUntouched(load);
      load.previous = new Map();
      running = load.running;
      return loaded;
    },
  };

  function* lend(name: string): Operation<void> {
    const load = LENT_TO_HOST[name];
    if (load && !lent.has(name)) lent.set(name, lentObject(yield* until(load())));
  }

  function attempt(load: Load, name: string): LoadedFile {
    const changed = load.previous.get(name)?.version !== load.modules.get(name)?.version;
    try {
      const exports = requireModule(load, name);
      refuseUnbuilt(exports);
      return { kind: 'loaded', exports, changed };
    } catch (error) {
      return { kind: 'threw', error };
    }
  }

  function requireModule(load: Load, name: string): ModuleObject {
    const built = load.modules.get(name);
    if (built === undefined) throw new Error(`the build has no module '${name}'`);
    const present = load.running.get(name);
    if (present) return present.module.exports;
    const before = load.previous.get(name);
    if (before?.version === built.version) {
      load.running.set(name, before);
      return before.module.exports;
    }
    const module = { exports: {} };
    load.running.set(name, { version: built.version, module });
    try {
      run(load, built, module);
    } catch (error) {
      load.running.delete(name);
      throw error;
    }
    return module.exports;
  }

  function run(load: Load, built: BuiltModule, module: { exports: ModuleObject }): void {
    const filename = moduleUrl(built);
    stackMaps?.add(filename, built.map, outDir);
    const source = built.source ?? join(outDir, built.name);
    const require = (id: string): unknown =>
      id.startsWith('./') && load.modules.has(id.slice(2))
        ? requireModule(load, id.slice(2))
        : (lent.get(id) ?? outside(id));
    compile(built.code, filename)(
      module.exports,
      require,
      module,
      source,
      dirname(source),
      pathToFileURL(source).href,
    );
    onRun?.(built, module.exports);
  }
}
