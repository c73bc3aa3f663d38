import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Operation, until } from 'effection';
import type { AuthorKit } from './kit-files.ts';
import { kindOf, makePlainFolder } from './plain-paths.ts';

const SHIM_MARK = 'generatedByParley';

/**
 * Packages for whatever runs the tests: `.parley/node_modules/<name>` that hand out the code in the generated folder.
 * A package that was installed or linked there is left alone.
 */
export function* writeShims(parleyDir: string, kit: AuthorKit, generated: string): Operation<void> {
  const entries = Object.keys(kit.files).filter((path) => /^[\w-]+\/[\w-]+\.js$/.test(path));
  for (const [name = '', paths] of Map.groupBy(entries, (path) => path.split('/', 1)[0])) {
    const dir = join(parleyDir, 'node_modules', name);
    if (!(yield* isOurs(parleyDir, dir))) continue;
    yield* makePlainFolder(parleyDir, dir);
    const exports: Record<string, string> = {};
    for (const path of paths) {
      const file = path.slice(name.length + 1);
      exports[file === 'index.js' ? '.' : `./${file.slice(0, -3)}`] = `./${file}`;
      yield* replace(join(dir, file), `export * from '../../${generated}/${path}';\n`);
    }
    const manifest = { name, type: 'module', private: true, [SHIM_MARK]: kit.version, exports };
    yield* replace(join(dir, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  }
}

/** Whether there is nothing yet, or what we have written before. What is a link on the way is not ours. */
function* isOurs(parleyDir: string, dir: string): Operation<boolean> {
  for (const folder of [join(parleyDir, 'node_modules'), dir]) {
    const kind = yield* kindOf(folder);
    if (kind === 'nothing') return true;
    if (kind !== 'folder') return false;
  }
  const manifest = join(dir, 'package.json');
  const kind = yield* kindOf(manifest);
  if (kind !== 'file') return kind === 'nothing';
  return (yield* until(readFile(manifest, 'utf8'))).includes(SHIM_MARK);
}

/** By renaming, which puts the file in the place of a link and does not write through it. */
function* replace(path: string, text: string): Operation<void> {
  const draft = `${path}.${randomUUID()}`;
  yield* until(writeFile(draft, text, { flag: 'wx' }));
  yield* until(rename(draft, path));
}
