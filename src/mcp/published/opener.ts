import { action, type Operation } from 'effection';

/** How pages of this process come before the person. */
export type HowOpened =
  /** No page: nobody is there who could be asked on one. */
  | { readonly kind: 'none' }
  /** A page, whose link the person opens: nothing here can. */
  | { readonly kind: 'by hand' }
  /** A command, with what it opens behind it. One that works elsewhere, as on the other side of a tunnel, cannot read a file of ours. */
  | { readonly kind: 'command'; readonly command: readonly string[]; readonly isElsewhere: boolean };

type Environment = Readonly<Record<string, string | undefined>>;

/** What opens a page where the person is, by the environment that this process was given. */
export function howOpened(env: Environment, platform: NodeJS.Platform): HowOpened {
  const { PARLEY_PAGES, PARLEY_OPENER, BROWSER, CI } = env;
  if (PARLEY_PAGES === 'none') return { kind: 'none' };
  if (PARLEY_OPENER === 'none') return { kind: 'by hand' };
  if (PARLEY_OPENER) return command(PARLEY_OPENER.split(' '));
  if (CI && CI !== 'false') return { kind: 'none' };
  const isRemote = Boolean(env.SSH_CONNECTION || env.SSH_TTY);
  // VS Code's terminals name a helper that opens it on the person's own machine.
  if (BROWSER)
    return command(browserIn(BROWSER, platform), isRemote || env.VSCODE_IPC_HOOK_CLI !== undefined);
  const hasDisplay =
    platform === 'darwin' || platform === 'win32' ? !isRemote : env.DISPLAY || env.WAYLAND_DISPLAY;
  if (!hasDisplay) return { kind: isRemote ? 'by hand' : 'none' };
  return command(OPENERS[platform] ?? ['xdg-open']);
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

function command(words: readonly string[], isElsewhere = false): HowOpened {
  return { kind: 'command', command: words, isElsewhere };
}

/** The first of the browsers that are named, as `xdg-open` reads them: with `:` between them, and `%s` for the address. */
function browserIn(named: string, platform: NodeJS.Platform): readonly string[] {
  const [first = ''] = platform === 'win32' ? [named] : named.split(':');
  return first.split(' ').filter((word) => word !== '%s' && word !== '');
}

/** What opens nothing says so within this time; many an opener stays as long as its browser, milliseconds. */
const SAYS_SO = 3_000;

/** Has a command open something. False when it says that it could not. */
export function open([program = '', ...args]: readonly string[], what: string): Operation<boolean> {
  return action((resolve) => {
    // Not imported: a server loads it when something is asked.
    const { spawn } = process.getBuiltinModule('node:child_process');
    const child = spawn(program, [...args, what], { detached: true, stdio: 'ignore', windowsHide: true });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
    child.unref();
    const timer = setTimeout(() => resolve(true), SAYS_SO);
    return () => clearTimeout(timer);
  });
}
