import { execFile } from 'node:child_process';
import { action, type Operation } from 'effection';

/** Runs a program in a folder, and gives what it printed, without the last line break. Ends it when the call is stopped. */
export function command(folder: string, program: string, ...args: string[]): Operation<string> {
  return action((resolve, reject) => {
    const child = execFile(
      program,
      args,
      { cwd: folder, maxBuffer: 64e6, shell: process.platform === 'win32' && program === 'npm' },
      (error, stdout, stderr) => {
        if (!error) return resolve(stdout.trimEnd());
        const said = stderr.trim() || stdout.trim() || error.message;
        reject(
          new Error(`${program} ${args[0]} failed in ${folder}: ${said.slice(-2000)}`, { cause: error }),
        );
      },
    );
    return () => child.kill();
  });
}

/** What a command printed, or nothing where it failed. */
export function* ifItWorks(operation: Operation<string>): Operation<string | undefined> {
  try {
    return yield* operation;
  } catch {
    return undefined;
  }
}
