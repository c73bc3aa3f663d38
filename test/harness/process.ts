import { spawn } from 'node:child_process';

/** What a finished child process left behind. */
export interface Finished {
  readonly code: number;
  /** stdout and stderr, interleaved as they came. */
  readonly output: string;
}

/**
 * Runs a program to its end and collects what it said.
 * @throws Error when the program cannot be started at all (for example: not on PATH)
 */
export function run(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; shell?: boolean } = {},
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** The last `count` lines of a text: enough of a log to see what went wrong. */
export function tail(text: string, count = 30): string {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
