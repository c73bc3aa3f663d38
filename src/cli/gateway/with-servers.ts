import { type Operation, race, sleep, spawn, type Task } from 'effection';
import {
  type ForeignLog,
  type ServerConnection,
  type ServerEntry,
  useServers,
} from '../../mcp/client/index.ts';
import type { Collection } from '../collect.ts';
import { packageVersion } from '../package-info.ts';
import { say } from '../terminal-text.ts';
import { joined } from './joined-lists.ts';

/** How long servers may take to start before clients are answered without them; they are told when one comes. Milliseconds. */
const START_PATIENCE = 5_000;

/** How this program introduces itself to other servers. */
export const INFO = { name: 'parley', version: packageVersion() };

/** Says on stderr what a server says. */
export function sayOf(server: string, { level, message }: ForeignLog): void {
  if (level !== 'debug' || process.env.PARLEY_DEBUG) say(`[${server}] ${message}`);
}

/**
 * What modules offer and, after it, what these servers do, the same for all who call.
 *
 * @param policed whether a policy is asked before their tools run
 */
export function* withServers(
  own: Collection,
  entries: readonly ServerEntry[],
  policed: boolean,
): Operation<{ readonly offered: Collection; readonly listsReady: Task<void> }> {
  const servers = yield* useServers(entries, { info: INFO, together: true, policed, onLog: sayOf });
  const listsReady = yield* spawn(function* () {
    yield* race([settled(servers.connections), sleep(START_PATIENCE)]);
    sayMissing(servers.connections);
  });
  return { offered: { ...own, ...joined(own, servers).lists }, listsReady };
}

/** Says which servers are not there. */
export function sayMissing(connections: readonly ServerConnection[]): void {
  for (const connection of connections) {
    const now = connection.state();
    if (now.kind === 'waiting')
      say(`the server '${connection.name}' is not available: ${now.why}. Parley tries again`);
    if (now.kind === 'connecting')
      say(
        `the server '${connection.name}' has not answered yet. Its tools, prompts and resources appear when it does`,
      );
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
