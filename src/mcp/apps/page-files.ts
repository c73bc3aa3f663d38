import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppParts } from '../../panel/app-html.ts';

/** Where the build puts the page: beside the library, beside a program of ours, or in a checkout. */
const PLACES = [['..', 'webview'], ['webview'], ['..', '..', '..', 'dist', 'webview']] as const;

/** The folder with the page of a call; nothing where it did not come along, as in a program of one file. */
export function pageFolder(): string | undefined {
  return PLACES.map((place) => join(import.meta.dirname, ...place)).find((folder) =>
    existsSync(join(folder, 'mcp-app.js')),
  );
}

/** The page's code and looks. */
export async function readPage(folder: string): Promise<Pick<AppParts, 'boot' | 'script' | 'style'>> {
  const read = (name: string) => readFile(join(folder, name), 'utf8');
  const [boot, script, style] = await Promise.all([
    read('mcp-app-boot.js'),
    read('mcp-app.js'),
    read('mcp-app.css'),
  ]);
  return { boot, script, style };
}
