import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { McpServerOptions } from '../../mcp/index.ts';
import { createFilesStore } from '../../stores/index.ts';
import type { State } from '../args.ts';
import { keysIn } from '../secrets/key-file.ts';

/** What a server is told of where calls are between two requests. @throws `UsageError` for keys that are none */
export async function stateFor(
  state: State,
  onProblem: (message: string, cause: unknown, about: 'state') => void,
): Promise<Pick<McpServerOptions, 'state' | 'stateKeys'>> {
  if (state.kind === 'memory') return {};
  if (state.kind === 'carried') return { state: 'carried', stateKeys: await keysIn(state.keyFile) };
  const { folder } = state;
  if (state.keyFile === undefined) await mkdir(folder, { recursive: true, mode: 0o700 });
  const keys = await keysIn(state.keyFile ?? join(folder, 'key'));
  const store = createFilesStore({
    folder,
    keys,
    onProblem: (error) => onProblem('a call could not be read', error, 'state'),
  });
  return { state: store };
}
