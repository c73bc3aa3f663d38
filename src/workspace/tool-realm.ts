import type { Operation } from 'effection';
import type { BuiltModule } from './built-module.ts';

/** What a realm is given: code, and which modules are the tool files. */
export interface RealmInput {
  readonly modules: ReadonlyMap<string, BuiltModule>;
  /** Names of the modules to load, by tool file. */
  readonly entries: ReadonlyMap<string, string>;
  /** What modules of the build may `require` from Parley. */
  readonly lent: ReadonlySet<string>;
}

/** What came of loading a tool file. `changed` is false where it is the same module as the last time. */
export type LoadedFile =
  | {
      readonly kind: 'loaded';
      readonly exports: Readonly<Record<string, unknown>>;
      readonly changed: boolean;
    }
  | { readonly kind: 'threw'; readonly error: unknown };

/**
 * Where the code of tools runs. There is one kind, in the process that asks; a worker is another, whose exports are
 * stand-ins.
 */
export interface ToolRealm {
  /** Loads the entries. A module that has not changed since the last load is not run again. */
  load(input: RealmInput): Operation<ReadonlyMap<string, LoadedFile>>;
}
