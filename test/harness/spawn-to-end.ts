import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { repoRoot } from './paths.ts';

/** Runs a program in the checkout, shows what it says, and gives its exit code. */
export async function spawnToEnd(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  const child = spawn(command, args, { cwd: repoRoot, stdio: 'inherit', env: { ...process.env, ...env } });
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : 1;
}
