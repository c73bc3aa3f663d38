import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Another process with a store on the same folder. */
export interface StoreProcess {
  readonly child: ChildProcess;
  /** What it has said so far. */
  readonly said: readonly string[];
  /** Waits until it has said so many lines. */
  says(count: number): Promise<readonly string[]>;
  /** `kill -9`; resolves when it is dead. */
  kill(): Promise<void>;
}

/** Starts one. @param before what the shell does first */
export function startProcess(
  folder: string,
  key: Uint8Array,
  job: string,
  callId: string,
  before = '',
): StoreProcess {
  const script = join(import.meta.dirname, 'store-process.ts');
  const args = [script, folder, Buffer.from(key).toString('base64url'), job, callId];
  const child =
    before === ''
      ? spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
      : spawn('sh', ['-c', `${before}; exec "$0" "$@"`, process.execPath, ...args], {
          stdio: ['pipe', 'pipe', 'inherit'],
        });
  const said: string[] = [];
  const heard = new EventTarget();
  createInterface(child.stdout).on('line', (line) => {
    said.push(line);
    heard.dispatchEvent(new Event('line'));
  });
  const gone = once(child, 'close').then(() => heard.dispatchEvent(new Event('line')));
  return {
    child,
    said,
    async says(count) {
      while (said.length < count) {
        await once(heard, 'line');
        if (child.exitCode !== null && said.length < count)
          throw new Error(`it ended after: ${said.join('\n')}`);
      }
      return said;
    },
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}
