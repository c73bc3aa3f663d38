import { run } from 'effection';
import { describe, expect, it } from 'vitest';
import { howOpened, open } from '#src/mcp/published/opener.ts';

const XDG = { kind: 'command', command: ['xdg-open'], isElsewhere: false };
const HELPER = { BROWSER: '/vscode/helpers/browser.sh' };

describe('what opens a page', () => {
  it.each([
    ['a desktop', { DISPLAY: ':0' }, 'linux', XDG],
    ['a desktop of Wayland', { WAYLAND_DISPLAY: 'wayland-0' }, 'linux', XDG],
    ['X through SSH', { SSH_CONNECTION: 'a', DISPLAY: 'localhost:10' }, 'linux', XDG],
    ['a Mac', {}, 'darwin', { kind: 'command', command: ['open'], isElsewhere: false }],
    [
      'a browser that is named',
      { BROWSER: 'firefox --new-tab' },
      'linux',
      { kind: 'command', command: ['firefox', '--new-tab'], isElsewhere: false },
    ],
    [
      'the first of several browsers',
      { BROWSER: 'firefox %s:w3m' },
      'linux',
      { kind: 'command', command: ['firefox'], isElsewhere: false },
    ],
    [
      'an opener of one’s own, also in CI',
      { PARLEY_OPENER: 'mine', CI: 'true' },
      'linux',
      { kind: 'command', command: ['mine'], isElsewhere: false },
    ],
    [
      'a terminal of a remote VS Code',
      { ...HELPER, VSCODE_IPC_HOOK_CLI: '/x' },
      'linux',
      { kind: 'command', command: [HELPER.BROWSER], isElsewhere: true },
    ],
  ] as const)('on %s is a command', (_, env, platform, how) => {
    expect(howOpened(env, platform)).toEqual(how);
  });

  it.each([
    ['over SSH without a display', { SSH_CONNECTION: 'a' }, 'linux'],
    ['over SSH on a Mac', { SSH_TTY: '/dev/pts/1' }, 'darwin'],
    ['with no opener wanted', { PARLEY_OPENER: 'none', DISPLAY: ':0' }, 'linux'],
  ] as const)('%s is the person', (_, env, platform) => {
    expect(howOpened(env, platform)).toEqual({ kind: 'by hand' });
  });

  it.each([
    ['in CI', { CI: 'true', DISPLAY: ':0' }],
    ['in a container', {}],
    ['where pages are not wanted', { PARLEY_PAGES: 'none', PARLEY_OPENER: 'mine', DISPLAY: ':0' }],
  ] as const)('%s is nobody: there is no page', (_, env) => {
    expect(howOpened(env, 'linux')).toEqual({ kind: 'none' });
  });
});

describe('opening', () => {
  const node = (code: string) => run(() => open([process.execPath, '-e', code], 'file:///x'));

  it('holds when its command ends well, and says so when it does not', async () => {
    expect(await node('process.exit(process.argv[1] === "file:///x" ? 0 : 1)')).toBe(true);
    expect(await node('process.exit(3)')).toBe(false);
    expect(await run(() => open(['/no/such/program'], 'file:///x'))).toBe(false);
  });
});
