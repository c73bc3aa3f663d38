import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { npm } from './npm.ts';

/** Entry files of native modules in an installed copy, by the plain module that replaces them. */
const replaced: Readonly<Record<string, readonly string[]>> = {
  'spdlog.cjs': ['@vscode/spdlog/index.js'],
  'native-watchdog.cjs': ['@vscode/native-watchdog/index.js', 'native-watchdog/index.js'],
  'sqlite3.cjs': ['@vscode/sqlite3/lib/sqlite3.js'],
};

/** What older versions do without. */
const newer: ReadonlySet<string> = new Set(['sqlite3.cjs']);

/**
 * Replaces the native modules that a real VS Code cannot do without: npm brings their source, not their binary. In a copy in which that
 * was done already, it brings them up to date.
 * @throws Error when none of a module's known places exists
 */
export async function replaceNativeModules(vscodeRoot: string): Promise<void> {
  for (const [shim, places] of Object.entries(replaced)) {
    const found = places
      .map((place) => join(vscodeRoot, 'node_modules', place))
      .filter((path) => existsSync(path));
    if (found.length === 0 && !newer.has(shim))
      throw new Error(`This VS Code has none of ${places.join(', ')}: nothing to replace.`);
    for (const path of found) await replace(path, await readFile(join(import.meta.dirname, 'shims', shim)));
  }
}

/** Whole or not at all: a server that runs may be reading it. */
async function replace(path: string, content: Buffer): Promise<void> {
  if (content.equals(await readFile(path))) return;
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, content);
  await rename(draft, path);
}

/** Its binaries come inside the package; the one that older versions use fetches them from elsewhere. */
const ripgrepPackage = '@vscode/ripgrep-universal@1.18.0';

/** Gives a version whose search has no binary (`findFiles` fails then) the one from a newer version. */
export async function addRipgrep(vscodeRoot: string): Promise<void> {
  const file = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const wanted = join(vscodeRoot, 'node_modules', '@vscode', 'ripgrep', 'bin', file);
  if (!existsSync(dirname(dirname(wanted))) || existsSync(wanted)) return;
  const folder = join(vscodeRoot, 'own-ripgrep');
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', ripgrepPackage];
  await npm('Installing ripgrep', args, folder);
  const binaries = join(folder, 'node_modules', '@vscode', 'ripgrep-universal', 'bin');
  await mkdir(dirname(wanted), { recursive: true });
  await copyFile(join(binaries, `${process.platform}-${process.arch}`, file), wanted);
  await chmod(wanted, 0o755);
}
