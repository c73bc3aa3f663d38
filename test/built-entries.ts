import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where tests put what they build, for as long as the run lasts. */
    builtEntries: string;
  }
}

let folder: string | undefined;

/** Makes a place for what the tests of a run build: who ends their processes does not let them remove it at their exit. */
export async function setup(project: TestProject): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'parley-built-'));
  project.provide('builtEntries', folder);
}

/** Removes it. */
export async function teardown(): Promise<void> {
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
}
