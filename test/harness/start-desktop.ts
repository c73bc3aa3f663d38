// npm run start:desktop: the same in a VS Code installed on this machine (`code` on PATH, or VSCODE_PATH).
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildParley } from './build.ts';
import { demoModelExtension, exampleWorkspace, repoRoot } from './paths.ts';

await buildParley();
const code = process.env.VSCODE_PATH ?? 'code';
// A profile of its own: no other extension interferes, and the instance that is open anyhow stays as it is.
const profile = await mkdtemp(join(tmpdir(), 'parley-desktop-'));
process.once('exit', () => rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
const args = [
  exampleWorkspace,
  `--extensionDevelopmentPath=${repoRoot}`,
  `--extensionDevelopmentPath=${demoModelExtension}`,
  `--user-data-dir=${profile}`,
  '--disable-workspace-trust',
  '--skip-welcome',
  '--wait',
];
const child = spawn(code, args, { stdio: 'inherit', shell: process.platform === 'win32' });
child.on('error', () => {
  console.error(
    `"${code}" cannot be started. Install VS Code's \`code\` command, or set VSCODE_PATH to the program.`,
  );
  process.exit(1);
});
child.on('exit', (result) => process.exit(result ?? 1));
