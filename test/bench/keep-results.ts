import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const FILE = join(import.meta.dirname, '../../build/bench.md');

/** Writes what a part of the bench came to into `build/bench.md`, with when, of what and where, in place of what it came to before. */
export async function keepResults(title: string, machine: string, table: string): Promise<void> {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const day = new Date().toISOString().slice(0, 10);
  const [head = '', ...sections] = (await readFile(FILE, 'utf8')).split(/\n(?=## )/);
  const others = sections.filter((section) => !section.startsWith(`## ${title}\n`));
  const made = `## ${title}\n\n${day}, ${commit}, ${machine}.\n\n${table}\n`;
  await writeFile(FILE, [head, ...others, made].join('\n'));
}
