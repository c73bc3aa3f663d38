import { lstat, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';

/** The socket of a window, in a folder of its own. */
export const SOCKET = 'mcp.sock';

/** What the name of such a folder begins with. */
export const SOCKET_FOLDER = 'parley-';

/** A folder that is younger may be of a window that is about to listen. Milliseconds. */
const YOUNG = 60_000;

/**
 * Removes the sockets of windows that were killed: of this user, with nothing beside them, where nobody listens any more. Never fails:
 * what cannot be looked at stays.
 *
 * @param place the folder for temporary files
 */
export async function removeLeftSockets(place: string, now = Date.now()): Promise<void> {
  const names = await readdir(place).catch(() => []);
  for (const name of names) {
    if (/^parley-\w{6}$/.test(name)) await removeLeft(join(place, name), now).catch(() => {});
  }
}

async function removeLeft(folder: string, now: number): Promise<void> {
  const status = await lstat(folder);
  const isOwn = status.isDirectory() && status.uid === process.getuid?.();
  if (!isOwn || status.mtimeMs + YOUNG > now) return;
  const inside = await readdir(folder);
  if (inside.length !== 1 || inside[0] !== SOCKET) return;
  const socket = join(folder, SOCKET);
  if ((await lstat(socket)).isSocket() && (await isLeft(socket))) await rm(folder, { recursive: true });
}

/** Whether nobody listens at a socket. */
function isLeft(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const line = connect(path);
    const say = (left: boolean) => {
      line.destroy();
      resolve(left);
    };
    line.once('connect', () => say(false));
    line.once('error', (error: NodeJS.ErrnoException) => say(error.code === 'ECONNREFUSED'));
  });
}
