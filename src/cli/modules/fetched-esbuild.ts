import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from '../cache-folder.ts';
import { say } from '../terminal-text.ts';

/** What is fetched: that of the lock file, and nothing else that a registry may give. */
const ESBUILD = {
  version: '0.28.2',
  integrity:
    'sha512-GccVwhv3mmOUVQHCQm2Ox/rby8n/EqUwvZxE6Pjfikrq/lWw9g9WX/u9EykWnpot3Ko6j426DgQdea2xWKIAQA==',
} as const;

/**
 * The folder of `esbuild-wasm` in this user's cache. It is twice as large as Parley, and only who serves modules needs it: npm
 * fetches it once, when it is first needed. Nothing where that fails.
 */
export async function fetchedEsbuild(): Promise<string | undefined> {
  const cache = cacheFolder('esbuild');
  if (cache === undefined) return undefined;
  const kept = join(cache, ESBUILD.version);
  const found = join(kept, 'node_modules', 'esbuild-wasm');
  if (existsSync(found)) return found;
  say(`fetching esbuild-wasm ${ESBUILD.version} with npm, once: tools are built with it`, undefined, 'info');
  // Apart from what is kept, which is whole; a folder of its own has no settings of npm that a project may bring.
  const fresh = await mkdtemp(join(cache, 'fetching-'));
  try {
    const dependencies = { 'esbuild-wasm': ESBUILD.version };
    const packages = { '': { dependencies }, 'node_modules/esbuild-wasm': ESBUILD };
    await writeFile(join(fresh, 'package.json'), JSON.stringify({ private: true, dependencies }));
    await writeFile(join(fresh, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }));
    const npm = spawn('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: fresh,
      // Stdout is a client's.
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    });
    const [code] = (await once(npm, 'exit')) as [number | null];
    if (code !== 0) return undefined;
    // Another process may have been faster.
    await rename(fresh, kept).catch(() => {});
    return existsSync(found) ? found : undefined;
  } catch {
    // There is no npm, or no room.
    return undefined;
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}
