import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Workbench } from '#harness';

/** A real git repository, open in the window's Git extension; `await using` closes and removes it. */
export interface Repository extends AsyncDisposable {
  readonly folder: string;
  /** What git printed. */
  git(...args: string[]): Promise<string>;
  write(path: string, text: string): Promise<void>;
}

/** Makes a repository with one commit, of `shop.txt`, by somebody git knows. */
export async function openRepository({ bridge }: Workbench): Promise<Repository> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-shop-')));
  const git = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)('git', args, { cwd: folder });
    return stdout.trim();
  };
  const write = (path: string, text: string) => writeFile(join(folder, path), text);
  await git('init', '--quiet', '--initial-branch=main');
  await git('config', 'user.name', 'Ada');
  await git('config', 'user.email', 'ada@example.com');
  await write('shop.txt', 'apples\n');
  await git('add', '.');
  await git('commit', '--quiet', '-m', 'init');
  await bridge.evaluate(async (api, path) => {
    const extension = api.extensions.getExtension('vscode.git');
    const exported = (await extension?.activate()) as {
      getAPI(version: 1): { openRepository(root: unknown): Promise<unknown> };
    };
    await exported.getAPI(1).openRepository(api.Uri.file(path));
  }, folder);
  return {
    folder,
    git,
    write,
    async [Symbol.asyncDispose]() {
      await bridge.evaluate(
        async (api, path) => api.commands.executeCommand<unknown>('git.close', api.Uri.file(path)),
        folder,
      );
      await rm(folder, { recursive: true, force: true });
    },
  };
}
