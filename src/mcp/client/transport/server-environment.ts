import { NESTING, nextNesting } from './nesting.ts';

/** What every program needs to find others and its own files; nothing of it is a secret. */
const NEEDED =
  process.platform === 'win32'
    ? [
        'PATH',
        'PATHEXT',
        'SYSTEMROOT',
        'SYSTEMDRIVE',
        'COMSPEC',
        'TEMP',
        'TMP',
        'USERPROFILE',
        'APPDATA',
        'LOCALAPPDATA',
        'PROGRAMDATA',
        'PROGRAMFILES',
      ]
    : ['PATH', 'HOME'];

/**
 * The environment of a started server: what its entry names, what every program needs, and how many servers have started each other.
 * Nothing else of ours reaches it.
 *
 * @throws `Error` where too many have
 */
export function serverEnvironment(
  named: Readonly<Record<string, string>>,
  own: Readonly<NodeJS.ProcessEnv> = process.env,
): Record<string, string> {
  const needed = NEEDED.flatMap((name) => {
    const value = own[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(needed), ...named, [NESTING]: nextNesting(own) };
}
