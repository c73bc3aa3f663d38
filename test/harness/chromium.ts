import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.ts';
import { installRoot } from './paths.ts';
import { run, tail } from './process.ts';

/** Debian's Chromium without a window: the same pages for a fifth less of the processor. */
const headless = 'chromium-headless-shell';

const usual = [
  ...(process.env.PARLEY_HEADED === undefined ? [`/usr/bin/${headless}`] : []),
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * Path of a Chromium to drive: `PARLEY_CHROMIUM`, else an installed one, else Debian's, which is installed then.
 * @throws Error that says what to install or set
 */
export async function ensureChromium(): Promise<string> {
  const chosen = process.env.PARLEY_CHROMIUM;
  if (chosen !== undefined && chosen !== '') {
    if (existsSync(chosen)) return chosen;
    throw new Error(`PARLEY_CHROMIUM points at ${chosen}, and there is no such file.`);
  }
  const found = usual.find((path) => existsSync(path));
  if (found !== undefined) return found;
  if (existsSync('/usr/bin/apt-get')) await installOnce();
  const installed = usual.find((path) => existsSync(path));
  if (installed !== undefined) return installed;
  throw new Error('No Chromium or Chrome found. Install one, or set PARLEY_CHROMIUM to its path.');
}

/** Several processes may find none at once, and apt-get runs once at a time. */
async function installOnce(): Promise<void> {
  const waiting = (): void => console.error('Chromium: another process is installing it …');
  await withLock(join(installRoot, 'chromium.lock'), waiting, async () => {
    if (!usual.some((path) => existsSync(path))) await installFromDebian();
  });
}

async function installFromDebian(): Promise<void> {
  console.error('Chromium: installing it with apt-get …');
  await aptGet('update');
  const wanted = process.env.PARLEY_HEADED === undefined ? headless : 'chromium';
  // Not every system with apt-get has it without a window.
  await aptGet('install', '-y', '--no-install-recommends', wanted).catch(async (error) => {
    if (wanted === 'chromium') throw error;
    await aptGet('install', '-y', '--no-install-recommends', 'chromium');
  });
}

async function aptGet(...args: readonly string[]): Promise<void> {
  const root = process.getuid?.() === 0;
  const [command, ...rest] = root ? ['apt-get', ...args] : ['sudo', '-n', 'apt-get', ...args];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const finished = await run(command ?? 'apt-get', rest, { env });
  if (finished.code === 0) return;
  throw new Error(
    `No Chromium found, and "${command} ${rest.join(' ')}" failed. Install Chromium or Chrome yourself, or set ` +
      `PARLEY_CHROMIUM to its path. It said:\n${tail(finished.output)}`,
  );
}
