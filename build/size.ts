// npm run size: how large Parley is, beside the limits of size.json. `--check` says only what is over its limit, and fails.
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './paths.ts';
import size from './size.json' with { type: 'json' };
import { codeLines, inUse, overLimit, type Row, table, words } from './size-of.ts';

const { values } = parseArgs({ options: { check: { type: 'boolean' } } });
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '');
const counted = await Promise.all(size.rows.map(count));
const over = counted.filter(overLimit);
if (!values.check) console.log(table(counted));
for (const { name, now, limit } of over) {
  console.error(
    `${name}: ${now} is more than ${limit}. Make it less, or raise the limit in build/size.json, with a sentence of reason.`,
  );
}
process.exitCode = over.length > 0 ? 1 : 0;

async function count(row: (typeof size.rows)[number]): Promise<Row> {
  const own = files.filter((file) => row.files.some((one) => file === one || file.startsWith(`${one}/`)));
  const texts = await Promise.all(own.map((file) => readFile(join(root, file), 'utf8').catch(() => '')));
  const measure = row.of === 'words' ? words : codeLines;
  const now = row.patterns
    ? inUse(row.patterns, texts)
    : own.reduce((sum, file, at) => sum + measure(file, texts[at] ?? ''), 0);
  return { name: `${row.name}, ${row.of}`, now, limit: row.limit, end: row.end };
}
