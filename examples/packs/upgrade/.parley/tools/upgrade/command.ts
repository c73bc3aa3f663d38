import { execFile } from 'node:child_process';
import { action, type Operation } from 'effection';

/** How a program ended: what it printed for programs, and all of it for people. */
export interface Ended {
  readonly ok: boolean;
  readonly stdout: string;
  readonly said: string;
}

/** Runs a program in a folder, however it ends. Ends it when the call is stopped. */
export function run(folder: string, program: string, ...args: string[]): Operation<Ended> {
  return action((resolve) => {
    const child = execFile(
      program,
      args,
      {
        cwd: folder,
        maxBuffer: 64e6,
        shell: process.platform === 'win32' && program === 'npm',
        env: { ...process.env, CI: 'true', NO_COLOR: '1' },
      },
      (error, stdout, stderr) => {
        const said = `${stdout}\n${stderr}`.trim() || error?.message || '';
        resolve({ ok: !error, stdout: stdout.trimEnd(), said });
      },
    );
    return () => child.kill();
  });
}

/** The same, and fails where the program does; gives what it printed. */
export function* command(folder: string, program: string, ...args: string[]): Operation<string> {
  const { ok, stdout, said } = yield* run(folder, program, ...args);
  if (!ok) throw new Error(`${program} ${args[0]} failed in ${folder}: ${said.slice(-2000)}`);
  return stdout;
}
