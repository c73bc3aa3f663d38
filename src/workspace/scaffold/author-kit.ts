import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Operation, until } from 'effection';

/** Where a folder's `.parley` has what Parley writes for its authors: types, and code for their tests. */
export const GENERATED_FOLDER = '.generated';

/**
 * What makes completion, type checking and tests of tools work with no `npm install`: the declarations of all that
 * Parley lends to tools, and the code that tests of tools run. Made by the build (`esbuild.mjs`).
 */
export interface AuthorKit {
  /** Changes with the contents. */
  readonly version: string;
  /** Text by path below the generated folder. */
  readonly files: Readonly<Record<string, string>>;
  /** Files that Parley has anyway: path below the generated folder → path below the kit's folder. */
  readonly copies: Readonly<Record<string, string>>;
}

/** The kit's file in the build's output. */
export const KIT_FILE = 'author-kit.json';

/** Reads the kit that the build has put into `dist`. @throws when nothing was built there. */
export function* readKit(dist: string): Operation<AuthorKit> {
  const { version, files, copies } = JSON.parse(
    yield* until(readFile(join(dist, KIT_FILE), 'utf8')),
  ) as AuthorKit;
  const copied: Record<string, string> = {};
  for (const [path, from] of Object.entries(copies)) {
    copied[path] = yield* until(readFile(join(dist, from), 'utf8'));
  }
  return { version, files: { ...files, ...copied }, copies: {} };
}

/** The version of the kit in `dist`, without reading all of it. @throws when nothing was built there. */
export function* readKitVersion(dist: string): Operation<string> {
  const file = yield* until(open(join(dist, KIT_FILE)));
  try {
    const { buffer } = yield* until(file.read({ buffer: Buffer.alloc(64), position: 0 }));
    const version = /^\{"version":"(\w+)"/.exec(buffer.toString())?.[1];
    if (version === undefined) throw new Error(`${KIT_FILE} does not begin with its version`);
    return version;
  } finally {
    void file.close();
  }
}

/** Whether the folder's `.parley` has this version of the kit. */
export function* hasKit(parleyDir: string, version: string): Operation<boolean> {
  const present = yield* until(readFile(versionFile(parleyDir), 'utf8').catch(() => ''));
  return present.trim() === version;
}

/** Writes the kit in the place of what was there. A kit that is only half written has no version. */
export function* writeKit(parleyDir: string, kit: AuthorKit): Operation<void> {
  const target = join(parleyDir, GENERATED_FOLDER);
  const fresh = `${target}.${randomUUID()}`;
  yield* writeFiles(fresh, { ...kit.files, '.gitignore': '*\n', version: `${kit.version}\n` });
  try {
    yield* until(rm(target, { recursive: true, force: true }));
    yield* until(rename(fresh, target));
  } catch (error) {
    // Another window on the same folder was faster.
    if (!(yield* hasKit(parleyDir, kit.version))) throw error;
  } finally {
    void rm(fresh, { recursive: true, force: true }).catch(() => {});
  }
  yield* until(writeShims(parleyDir, kit));
}

function versionFile(parleyDir: string): string {
  return join(parleyDir, GENERATED_FOLDER, 'version');
}

function* writeFiles(dir: string, files: Readonly<Record<string, string>>): Operation<void> {
  const folders = new Set(Object.keys(files).map((path) => dirname(join(dir, path))));
  for (const folder of folders) yield* until(mkdir(folder, { recursive: true }));
  for (const [path, text] of Object.entries(files)) yield* until(writeFile(join(dir, path), text));
}

/**
 * Packages for whatever runs the tests: `.parley/node_modules/<name>` that hand out the code in the generated folder.
 * A package that somebody has installed there is left alone.
 */
async function writeShims(parleyDir: string, kit: AuthorKit): Promise<void> {
  const entries = Object.keys(kit.files).filter((path) => /^[\w-]+\/[\w-]+\.js$/.test(path));
  for (const [name = '', paths] of Map.groupBy(entries, (path) => path.split('/', 1)[0])) {
    const dir = join(parleyDir, 'node_modules', name);
    const manifest = join(dir, 'package.json');
    const before = await readFile(manifest, 'utf8').catch(() => undefined);
    if (before !== undefined && !before.includes(SHIM_MARK)) continue;
    await mkdir(dir, { recursive: true });
    const exports: Record<string, string> = {};
    for (const path of paths) {
      const file = path.slice(name.length + 1);
      exports[file === 'index.js' ? '.' : `./${file.slice(0, -3)}`] = `./${file}`;
      await writeFile(join(dir, file), `export * from '../../${GENERATED_FOLDER}/${path}';\n`);
    }
    await writeFile(
      manifest,
      `${JSON.stringify({ name, type: 'module', private: true, [SHIM_MARK]: kit.version, exports }, undefined, 2)}\n`,
    );
  }
}

const SHIM_MARK = 'generatedByParley';
