import { join } from 'node:path';

/** The repository's top folder, absolute. */
export const root = join(import.meta.dirname, '..');

/** Where everything that ships is built. */
export const dist = join(root, 'dist');
