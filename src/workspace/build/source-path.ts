import { resolve } from 'node:path';

/** The file of a source in a source map. Sources are addresses: what would mean something in those is encoded. */
export function sourcePath(dir: string, source: string): string {
  return resolve(dir, decoded(source));
}

function decoded(source: string): string {
  try {
    return decodeURIComponent(source);
  } catch {
    // Some other tool wrote it as it is.
    return source;
  }
}
