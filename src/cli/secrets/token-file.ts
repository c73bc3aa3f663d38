import { newToken } from '../../mcp/index.ts';
import { UsageError } from '../options.ts';
import { secretIn } from './secret-file.ts';

/**
 * The token in a file; a new one is put there when there is no such file.
 *
 * @throws `UsageError` for a file without a token, and for one that cannot be used
 */
export async function tokenIn(file: string): Promise<string> {
  const token = await secretIn(file, 'token', newToken);
  if (/^[A-Za-z0-9._~+/=-]{16,}$/.test(token)) return token;
  throw new UsageError(
    `${file} does not contain a token: one line of at least 16 letters, digits or . _ ~ + / = -`,
  );
}
