import { type Operation, scoped } from 'effection';
import { toError } from '../../core/errors/parley-error.ts';
import { type ServerEntry, useMcpConnection } from '../../mcp/client/index.ts';
import { changeFile } from './config-file.ts';
import { SetupError } from './setup-error.ts';

/**
 * Writes an entry into a configuration, once its server has been called and has listed its tools, whose names are given. What cannot be
 * written is said before anything starts.
 * @throws `SetupError` with the file as it was
 */
export function* addProved(
  file: string,
  write: (text: string) => string,
  server: ServerEntry,
): Operation<{ readonly tools: readonly string[]; readonly written: boolean }> {
  changeFile(file, write, { tries: true });
  const tools = yield* toolsOf(server);
  return { tools, written: changeFile(file, write, { secret: server.kind === 'http' }) };
}

function* toolsOf(server: ServerEntry): Operation<readonly string[]> {
  try {
    return yield* scoped(function* () {
      const connection = yield* useMcpConnection(server, { info: { name: 'parley-setup', version: '1' } });
      yield* connection.client();
      return connection.offers().tools.map(({ name }) => name);
    });
  } catch (error) {
    const does = server.kind === 'stdio' ? 'start' : 'answer';
    throw new SetupError(`Nothing was written: the server does not ${does}. ${toError(error).message}`);
  }
}
