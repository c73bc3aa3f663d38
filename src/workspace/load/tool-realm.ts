import type { Operation } from 'effection';
import type { BuiltModule } from '../build/built-module.ts';
import type { StackMaps } from './stack-maps.ts';

/** What a realm is given: code, and which modules are the tool files. */
export interface RealmInput {
  readonly modules: ReadonlyMap<string, BuiltModule>;
  /** Names of the modules to load, by tool file. */
  readonly entries: ReadonlyMap<string, string>;
  /** What modules of the build may `require` from Parley. */
  readonly lent: ReadonlySet<string>;
  /**
   * Tool files that the person has run or edited in this window: no other runs in the thread that loads it, whatever it
   * or a setting says. All of them when absent.
   */
  readonly vouched?: ReadonlySet<string>;
}

/** What a realm needs to know of its folder. */
export interface RealmOptions {
  /** The workspace folder: packages that could not be bundled are looked up from here. */
  readonly folder: string;
  /** What the source maps of modules are relative to. */
  readonly outDir: string;
  /** Learns where places in built code come from. */
  readonly stackMaps: StackMaps;
}

/**
 * What came of loading a tool file. `changed` is false where it is the same module as the last time; `displaced` is true where it
 * would run in the thread that loads it, had the person allowed it.
 */
export type LoadedFile =
  | {
      readonly kind: 'loaded';
      readonly exports: Readonly<Record<string, unknown>>;
      readonly changed: boolean;
      /** Whether it exports prompts, resources or registries, which a worker does not hand out. */
      readonly others?: boolean;
      readonly displaced?: boolean;
    }
  | { readonly kind: 'threw'; readonly error: unknown };

/**
 * Where the code of tools runs: in the process that asks (`host-realm.ts`), or in a worker (`isolation/host-side/worker-realm.ts`), whose
 * exports are stand-ins.
 */
export interface ToolRealm {
  /** Something will be loaded once it is built: what takes time to start may start meanwhile. */
  prepare?(): void;
  /** Loads the entries. A module that has not changed since the last load is not run again. */
  load(input: RealmInput): Operation<ReadonlyMap<string, LoadedFile>>;
}

/** Makes the realm of a folder. */
export type UseRealm = (options: RealmOptions) => Operation<ToolRealm>;

/** The URL under which a module runs, in stacks and debuggers. */
export function moduleUrl({ name, version }: BuiltModule): string {
  return `parley-tool:///${version}/${name}`;
}
