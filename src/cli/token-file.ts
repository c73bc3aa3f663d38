import { readFile, writeFile } from 'node:fs/promises';
import { newToken } from '../mcp/index.ts';
import { UsageError } from './args.ts';

/** The token in a file; a new one is put there, readable by its owner only, when there is no such file. */
export async function tokenIn(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
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
