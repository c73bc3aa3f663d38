import { stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { type Operation, until } from 'effection';
import { findToolFiles, TOOLS_FOLDER } from '../../workspace/files/find-tool-files.ts';
import { notFollowed } from '../../workspace/load/load-problems.ts';
import type { Problem } from '../../workspace/registry/problem.ts';
import { problemOf } from './load-modules.ts';

const TEST_FILE = /\.(test|spec)\.[cm]?[jt]sx?$/;

/** The modules of a command line. */
export interface Expanded {
  /** Relative to the same folder as what was given. */
  readonly paths: readonly string[];
  /** Absolute paths of those that nobody named: found in a folder, where helpers lie beside tools. */
  readonly found: ReadonlySet<string>;
  readonly problems: readonly Problem[];
}

/** Puts the tool files of a workspace folder, those in `.parley/tools`, in the place of each folder. */
export function* expandFolders(paths: readonly string[], cwd: string): Operation<Expanded> {
  const expanded: string[] = [];
  const found = new Set<string>();
  const problems: Problem[] = [];
  for (const path of paths) {
    const absolute = resolve(cwd, path);
    const isFolder = stat(absolute).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    if (!(yield* until(isFolder))) {
      // A glob catches them as well.
      if (TEST_FILE.test(path))
        problems.push({ ...problemOf(absolute, 'a test is not a tool: it is ignored'), severity: 'warning' });
      else expanded.push(path);
      continue;
    }
    const { files, links } = yield* findToolFiles(absolute);
    problems.push(...links.map(notFollowed));
    if (files.length === 0) {
      const named = `name files that are elsewhere, such as ${join(path, '*.ts')}`;
      problems.push(problemOf(absolute, `there are no tools in ${TOOLS_FOLDER} here; ${named}`));
    }
    for (const file of files) {
      found.add(file);
      expanded.push(relative(cwd, file));
    }
  }
  return { paths: expanded, found, problems };
}
