import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makerTurn } from '../../../stores/maker.ts';

/** The turn of this window to do what one window does for all, by its name. Returns what ends it; nothing while another window has it. */
export type LoginTurns = (name: string) => Promise<(() => Promise<void>) | undefined>;

/** Milliseconds that a window has to bring a refresh token. */
const PATIENCE = 40_000;

/** After so long nobody asks for a turn of its name any more, milliseconds. */
const OLD = 3_600_000;

/**
 * Turns of the windows of this machine: tokens are over at the same moment for all of them, such as when several are opened together.
 *
 * @param storage the storage that all windows share
 */
export function loginTurns(storage: string): LoginTurns {
  const folder = join(storage, 'logins');
  return async (name) => {
    const turn = await makerTurn(folder, name, PATIENCE);
    if (!turn) return undefined;
    await sweep(folder);
    return () => turn.made(0);
  };
}

/** Each name is that of one token: it does not come again. */
async function sweep(folder: string): Promise<void> {
  for (const file of await readdir(folder)) {
    const path = join(folder, file);
    try {
      if ((await stat(path)).mtimeMs + OLD < Date.now()) await rm(path);
    } catch {
      // Another window was first.
    }
  }
}
