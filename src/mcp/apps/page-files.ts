import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppParts } from '../../panel/app-html.ts';

/** Where the build puts the page: beside the library, beside a program of ours, or in a checkout. */
const PLACES = [['..', 'webview'], ['webview'], ['..', '..', '..', 'dist', 'webview']] as const;

/** What a page is made of. */
export const PAGE_FILES = ['mcp-app-boot.js', 'mcp-app.js', 'mcp-app.css'] as const;

/**
 * The folder with the page of a call, for code that lies in `from`.
 * @throws where the page did not come along: who serves none, as a program of one file does, says so
 */
export function pageFolder(from: string = import.meta.dirname): string {
  const places = PLACES.map((place) => join(from, ...place));
  const folder = places.find((place) => PAGE_FILES.every((name) => existsSync(join(place, name))));
  if (folder !== undefined) return folder;
  throw new Error(
    `The pages of questions are missing: there is no ${PAGE_FILES.join(', ')} in ${places[0]}. Install parley-mcp again, or create the server with apps: false, such as in a bundled program.`,
  );
}

/** The page's code and looks. */
export async function readPage(folder: string): Promise<Pick<AppParts, 'boot' | 'script' | 'style'>> {
  const read = (name: string) => readFile(join(folder, name), 'utf8');
  const [boot, script, style] = await Promise.all([
    read(PAGE_FILES[0]),
    read(PAGE_FILES[1]),
    read(PAGE_FILES[2]),
  ]);
  return { boot, script, style };
}
