import { toolOf } from '../../../core/plugin/offer.ts';
import type { AnyPlugin } from '../../../core/plugin/plugin.ts';
import type { AnyTool } from '../../../core/tool/tool.ts';
import {
  type LoadedFile,
  moduleUrl,
  type RealmInput,
  type RealmOptions,
  type ToolRealm,
} from '../../../workspace/load/tool-realm.ts';
import { loadOrder } from '../../wire/load-order.ts';
import { type DescribedFile, describeFiles } from '../describe-files.ts';
import { createStandIn } from '../stand-in.ts';
import { type RealmMaker, ToolHome } from '../tool-home.ts';

/** A file as it was loaded last. */
interface Known {
  readonly version: string | undefined;
  readonly home: ToolHome;
  readonly loaded: LoadedFile;
  /** By origin. */
  readonly standIns: StandIns;
}

/** A realm of workers. */
export interface WorkerRealm extends ToolRealm {
  /** Takes no more calls for what it has loaded; its workers end with the last of those they have. */
  retire(): void;
}

/**
 * Runs tools in workers, one for each tool file that is in use, so that nothing one of them does can reach another. What
 * files hold is found out in a worker that ends with that; one that has loaded a single file runs its tools, too.
 */
export function createWorkerRealm(maker: RealmMaker, options: RealmOptions): WorkerRealm {
  let known: ReadonlyMap<string, Known> = new Map();

  return {
    prepare: () => maker.prepare?.(),
    *load(input) {
      remember(input, options);
      const versionOf = (file: string) => input.modules.get(input.entries.get(file) ?? '')?.version;
      const files = [...input.entries.keys()];
      const changed = files.filter((file) => known.get(file)?.version !== versionOf(file));
      const { files: described, realm } = yield* describeFiles(maker, loadOrder(input, options, changed));

      const next = new Map<string, Known>();
      for (const file of files) {
        const before = known.get(file);
        if (before && !described.has(file)) next.set(file, { ...before, loaded: unchanged(before.loaded) });
      }
      const homes = new Map(
        changed.map((file) => [file, new ToolHome(maker, file, loadOrder(input, options, [file]), realm)]),
      );
      const standIns = makeStandIns(described, homes, next);
      for (const [file, what] of described) {
        const home = homes.get(file);
        if (home) next.set(file, { version: versionOf(file), home, ...take(what, standIns) });
      }
      retireAllBut(next);
      known = next;
      return new Map(files.flatMap((file) => loadedOf(file, next)));
    },
    retire: () => retireAllBut(new Map()),
  };

  function retireAllBut(next: ReadonlyMap<string, Known>): void {
    for (const [file, { home }] of known) if (next.get(file)?.home !== home) home.retire();
  }
}

type StandIns = ReadonlyMap<string, AnyTool | AnyPlugin>;

/**
 * Stand-ins by origin: a tool that another file exports again is one tool, and one that has a plugin is the plugin's. So plugins
 * come first.
 */
function makeStandIns(
  described: ReadonlyMap<string, DescribedFile>,
  homes: ReadonlyMap<string, ToolHome>,
  unchanged: ReadonlyMap<string, Known>,
): StandIns {
  const standIns = new Map([...unchanged.values()].flatMap((known) => [...known.standIns]));
  for (const kind of ['plugin', 'tool'] as const) {
    for (const [file, what] of described) {
      const home = homes.get(file);
      if (what.kind === 'threw' || !home) continue;
      for (const [index, data] of what.tools.entries()) {
        if (data.kind !== kind || standIns.has(data.origin)) continue;
        const standIn = createStandIn(data, { home, index });
        standIns.set(data.origin, standIn);
        if (data.tool !== undefined) standIns.set(data.tool, toolOf(standIn));
      }
    }
  }
  return standIns;
}

/** What a file exports: its own stand-ins, and those of other files that it exports again. */
function take(what: DescribedFile, all: StandIns): Pick<Known, 'loaded' | 'standIns'> {
  if (what.kind === 'threw') return { loaded: what, standIns: new Map() };
  const standIns = new Map(
    what.tools.flatMap(({ origin }) => {
      const standIn = all.get(origin);
      return standIn ? [[origin, standIn] as const] : [];
    }),
  );
  const tools = [...standIns.values()].map((tool, n) => [`tool${n}`, tool]);
  const exports = { ...what.unended, ...Object.fromEntries(tools) };
  return { loaded: { kind: 'loaded', exports, changed: true, others: what.others }, standIns };
}

function loadedOf(
  file: string,
  known: ReadonlyMap<string, Known>,
): readonly (readonly [string, LoadedFile])[] {
  const { loaded } = known.get(file) ?? {};
  return loaded ? [[file, loaded]] : [];
}

/** Stacks of workers are mapped here. */
function remember({ modules }: RealmInput, { stackMaps, outDir }: RealmOptions): void {
  for (const module of modules.values()) stackMaps.add(moduleUrl(module), module.map, outDir);
}

function unchanged(loaded: LoadedFile): LoadedFile {
  return loaded.kind === 'loaded' ? { ...loaded, changed: false } : loaded;
}
