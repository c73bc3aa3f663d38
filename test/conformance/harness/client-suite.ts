import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { compileProgram } from '#test/harness/compile-program.ts';
import type { Scenario } from './read-summary.ts';

const root = resolve(import.meta.dirname, '../../..');
const suite = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const client = join(root, 'test/conformance/client/main.ts');

/** The suite starts all scenarios of a set at once, each with a client of its own: more than a small machine can start in time. */
const AT_ONCE = 2;

/** Runs every client scenario of a revision's requirement set against the client of `test/conformance/client`. */
export async function runClientSuite(revision: string, output: string): Promise<readonly Scenario[]> {
  const program = await compileProgram(client);
  const { required, others } = readClientScenarios(await run(['list', '--requirements', revision], output));
  const waiting = [...required, ...others];
  const done: Scenario[] = [];
  const runNext = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const said = await run(
        [
          'client',
          '--command',
          `${process.execPath} ${program}`,
          '--scenario',
          name,
          '--spec-version',
          revision,
          // Those of extensions are of no revision, and would be skipped.
          '--force',
          '--timeout',
          '60000',
          '-o',
          output,
        ],
        output,
      );
      done.push({ name, ...readCounts(said), scored: required.includes(name) });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runNext));
  return done;
}

/** The client scenarios that the suite lists: those that a revision requires, and those that run beside them. */
export function readClientScenarios(listing: string): {
  readonly required: readonly string[];
  readonly others: readonly string[];
} {
  const [, required = '', others = ''] =
    /Client scenarios[^\n]*\n([\s\S]*?)\n\n([\s\S]*)$/.exec(listing) ?? [];
  return {
    required: [...required.matchAll(/^ {2}- (\S+)$/gm)].map(([, name = '']) => name),
    others: [...others.matchAll(/^ {4}- (\S+) \[client\]/gm)].map(([, name = '']) => name),
  };
}

/** The counts that the suite prints for one scenario. Nothing passed where it says nothing. */
export function readCounts(said: string): { readonly passed: number; readonly failed: number } {
  const [, passed = '0', failed = '0'] = /^Passed: (\d+)\/\d+, (\d+) failed/m.exec(said) ?? [];
  return { passed: Number(passed), failed: Number(failed) };
}

/** Runs the suite, and gives all that it says. */
export async function run(args: readonly string[], cwd: string): Promise<string> {
  const child = spawn(process.execPath, [suite, ...args], { stdio: ['ignore', 'pipe', 'pipe'], cwd });
  // What came of one scenario is said on stderr.
  const said = await Promise.all([text(child.stdout), text(child.stderr)]);
  return said.join('\n');
}
