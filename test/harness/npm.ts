import { run, tail } from './process.ts';

// npm hands its own flags to the scripts it runs; these would change what a nested npm installs.
const leaking =
  /^npm_(package_|lifecycle_|config_(omit|include|only|production|dry_run|global$|workspace|ignore_scripts))/;

/**
 * Runs the user's npm, with their registry and proxy settings.
 * @throws Error that says what was being done and ends with npm's own words
 */
export async function npm(purpose: string, args: readonly string[], cwd: string): Promise<string> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !leaking.test(name)));
  const script = process.env.npm_execpath;
  const throughNode = script !== undefined && /npm-cli\.c?js$/.test(script);
  const finished = await run(throughNode ? process.execPath : 'npm', throughNode ? [script, ...args] : args, {
    cwd,
    env,
    shell: !throughNode && process.platform === 'win32',
  });
  if (finished.code !== 0) {
    throw new Error(
      `${purpose} failed: "npm ${args.join(' ')}" ended with code ${finished.code}.\n` +
        `Check the network and npm's registry setting, then try again. npm said:\n${tail(finished.output)}`,
    );
  }
  return finished.output;
}
