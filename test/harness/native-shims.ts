import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { npm } from './npm.ts';

/** Entry files of native modules in an installed copy, by the plain module that replaces them. */
const replaced: Readonly<Record<string, readonly string[]>> = {
  'spdlog.cjs': ['@vscode/spdlog/index.js'],
  'native-watchdog.cjs': ['@vscode/native-watchdog/index.js', 'native-watchdog/index.js'],
};

/**
 * Replaces the native modules that a real VS Code cannot do without: npm brings their source, not their binary.
 * @throws Error when none of a module's known places exists
 */
export async function replaceNativeModules(vscodeRoot: string): Promise<void> {
  for (const [shim, places] of Object.entries(replaced)) {
    const found = places
      .map((place) => join(vscodeRoot, 'node_modules', place))
      .filter((path) => existsSync(path));
    if (found.length === 0)
      throw new Error(`This VS Code has none of ${places.join(', ')}: nothing to replace.`);
    for (const path of found) await copyFile(join(import.meta.dirname, 'shims', shim), path);
  }
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
