/**
 * `npm run conformance`: the official suite against `parley serve` with the modules of `test/conformance`. Fails unless
 * every scored scenario of both requirement sets passes. Its own server, on a port of the system's choice.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const root = resolve(import.meta.dirname, '../../..');
const modules = join(root, 'test/conformance');

interface Outcome {
  readonly requirements: string;
  readonly exitCode: number;
  readonly passed: number;
  readonly failed: readonly string[];
}

const server = await start();
const results = await mkdtemp(join(tmpdir(), 'parley-conformance-'));
const outcomes: Outcome[] = [];
try {
  for (const requirements of ['2025-11-25', '2026-07-28']) {
    outcomes.push(await check(requirements, server.url, results));
  }
} finally {
  server.child.kill('SIGTERM');
  await rm(results, { recursive: true, force: true });
}

const passed = outcomes.reduce((sum, one) => sum + one.passed, 0);
const failed = outcomes.reduce((sum, one) => sum + one.failed.length, 0);
await mkdir(join(root, 'test-results'), { recursive: true });
await writeFile(
  join(root, 'test-results/conformance.json'),
  `${JSON.stringify({ passed, failed, sets: outcomes }, null, 2)}\n`,
);
for (const { requirements, passed: good, failed: bad } of outcomes) {
  console.log(
    `${requirements}: ${good} scored scenarios passed, ${bad.length} failed${bad.length > 0 ? `: ${bad.join(', ')}` : ''}`,
  );
}
// Nothing asserted is nothing passed.
const good = outcomes.every((one) => one.exitCode === 0 && one.passed > 0 && one.failed.length === 0);
process.exitCode = good ? 0 : 1;

async function start(): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const files = (await readdir(modules))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(modules, name));
  const cli = process.env.PARLEY_CLI ?? join(root, 'src/cli/main.ts');
  const child = spawn(process.execPath, [cli, 'serve', '--http', '--no-token', '--json', ...files], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.once('exit', (code) => {
    if (code) throw new Error(`parley serve ended with exit code ${code}`);
  });
  for await (const line of createInterface({ input: child.stdout })) {
    return { url: (JSON.parse(line) as { url: string }).url, child };
  }
  throw new Error('parley serve said nothing');
}

async function check(requirements: string, url: string, output: string): Promise<Outcome> {
  const suite = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const args = [
    suite,
    'server',
    '--url',
    url,
    '--requirements',
    requirements,
    '--timeout',
    '60000',
    '-o',
    output,
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], cwd: output });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) lines.push(line);
  const exitCode =
    child.exitCode ?? (await new Promise<number>((done) => child.once('exit', (code) => done(code ?? 1))));
  if (exitCode !== 0) console.log(lines.join('\n'));
  return { requirements, exitCode, ...scored(lines) };
}

/** Reads the summary. Scenarios that the set lists as not scored do not count. */
function scored(lines: readonly string[]): { readonly passed: number; readonly failed: readonly string[] } {
  const unscored = new Set<string>();
  const found = new Map<string, boolean>();
  for (const line of lines) {
    const [, name] = /^ {2}[✓✗] (\S+) \(/.exec(line) ?? [];
    if (name) unscored.add(name);
    const [, mark, scenario, good] = /^([✓✗]) (\S+): (\d+) passed, \d+ failed/.exec(line) ?? [];
    if (scenario) found.set(scenario, mark === '✓' && Number(good) > 0);
  }
  const counted = [...found].filter(([name]) => !unscored.has(name));
  return {
    passed: counted.filter(([, good]) => good).length,
    failed: counted.filter(([, good]) => !good).map(([name]) => name),
  };
}
