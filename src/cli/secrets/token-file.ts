import { newToken } from '../../mcp/index.ts';
import { UsageError } from '../options.ts';
import { readSecret, writeSecret } from './secret-file.ts';

/**
 * The token in a file; a new one is put there, readable by its owner only, when there is no such file.
 *
 * @throws `UsageError` for a file without a token, and for one that others can read: its token is theirs, too
 */
export async function tokenIn(file: string): Promise<string> {
  const text = await readSecret(file, 'token');
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
  await writeSecret(file, token);
  return token;
}
