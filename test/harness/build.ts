import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { repoRoot } from './paths.ts';

/**
 * Builds Parley, as `npm run build` does.
 * @throws Error when it does not build; why has been printed by then
 */
export async function buildParley(): Promise<void> {
  const child = spawn(process.execPath, ['esbuild.mjs'], { cwd: repoRoot, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('Parley does not build; see above.');
}
