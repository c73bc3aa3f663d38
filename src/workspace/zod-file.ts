import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * The file with all of zod that view builds bundle from: a view often shares a module with its tool, schemas and all,
 * and the folder need not have zod installed.
 */
export function zodFile(): string {
  const built = join(import.meta.dirname, 'shared', 'zod.js');
  return existsSync(built) ? built : createRequire(import.meta.url).resolve('zod');
}
