import { constants } from 'node:fs';
import { lstat, open, readlink, realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { type Operation, until } from 'effection';
import { type Git, runGit } from './run-git.ts';

/** Larger files differ as binary ones do: nobody reads such a diff, and git would hold both versions of it whole. */
const LARGEST = '2m';

/** The diff of one file that git tracks, or of everything, up to so many characters. */
export function* diffOf(
  git: Git,
  { path, staged, most }: { readonly path?: string; readonly staged: boolean; readonly most: number },
): Operation<string> {
  const args = ['-c', `core.bigFileThreshold=${LARGEST}`, 'diff', ...(staged ? ['--cached'] : [])];
  // Not what would be below a folder of that name; and no program of the repository's choosing.
  const only = path === undefined ? [] : [`:(top,literal)${path}`, `:(top,exclude,literal)${path}/`];
  const plain = ['--no-color', '--no-ext-diff', '--no-textconv', '--submodule=short', '--find-renames'];
  const { text, cut } = yield* runGit(git, [...args, ...plain, '--', ...only], { most });
  return cut ? `${text}\n[cut]\n` : text;
}

/**
 * The diff of a file that git does not track yet, as git would write it once it does: a link is the path that it points
 * to, never what is there. Never more than `most` characters are read.
 */
export function* newFileDiff(git: Git, path: string, most: number): Operation<string> {
  return yield* until(describe(git.root, path, most));
}

async function describe(root: string, path: string, most: number): Promise<string> {
  const head = [`diff --git a/${path} b/${path}`, 'new file', '--- /dev/null', `+++ b/${path}`].join('\n');
  const file = join(root, path);
  try {
    // Git tracks nothing behind a link: a folder on the way that has become one leads elsewhere.
    const [folder, top] = await Promise.all([realpath(dirname(file)), realpath(root)]);
    if (relative(top, folder) !== dirname(path).split('/').join(sep).replace(/^\.$/, '')) return '';
    const found = await lstat(file);
    if (found.isSymbolicLink()) return `${head}\n@@ -0,0 +1,1 @@\n+${await readlink(file)}\n`;
    if (found.isDirectory()) return `${head}\n(a folder)\n`;
    if (!found.isFile()) return `${head}\n(no file)\n`;
    const bytes = await firstBytes(file, Math.min(found.size, most));
    if (bytes.includes(0)) return `${head}\nBinary file (${found.size} bytes)\n`;
    const lines = new TextDecoder().decode(bytes).replace(/\n$/, '').split('\n');
    const rest = found.size > bytes.length ? `[cut: ${found.size} bytes in all]\n` : '';
    return `${head}\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}${rest}`;
  } catch {
    // It went away meanwhile: git will say so.
    return '';
  }
}

async function firstBytes(file: string, most: number): Promise<Uint8Array> {
  // Not through a link, should it have become one since; and a pipe keeps nobody waiting.
  const handle = await open(
    file,
    constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
  );
  try {
    const bytes = new Uint8Array(most);
    let read = 0;
    while (read < most) {
      const { bytesRead } = await handle.read(bytes, read, most - read, read);
      if (bytesRead === 0) break;
      read += bytesRead;
    }
    return bytes.subarray(0, read);
  } finally {
    await handle.close();
  }
}
