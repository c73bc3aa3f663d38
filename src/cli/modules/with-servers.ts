import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type Operation, race, sleep, until } from 'effection';
import { toolOf } from '../../core/plugin/offer.ts';
import { createMcpRegistry, type McpRegistry, type Registry } from '../../core/served/registry.ts';
import { isRegistry } from '../../core/served/served-guards.ts';
import {
  readServers,
  type ServerConnection,
  type ServerEntry,
  ServersFileError,
  useServers,
} from '../../mcp/client/index.ts';
import type { Served } from '../../mcp/index.ts';
import type { Collection } from '../collect.ts';
import { UsageError } from '../options.ts';
import { packageVersion } from '../package-info.ts';
import { say } from '../terminal-text.ts';

/** How long servers may take to start before clients are answered without them; they are told when one comes. Milliseconds. */
const PATIENCE = 10_000;

/** What modules offer and, after it, what the servers of a file do. @throws `UsageError` for a file that cannot be used */
export function* withServers(own: Collection, file: string, cwd: string): Operation<Collection> {
  const entries = yield* until(entriesIn(resolve(cwd, file)));
  const servers = yield* useServers(entries, {
    info: { name: 'parley', version: packageVersion() },
    together: true,
    onLog: (server, { level, message }) => {
      if (level !== 'debug' || process.env.PARLEY_DEBUG) say(`[${server}] ${message}`);
    },
  });
  yield* race([settled(servers.connections), sleep(PATIENCE)]);
  for (const connection of servers.connections) {
    const now = connection.state();
    if (now.kind === 'waiting')
      say(`the server '${connection.name}' is not there: ${now.why}. It is tried again`);
  }
  return {
    ...own,
    tools: both<Served>(own.tools, servers.tools, (served) => toolOf(served).name),
    prompts: both(own.prompts, servers.prompts, ({ name }) => name),
    resources: both(own.resources, servers.resources, ({ def: { info } }) =>
      'uri' in info ? info.uri : info.uriTemplate,
    ),
  };
}

async function entriesIn(path: string): Promise<readonly ServerEntry[]> {
  const folder = dirname(path);
  try {
    return await readServers(await readFile(path, 'utf8'), {
      // The file of a workspace is in a folder of its own there.
      workspaceFolder: /[\\/]\.(vscode|cursor)$/.test(folder) ? dirname(folder) : folder,
      env: process.env,
      readText: (named) => readFile(resolve(folder, named), 'utf8'),
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

/** Each is connected, or could not be. */
function* settled(connections: readonly ServerConnection[]): Operation<void> {
  for (const connection of connections) {
    try {
      yield* connection.client();
    } catch {
      // Said where all have been tried.
    }
  }
}

function listOf<T>(listed: Registry<T> | readonly T[]): readonly T[] {
  return isRegistry(listed) ? (listed.list() as readonly T[]) : (listed as readonly T[]);
}

/** Two lists as one that changes when either does; what the first has under a name, the second cannot have. */
function both<T>(
  first: Registry<T> | readonly T[],
  second: Registry<T>,
  nameOf: (item: T) => string,
): McpRegistry<T> {
  const now = () => {
    const own = listOf(first);
    const names = new Set(own.map(nameOf));
    return [...own, ...second.list().filter((item) => !names.has(nameOf(item)))];
  };
  const registry = createMcpRegistry(now());
  const update = () => registry.set(now());
  second.subscribe(update);
  if (isRegistry(first)) first.subscribe(update);
  return registry;
}
