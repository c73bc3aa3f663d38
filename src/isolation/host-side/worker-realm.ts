import type { AnyPlugin } from '../../core/plugin/plugin.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import {
  type LoadedFile,
  moduleUrl,
  type RealmInput,
  type RealmOptions,
  type ToolRealm,
} from '../../workspace/load/tool-realm.ts';
import { loadOrder } from '../wire/load-order.ts';
import { type DescribedFile, describeFiles } from './describe-files.ts';
import { createStandIn } from './stand-in.ts';
import { type RealmMaker, ToolHome } from './tool-home.ts';

/** A file as it was loaded last. */
interface Known {
  readonly version: string | undefined;
  readonly home: ToolHome;
  readonly loaded: LoadedFile;
  /** By origin. */
  readonly standIns: ReadonlyMap<string, AnyTool | AnyPlugin>;
}

/** A realm of workers. */
export interface WorkerRealm extends ToolRealm {
  /** Takes no more calls for what it has loaded; its workers end with the last of those they have. */
  retire(): void;
}

/**
 * Runs tools in workers, one for each tool file that is in use, so that nothing one of them does can reach another. What
 * files hold is found out in a worker that ends with that.
 */
export function createWorkerRealm(maker: RealmMaker, options: RealmOptions): WorkerRealm {
  let known: ReadonlyMap<string, Known> = new Map();

  return {
    *load(input) {
      remember(input, options);
      const versionOf = (file: string) => input.modules.get(input.entries.get(file) ?? '')?.version;
      const files = [...input.entries.keys()];
      const changed = files.filter((file) => known.get(file)?.version !== versionOf(file));
      const described = yield* describeFiles(maker, loadOrder(input, options, changed));

      const next = new Map<string, Known>();
      const loaded = new Map<string, LoadedFile>();
      for (const file of files) {
        const now = described.get(file);
        const taken = now ? take(file, versionOf(file), now, input, next) : known.get(file);
        if (!taken) continue;
        next.set(file, taken);
        loaded.set(file, now ? taken.loaded : unchanged(taken.loaded));
      }
      retireAllBut(next);
      known = next;
      return loaded;
    },
    retire: () => retireAllBut(new Map()),
  };

  function take(
    file: string,
    version: string | undefined,
    what: DescribedFile,
    input: RealmInput,
    others: ReadonlyMap<string, Known>,
  ): Known {
    const home = new ToolHome(maker, file, loadOrder(input, options, [file]));
    if (what.kind === 'threw') return { version, home, loaded: what, standIns: new Map() };
    const standIns = new Map(
      what.tools.map((data, index) => [
        data.origin,
        standInOf(data.origin, others) ?? createStandIn(data, { home, index }),
      ]),
    );
    const exports = Object.fromEntries([...standIns.values()].map((tool, n) => [`tool${n}`, tool]));
    return { version, home, loaded: { kind: 'loaded', exports, changed: true }, standIns };
  }

  function retireAllBut(next: ReadonlyMap<string, Known>): void {
    for (const [file, { home }] of known) if (next.get(file)?.home !== home) home.retire();
  }
}

/** A tool that another file exports again is one tool. */
function standInOf(origin: string, others: ReadonlyMap<string, Known>): AnyTool | AnyPlugin | undefined {
  for (const { standIns } of others.values()) {
    const found = standIns.get(origin);
    if (found) return found;
  }
  return undefined;
}

/** Stacks of workers are mapped here. */
function remember({ modules }: RealmInput, { stackMaps, outDir }: RealmOptions): void {
  for (const module of modules.values()) stackMaps.add(moduleUrl(module), module.map, outDir);
}

function unchanged(loaded: LoadedFile): LoadedFile {
  return loaded.kind === 'loaded' ? { ...loaded, changed: false } : loaded;
}
