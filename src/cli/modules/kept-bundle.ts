import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { isObject } from '../../core/schema/is-object.ts';
import { cacheFolder } from '../cache-folder.ts';
import type { Bundled, ModuleBundle } from './bundle-modules.ts';

/** So many are kept, for so long, milliseconds; with more bytes than these together the oldest go. */
const MOST = 64;
const LONGEST = 30 * 86_400_000;
const BYTES = 64 * 2 ** 20;

/** A bundle that is larger is not kept. */
const LARGEST = 16 * 2 ** 20;

/** What is kept of a bundle: it is as good as a new one while all that it was made of is as it was. */
interface Kept {
  readonly bundle: ModuleBundle;
  readonly views: readonly (readonly [file: string, names: readonly string[]])[];
  /** Digests by path: of the contents of a file, or the names in a folder; `''` where there was nothing. */
  readonly made: Readonly<Record<string, string>>;
}

/** The bundle of these modules that was kept, where nothing has changed that it was made of. */
export async function keptBundle(files: readonly string[], folder: string): Promise<Bundled | undefined> {
  const place = placeOf(files, folder);
  if (place === undefined) return undefined;
  try {
    const kept: unknown = JSON.parse(await readFile(place, 'utf8'));
    if (!isKept(kept)) return undefined;
    const now = await Promise.all(
      Object.entries(kept.made).map(async ([path, digest]) => (await digestOf(path)) === digest),
    );
    if (now.includes(false)) return undefined;
    const used = new Date();
    await utimes(place, used, used);
    const views = { root: { id: folder, dir: folder }, files: new Map(kept.views) };
    return { bundle: kept.bundle, views, problems: [] };
  } catch {
    // There is none, or it cannot be read: a new one is made.
    return undefined;
  }
}

/**
 * Keeps a bundle without problems. What goes wrong with that is nobody's loss.
 *
 * @param began when it was begun to be built, milliseconds: what has changed since may not be what is in it
 */
export async function keepBundle(
  files: readonly string[],
  folder: string,
  { bundle, views, problems, inputs = [] }: Bundled,
  began: number,
): Promise<void> {
  const place = placeOf(files, folder);
  if (place === undefined || !bundle || problems.length > 0) return;
  try {
    const paths = madeOf(inputs);
    const digests = await Promise.all(paths.map(digestOf));
    const changes = await Promise.all(paths.map(lastChange));
    if (changes.some((at) => at >= began)) return;
    const made = Object.fromEntries(paths.map((path, at) => [path, digests[at] ?? '']));
    const kept: Kept = { bundle, views: [...views.files], made };
    const text = JSON.stringify(kept);
    if (text.length > LARGEST) return;
    // Whole, or not there.
    const fresh = `${place}.${process.pid}`;
    await writeFile(fresh, text, { mode: 0o600 });
    await rename(fresh, place);
    await tidy(dirname(place));
  } catch {
    // No room, for example.
  }
}

/** Not from source: there the program changes, and nothing says so. */
const FROM_SOURCE = import.meta.filename.endsWith('.ts');

function placeOf(files: readonly string[], folder: string): string | undefined {
  const cache = FROM_SOURCE ? undefined : cacheFolder('modules');
  if (cache === undefined) return undefined;
  // The name of this file changes with the program.
  const of = [import.meta.filename, process.versions.node, process.env.NODE_PATH ?? '', folder, files];
  return join(cache, createHash('sha256').update(JSON.stringify(of)).digest('hex'));
}

/**
 * What a bundle depends on: the files in it; what is beside them, for a new file may be found in the place of one of them; and, there and
 * above, what says how modules are found and read.
 */
function madeOf(inputs: readonly string[]): readonly string[] {
  const paths = new Set(inputs);
  const above = new Set<string>();
  for (const input of inputs) {
    const beside = dirname(input);
    if (!isInstalled(input)) paths.add(beside);
    for (let dir = beside; !above.has(dir); dir = dirname(dir)) {
      above.add(dir);
      for (const name of ['package.json', 'tsconfig.json']) paths.add(join(dir, name));
      if (!isInstalled(join(dir, 'x'))) paths.add(join(dir, 'node_modules'));
    }
  }
  return [...paths];
}

function isInstalled(path: string): boolean {
  return /[\\/]node_modules[\\/]/.test(path);
}

/** Of a file's contents, or of the names in a folder. */
async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    return hash.update(await readFile(path)).digest('base64');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EISDIR') return '';
    return hash.update(JSON.stringify((await readdir(path)).sort())).digest('base64');
  }
}

async function lastChange(path: string): Promise<number> {
  const { mtimeMs, ctimeMs } = await stat(path).catch(() => ({ mtimeMs: 0, ctimeMs: 0 }));
  return Math.max(mtimeMs, ctimeMs);
}

function isKept(value: unknown): value is Kept {
  return (
    isObject(value) &&
    isObject(value.bundle) &&
    typeof value.bundle.code === 'string' &&
    typeof value.bundle.map === 'string' &&
    Array.isArray(value.bundle.lent) &&
    Array.isArray(value.bundle.importedFirst) &&
    Array.isArray(value.views) &&
    isObject(value.made) &&
    Object.entries(value.made).every(([path, digest]) => isAbsolute(path) && typeof digest === 'string')
  );
}

/** Takes away what is old or too much, and what a process that was killed has left. */
async function tidy(cache: string): Promise<void> {
  const stats = await Promise.all(
    (await readdir(cache)).map(async (name) => {
      const path = join(cache, name);
      const { mtimeMs, size } = await stat(path);
      return { path, mtimeMs, size };
    }),
  );
  let bytes = 0;
  for (const [at, { path, mtimeMs, size }] of stats.sort((a, b) => b.mtimeMs - a.mtimeMs).entries()) {
    bytes += size;
    if (at >= MOST || bytes > BYTES || Date.now() - mtimeMs > LONGEST) await rm(path, { force: true });
  }
}
