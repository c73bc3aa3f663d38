import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** The process that holds a call. */
export interface Owner {
  readonly pid: number;
  /** When it began, where the system tells: process ids are used again. */
  readonly start: string;
  /** Where its id means something: the machine since it was started, and its space of process ids. */
  readonly place: string;
}

let own: Owner | undefined;

/** This process. */
export function thisProcess(): Owner {
  own ??= { pid: process.pid, start: startOf(process.pid) ?? '', place: placeOf() };
  return own;
}

/**
 * Whether a process has ended for certain. One in another container on the same folder cannot be told: what it holds lapses
 * with time alone.
 */
export function isDead({ pid, start, place }: Owner): boolean {
  const here = thisProcess();
  if (place !== here.place || pid === here.pid) return place === here.place && start !== here.start;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  const now = startOf(pid);
  return start !== '' && now !== undefined && now !== start;
}

/** The process that a file names. */
export function ownerIn(text: string): Owner | undefined {
  const [, pid, start, place] = /^\{"pid":(\d+),"start":"([^"]*)","place":"([^"]*)"\}$/.exec(text) ?? [];
  return pid === undefined ? undefined : { pid: Number(pid), start: start ?? '', place: place ?? '' };
}

/** Field 22 of `/proc/PID/stat`, which stands behind a name that may hold anything; a process that is no more but not yet buried has ended. */
function startOf(pid: number): string | undefined {
  const stat = read(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields?.[0] === 'Z' ? 'ended' : fields?.[19];
}

function placeOf(): string {
  const boot = read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim());
  const space = read(() => readlinkSync('/proc/self/ns/pid'));
  return [hostname(), boot ?? '', space ?? ''].join(' ');
}

function read(from: () => string): string | undefined {
  try {
    return from();
  } catch {
    return undefined;
  }
}
