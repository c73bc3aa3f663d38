import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** The processes whose command line has a word in it, but for those that only pass it on. */
export async function running(mark: string): Promise<readonly string[]> {
  const ps = spawn('ps', ['-eo', 'pid=,args='], { stdio: ['ignore', 'pipe', 'ignore'] });
  const lines: string[] = [];
  for await (const line of createInterface({ input: ps.stdout })) if (line.includes(mark)) lines.push(line);
  return lines;
}
