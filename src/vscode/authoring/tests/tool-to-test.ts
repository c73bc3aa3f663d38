import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Operation, until } from 'effection';
import { pathBelow } from '../../../workspace/files/path-below.ts';
import type { RegisteredTool } from '../../../workspace/registry/registered-tool.ts';
import { exportedAs } from './saved-test.ts';

/** A tool that a test can import. */
export interface ToolToTest {
  /** The `.parley` that it is in. */
  readonly home: string;
  /** What its file exports it as, and where that is, seen from `tests`. */
  readonly exported: { readonly name: string; readonly from: string };
}

/** Where a tool is, for a test; nothing where it is not in a `.parley`, or not exported. */
export function* toolToTest({ name, place }: RegisteredTool): Operation<ToolToTest | undefined> {
  const home = place && homeOf(place.file);
  if (!home) return undefined;
  const exported = exportedAs(yield* until(readFile(place.file, 'utf8')), name);
  const from = pathBelow(join(home, 'tests'), place.file);
  return exported === undefined ? undefined : { home, exported: { name: exported, from } };
}

/** The `.parley` that a file is in. */
export function homeOf(file: string): string | undefined {
  for (let dir = dirname(file); dir !== dirname(dir); dir = dirname(dir)) {
    if (basename(dir) === '.parley') return dir;
  }
  return undefined;
}
