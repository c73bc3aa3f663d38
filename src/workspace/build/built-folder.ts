import type { Problem } from '../registry/problem.ts';
import type { BuiltModule } from './built-module.ts';

/** A tool file as the build knows it. */
export interface BuiltFile {
  /** The module to load. */
  readonly module: string;
  /** The author's files that it is made of; packages left out. */
  readonly sources: ReadonlySet<string>;
  /** The files of packages that it is made of. */
  readonly packages: ReadonlySet<string>;
  /** Whether it can hold a tool: it reaches `parley-mcp`, or a file that cannot be built. */
  readonly relevant: boolean;
}

/** The views of a build, as they go to disk. */
export interface BuiltViews {
  readonly hash: string;
  readonly script: string;
  readonly style: string | undefined;
  readonly map: string;
}

/** What a build of a folder's tool files gives: everything that could be built, and the problems of the rest. */
export interface FolderBuild {
  readonly files: ReadonlyMap<string, BuiltFile>;
  readonly modules: ReadonlyMap<string, BuiltModule>;
  /** What the modules need from Parley. */
  readonly lent: ReadonlySet<string>;
  readonly views: BuiltViews | undefined;
  readonly problems: readonly Problem[];
  /** Every file that was read, packages included. */
  readonly inputs: ReadonlySet<string>;
}

/** Nothing could be built, and the errors cannot be put down to single files. */
export interface FailedBuild {
  readonly files: undefined;
  readonly problems: readonly Problem[];
}
