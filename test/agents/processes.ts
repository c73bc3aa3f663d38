import { readdirSync, readFileSync } from 'node:fs';

/** The processes below a home, by number: agents leave some behind that no group or parent leads to. */
export function processesOf(home: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => read(`/proc/${pid}/environ`).split('\0').includes(`HOME=${home}`))
    .map(Number);
}

/** Ends them at once, but those whose command line has this text. */
export function killAllOf(home: string, except?: string): void {
  for (const pid of processesOf(home)) {
    if (except !== undefined && read(`/proc/${pid}/cmdline`).includes(except)) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // It has ended, or is somebody else's.
    return '';
  }
}
