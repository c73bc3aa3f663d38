import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';

/** A real git repository in a folder of its own, opened in the Git extension. */
export interface GitKit {
  readonly folder: string;
  /** What git printed. */
  git(...args: string[]): Promise<string>;
  write(path: string, text: string): Promise<void>;
  remove(): Promise<void>;
}

interface GitExtension {
  getAPI(version: 1): { openRepository(root: vscode.Uri): Promise<unknown> };
}

/** A repository with one commit. Without a `name` git does not know the author of the commit. */
export async function openRepository({ name }: { readonly name?: string } = {}): Promise<GitKit> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-git-')));
  const kit: GitKit = {
    folder,
    async git(...args) {
      const { stdout } = await promisify(execFile)('git', args, { cwd: folder });
      return stdout.trim();
    },
    write: (path, text) => writeFile(join(folder, path), text),
    async remove() {
      await vscode.commands.executeCommand('git.close', vscode.Uri.file(folder));
      await rm(folder, { recursive: true, force: true });
    },
  };
  await kit.git('init', '--quiet', '--initial-branch=main');
  await kit.write('shop.txt', 'apples\n');
  await kit.git('add', '.');
  await kit.git(
    '-c',
    'user.name=Test',
    '-c',
    'user.email=test@example.com',
    'commit',
    '--quiet',
    '-m',
    'init',
  );
  if (name !== undefined) {
    await kit.git('config', 'user.name', name);
    await kit.git('config', 'user.email', 'ada@example.com');
  }
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  const api = (await extension?.activate())?.getAPI(1);
  await api?.openRepository(vscode.Uri.file(folder));
  return kit;
}
