import { fileURLToPath } from 'node:url';

/** The project's folder. @throws for one whose tests cannot be loaded: said here, for Vite names no reason and no file */
export const root = checked(fileURLToPath(new URL('..', import.meta.url)));

function checked(path: string): string {
  const [odd] = /[#?]/.exec(path) ?? [];
  if (odd === undefined) return path;
  throw new Error(
    `the tests of Parley cannot be loaded from ${path}: Vite takes what follows a ${odd} for no part of a path. Clone into a folder without one.`,
  );
}
