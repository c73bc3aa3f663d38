import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Under what name a view bundle looks for zod: a file in its own folder. */
export const ZOD_BESIDE = 'zod.js';

/**
 * All of zod in one file, as the build makes it. A view often shares a module with its tool, schemas and all, and the
 * folder need not have zod installed. Bundling half a megabyte with each save would take longer than all the rest, so
 * the file is put beside the view bundles.
 */
export function builtZod(): string | undefined {
  const built = join(import.meta.dirname, 'shared', 'zod.js');
  return existsSync(built) ? built : undefined;
}

/** zod where nothing was built: to be bundled. */
export function installedZod(): string {
  return createRequire(import.meta.url).resolve('zod');
}
