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

/** Tells a started server how many servers have started each other, this one the last. */
const NESTING = 'PARLEY_NESTING';

/** So many may. Who serves what other servers offer may be one of those servers, and start itself for ever. */
const MOST = 3;

/**
 * What is one more than this process was told.
 *
 * @throws `Error` where that is too many
 */
function nextNesting(own: Readonly<NodeJS.ProcessEnv> = process.env): string {
  const told = Number(own[NESTING] ?? 0);
  const nesting = Number.isInteger(told) && told >= 0 ? told : 0;
  if (nesting < MOST) return String(nesting + 1);
  throw new Error(
    `${MOST} servers have started each other, so this one is not started. If one of them starts itself, remove it from its own file.`,
  );
}
