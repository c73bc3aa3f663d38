import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from '../harness/npm.ts';
import { installRoot } from '../harness/paths.ts';
import type { Agent } from './agent.ts';

/** Folder that an agent is installed into. */
export const installed = ({ id, npm: { version } }: Agent): string =>
  join(installRoot, 'agents', `${id}-${version}`);

/** Installs an agent that is not there yet. */
export async function install(agent: Agent): Promise<void> {
  const folder = installed(agent);
  const { name, version, flags = [] } = agent.npm;
  if (existsSync(join(folder, 'package-lock.json'))) return;
  console.log(`installs ${name}@${version}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  try {
    await npm(
      `Installing ${agent.name}`,
      ['install', '--no-audit', '--no-fund', ...flags, `${name}@${version}`],
      folder,
    );
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}
