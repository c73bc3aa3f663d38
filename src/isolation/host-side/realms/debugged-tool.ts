import type { AnyPlugin } from '../../../core/plugin/plugin.ts';
import type { AnyTool } from '../../../core/tool/tool.ts';
import { exportedTools } from '../../../workspace/load/exported-tools.ts';
import {
  type LoadedFile,
  moduleUrl,
  type RealmInput,
  type RealmOptions,
} from '../../../workspace/load/tool-realm.ts';
import type { RealmLink } from '../../transport/link.ts';
import { loadOrder } from '../../wire/load-order.ts';
import { describeTool } from '../../wire/tool-data.ts';
import { withInlineMap } from '../inline-maps.ts';
import { createStandIn } from '../stand-in.ts';
import { ToolHome } from '../tool-home.ts';
import type { WatchLimits } from '../watch.ts';

/** What a folder has loaded last. */
export interface FolderSnapshot {
  readonly input: RealmInput;
  readonly options: RealmOptions;
  readonly loaded: ReadonlyMap<string, LoadedFile>;
}

/** Where in a folder a tool comes from. */
export interface ToolOrigin {
  readonly snapshot: FolderSnapshot;
  /** The file that exports it. */
  readonly file: string;
  /** Its position among what the file exports. */
  readonly index: number;
}

/** Finds what exports this very tool or plugin. Nothing when its file has changed since and no longer loads. */
export function originOf(
  offer: AnyTool | AnyPlugin,
  snapshots: Iterable<FolderSnapshot>,
): ToolOrigin | undefined {
  for (const snapshot of snapshots) {
    for (const [file, loaded] of snapshot.loaded) {
      if (loaded.kind !== 'loaded') continue;
      const index = exportedTools(loaded.exports).indexOf(offer);
      if (index >= 0) return { snapshot, file, index };
    }
  }
  return undefined;
}

/** The longest that a timer can be set to. */
const NEVER = 2 ** 31 - 1;

/** Nothing is stuck that a person looks at. A call that was stopped at a breakpoint has no turn to clean up in. */
const PATIENT: WatchLimits = {
  interval: NEVER,
  silence: () => Number.POSITIVE_INFINITY,
  loading: NEVER,
  grace: 1_000,
  idle: NEVER,
};

/** What debugging a tool needs of the editor. */
export interface DebuggedToolOptions {
  /** Starts the process that it runs in. */
  launch(): RealmLink;
  diagnose(message: string, cause?: unknown): void;
}

/**
 * A stand-in for a tool that runs in a process of its own, under a debugger: the same tool, with source maps, and without a limit of
 * time. The process is started with the first parameters.
 */
export function createDebuggedTool(
  offer: AnyTool | AnyPlugin,
  { snapshot, file, index }: ToolOrigin,
  { launch, diagnose }: DebuggedToolOptions,
): { readonly tool: AnyTool | AnyPlugin; retire(): void } {
  const { input, options } = snapshot;
  for (const module of input.modules.values()) {
    options.stackMaps.add(moduleUrl(module), module.map, options.outDir);
  }
  const order = loadOrder(input, options, [file]);
  const modules = order.modules.map((module) => {
    const built = input.modules.get(module.name);
    return built ? { ...module, code: withInlineMap(built, options.outDir).code } : module;
  });
  const home = new ToolHome({ launch, limits: PATIENT, diagnose }, file, { ...order, modules });
  const { limits, ...data } = describeTool(offer, `${file}#${index}`);
  const { timeout: _, ...others } = limits;
  return {
    tool: createStandIn({ ...data, limits: others }, { home, index }),
    retire: () => home.retire(),
  };
}
