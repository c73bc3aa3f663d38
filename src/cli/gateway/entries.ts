import { dirname, resolve } from 'node:path';
import { readServers, type ServerEntry, ServersFileError } from '../../mcp/client/index.ts';
import { UsageError } from '../options.ts';
import { textIn } from './text-in.ts';

/** The servers of a file. @throws `UsageError` for one that cannot be used */
export async function entriesIn(path: string): Promise<readonly ServerEntry[]> {
  const folder = dirname(path);
  try {
    return await readServers(await textIn(path), {
      // The file of a workspace is in a folder of its own there.
      workspaceFolder: /[\\/]\.(vscode|cursor)$/.test(folder) ? dirname(folder) : folder,
      env: process.env,
      readText: (named) => textIn(resolve(folder, named)),
    });
  } catch (error) {
    if (error instanceof ServersFileError)
      throw new UsageError(`${path}: ${error.message}`, { cause: error });
    if (error instanceof Error && 'code' in error) {
      throw new UsageError(`--servers: '${path}' cannot be read (${String(error.code)})`, { cause: error });
    }
    throw error;
  }
}
