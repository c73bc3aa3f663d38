import { type ChildProcess, spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { readSummary, type Scenario } from './read-summary.ts';

const root = resolve(import.meta.dirname, '../../..');
const modules = join(root, 'test/conformance');
const suite = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

/**
 * Starts `parley serve` with the modules of `test/conformance`, on a port of the system's choice. The suite gives some calls
 * half a second from the first byte on, which the first start of a worker may take on a busy machine: so tools share the
 * server's thread unless `isolation` says otherwise.
 */
export async function startServer(
  isolation = 'host',
): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const names = await readdir(modules);
  const files = names.filter((name) => name.endsWith('.ts')).map((name) => join(modules, name));
  const cli = process.env.PARLEY_CLI ?? join(root, 'src/cli/main.ts');
  const args = ['serve', '--http', '--no-token', '--json', '--isolation', isolation, ...files];
  const child = spawn(process.execPath, [cli, ...args], {
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

/** Runs the official suite against a server and reads its summary. `output` is where it may write. */
export async function runSuite(
  url: string,
  selection: readonly string[],
  output: string,
): Promise<readonly Scenario[]> {
  const args = [suite, 'server', '--url', url, ...selection, '--timeout', '60000', '-o', output];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], cwd: output });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) lines.push(line);
  const scenarios = readSummary(lines);
  if (scenarios.length === 0) console.log(lines.join('\n'));
  return scenarios;
}
