import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { KIT_FILE } from '../src/workspace/scaffold/author-kit.ts';
import { dist } from './paths.ts';

/** Writes what changed; a program that runs what did not is not disturbed. */
export async function write(files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  for (const [path, contents] of files) {
    const before = await readFile(path).catch(() => undefined);
    if (before?.equals(contents)) continue;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, contents);
  }
}

/** Removes what earlier builds made and this one did not. */
export async function removeAllBut(files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const [folder] = relative(dist, path).split(sep);
    const ours =
      (entry.parentPath === dist && entry.name !== KIT_FILE) ||
      /^(esbuild|shared|webview|lib|meta)$/.test(String(folder));
    if (entry.isFile() && ours && !files.has(path)) await rm(path);
  }
}
