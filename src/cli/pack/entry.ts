/** What a packed program consists of beside the author's modules: it sorts what they export, and serves it over stdio. */
import { main, until } from 'effection';
import { FaultsContext, useMcpServer } from '../../mcp/index.ts';
import { takeStdout } from '../../mcp/stdio/own-stdout.ts';
import { collect } from '../collect.ts';
import { say } from '../terminal-text.ts';

// Before the modules, which print while they load.
takeStdout();

/** What the program says it is. */
export interface PackedInfo {
  readonly name: string;
  readonly version: string;
}

/** Serves modules until the client is gone. Stdout is the wire: what tools print goes to stderr. */
export function servePacked(
  info: PackedInfo,
  modules: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const loaded = modules.map((exports, index) => ({ file: `module-${index}`, text: '', exports }));
  return main(function* () {
    yield* FaultsContext.set(({ message, cause }) => say(message, cause));
    const { problems: _, ...collection } = collect(loaded);
    const server = yield* useMcpServer({ ...info, ...collection, apps: false });
    yield* until(server.listen());
  });
}
