import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';

/**
 * What the watchdog runs. Its input ends when this process does, however that ends. It then waits a moment, as servers end with their
 * input, too, and kills the process groups that are left. A group whose number is somebody else's by now is let alone: where the
 * system says when a process began (Linux), that is compared.
 */
const PROGRAM = `
const { readFileSync } = require('node:fs');
const watched = new Map();
const began = (pid) => {
  try {
    const stat = readFileSync('/proc/' + pid + '/stat', 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {}
};
const kill = () => {
  for (const [pid, start] of watched) {
    const now = began(pid);
    if (now !== undefined && now !== start) continue;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {}
  }
};
require('node:readline')
  .createInterface({ input: process.stdin })
  .on('line', (line) => {
    const pid = Number(line.slice(1));
    if (line[0] === '+') watched.set(pid, began(pid));
    else watched.delete(pid);
  })
  .on('close', () => watched.size > 0 && setTimeout(kill, 2000));
`;

const watched = new Set<number>();
let watchdog: ChildProcess | undefined;

/**
 * Has the process group of a server killed should this process die before it: a server need not end with its input. One small
 * process watches over all, as long as there is any. Returns what ends the watch: call it when the group is gone.
 */
export function watchGroup(pid: number | undefined): () => void {
  // Nothing is watched on Windows. Node puts what it starts into a job there, which ends with this process; what a server starts is not in it.
  if (pid === undefined || process.platform === 'win32') return () => {};
  watched.add(pid);
  if (watchdog) watchdog.stdin?.write(`+${pid}\n`);
  else watchdog = startWatchdog();
  return () => {
    if (!watched.delete(pid)) return;
    watchdog?.stdin?.write(`-${pid}\n`);
    if (watched.size > 0) return;
    watchdog?.stdin?.end();
    watchdog = undefined;
  };
}

function startWatchdog(): ChildProcess {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const started = spawn(process.execPath, ['-e', PROGRAM], {
    cwd: '/',
    env: { ...env, ELECTRON_RUN_AS_NODE: '1' },
    stdio: ['pipe', 'ignore', 'ignore'],
    // What ends the group of this process, as Ctrl+C in a terminal does, does not end it.
    detached: true,
  });
  const lost = () => {
    if (watchdog === started)
      watchdog = watched.size > 0 && started.pid !== undefined ? startWatchdog() : undefined;
  };
  started.once('error', lost).once('exit', lost);
  const { stdin } = started;
  stdin?.on('error', () => {});
  for (const pid of watched) stdin?.write(`+${pid}\n`);
  // It keeps nobody.
  started.unref();
  if (stdin instanceof Socket) stdin.unref();
  return started;
}
