import { open, writeFile } from 'node:fs/promises';
import { newToken } from '../mcp/index.ts';
import { UsageError } from './args.ts';

/**
 * The token in a file; a new one is put there, readable by its owner only, when there is no such file.
 *
 * @throws `UsageError` for a file without a token, and for one that others can read: its token is theirs, too
 */
export async function tokenIn(file: string): Promise<string> {
  const text = await read(file);
  if (text !== undefined) {
    const token = text.trim();
    if (!/^[A-Za-z0-9._~+/=-]{16,}$/.test(token)) {
      throw new UsageError(
        `${file} holds no token: one line of at least 16 letters, digits or . _ ~ + / = -`,
      );
    }
    return token;
  }
  const token = newToken();
  await writeFile(file, `${token}\n`, { mode: 0o600, flag: 'wx' });
  return token;
}

async function read(file: string): Promise<string | undefined> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!handle) return undefined;
  try {
    const { mode } = await handle.stat();
    // Windows has no such bits.
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new UsageError(`${file} can be read by others: make a new token after chmod 600 ${file}`);
    }
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}
