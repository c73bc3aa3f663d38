import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

type Names = Record<string, string>;
interface Package {
  version?: string;
  resolved?: string;
  dependencies?: Names;
  devDependencies?: Names;
}

/**
 * Makes a package's dependencies come from npm's registry alone: one that is locked to a commit of a Git repository
 * becomes the release of the same version. Some VS Code versions pin a build fix of a native module that way, and
 * the release carries the ready binary that is wanted here anyhow.
 */
export async function useRegistryOnly(folder: string): Promise<void> {
  const lockFile = join(folder, 'npm-shrinkwrap.json');
  if (!existsSync(lockFile)) return;
  const manifestFile = join(folder, 'package.json');
  const lock: { packages: Record<string, Package> } = JSON.parse(await readFile(lockFile, 'utf8'));
  const manifest: Package = JSON.parse(await readFile(manifestFile, 'utf8'));
  const fromGit = Object.entries(lock.packages).filter(([, entry]) => entry.resolved?.startsWith('git'));
  if (fromGit.length === 0) return;
  for (const [path, entry] of fromGit) {
    delete lock.packages[path];
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    for (const owner of [manifest, ...Object.values(lock.packages)]) {
      for (const names of [owner.dependencies, owner.devDependencies]) {
        if (names?.[name]?.includes('/')) names[name] = entry.version ?? '*';
      }
    }
  }
  await writeFile(lockFile, JSON.stringify(lock));
  await writeFile(manifestFile, JSON.stringify(manifest));
}
