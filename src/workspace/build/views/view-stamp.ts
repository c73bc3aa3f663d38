import { createHash } from 'node:crypto';

/**
 * Stands for the build hash until the bundles are made. As long as a hash, so that replacing it moves no column of a
 * source map.
 */
export const BUILD_PLACEHOLDER = '__PARLEY_BUILD__';

/** A file that a build made. */
export interface OutputText {
  readonly path: string;
  readonly text: string;
}

/** The hash of a build: 16 hexadecimal digits over the names and texts of what the page loads. */
export function buildHash(webview: readonly OutputText[]): string {
  const hash = createHash('sha256');
  for (const file of [...webview].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    hash.update(file.path).update('\0').update(file.text).update('\0');
  }
  return hash.digest('hex').slice(0, BUILD_PLACEHOLDER.length);
}

/** Puts the hash into a bundle. Host and webview bundle of one build get the same. */
export function stamp(text: string, hash: string): string {
  return text.replaceAll(BUILD_PLACEHOLDER, hash);
}
