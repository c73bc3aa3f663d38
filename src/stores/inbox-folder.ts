import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** What turns it off, in place of a folder. */
const NONE = 'none';

/** Where the person of a machine has their folders. */
export interface StatePlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
}

/**
 * The folder in which the programs of a person on this machine list what waits for that person; nothing where it is turned off, or where nobody is: in
 * continuous integration.
 *
 * @param wanted a folder, or `none`; `PARLEY_INBOX` without it
 */
export function inboxFolder(
  wanted?: string,
  { env, platform, home }: StatePlace = { env: process.env, platform: process.platform, home: homedir() },
): string | undefined {
  const said = wanted ?? env.PARLEY_INBOX;
  if (said) return said === NONE ? undefined : said;
  if (env.CI && env.CI !== 'false') return undefined;
  return join(stateFolder({ env, platform, home }), 'parley', 'inbox');
}

function stateFolder({ env, platform, home }: StatePlace): string {
  if (platform === 'win32') return env.LOCALAPPDATA ?? join(home, 'AppData', 'Local');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  const { XDG_STATE_HOME: state } = env;
  return state && isAbsolute(state) ? state : join(home, '.local', 'state');
}
