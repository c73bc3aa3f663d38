import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { LONG_TAG } from '../rings.ts';
import type { Reach } from './changed.ts';
import type { Step } from './lanes.ts';
import { repoRoot, resultsRoot } from './paths.ts';
import { stopWithParent } from './process-group.ts';
import { crashed, forgetTotals, readTotals, type Totals } from './totals.ts';
import { newest, oldest } from './versions.ts';

/** One step of `npm test`. */
export interface Stage extends Step, Reach {
  /** The npm script to run. */
  readonly script: string;
  /** What its script is given. */
  readonly args?: readonly string[];
  /** The totals it leaves in `test-results`. A stage without any is one check, passed or failed. */
  readonly totals: readonly string[];
  /** It may have no test to run. */
  readonly mayBeEmpty?: true;
}

/** What a stage came to. */
export interface StageResult extends Totals {
  readonly script: string;
  readonly seconds: number;
}

/** What others need: what it makes is tested, packed and served. */
export const build: Stage = { script: 'build', totals: [] };

/** What tests start as a whole: the extension in a window, the servers of `parley`, the suites beside them. */
const SHIPS =
  /^(src|webview|build|examples|media|l10n)\/|^test\/(harness|host|extensions)\/|^(package|esbuild)/;
const SERVES =
  /^(src\/(?!vscode\/)|webview\/|build\/|examples\/)|^test\/(conformance|harness)\/|^(package|esbuild)/;
/** What unit tests read as text. */
const READ = /^(docs|build|l10n|examples|media)\/|^[^/]+$|\/README\.md$/;

/**
 * Lanes run side by side, the stages of a lane one after the other; both take about as long. A window of the first lane takes more than a
 * core; what the second starts waits half of its time, and so runs two files at once. Each stage has its own servers, ports and
 * temporary folders.
 */
export function lanesOf({ long }: { long: boolean }): readonly (readonly Stage[])[] {
  const vitest = { args: long ? [] : [`--tags-filter=!${LONG_TAG}`], related: true } as const;
  const host = long
    ? { args: [], versions: [newest, oldest] }
    : { args: [newest.vscode], versions: [newest] };
  return [
    [
      build,
      { script: 'test:e2e', totals: ['e2e'], ...vitest, whole: SHIPS },
      {
        script: 'test:host',
        args: host.args,
        totals: host.versions.map((version) => `host-${version.vscode}`),
        whole: SHIPS,
      },
      { script: 'conformance', totals: ['conformance'], whole: SERVES },
      { script: 'lint', totals: [] },
      { script: 'unused', totals: [] },
      { script: 'size', totals: [] },
      { script: 'api', args: ['--check'], totals: [] },
    ],
    [
      { script: 'types', totals: [] },
      { script: 'test:unit', totals: ['unit'], ...vitest, whole: READ, needs: build },
      { script: 'test:mcp', totals: ['mcp'], ...vitest, whole: SERVES, needs: build },
    ],
  ];
}

/** A stage that takes longer hangs. */
const stageTimeout = 90 * 60_000;

/** Runs one stage to its end and says what came of it; a crash, a hang and missing totals are failures. */
export async function runStage(stage: Stage): Promise<StageResult> {
  const begun = Date.now();
  for (const name of stage.totals) await forgetTotals(name);
  const code = await runScript(stage.script, stage.args);
  const parts = await Promise.all(stage.totals.map((suite) => readTotals(suite, stage.mayBeEmpty)));
  const failed = parts.some((part) => part.failed > 0);
  if (code === 0 && parts.length === 0) parts.push({ passed: 1, failed: 0, skipped: 0, failures: [] });
  if (code !== 0 && !failed)
    parts.push(crashed(stage.script, `"npm run ${stage.script}" ended with code ${code}.`));
  return {
    script: stage.script,
    seconds: Math.round((Date.now() - begun) / 1000),
    passed: sum(parts, 'passed'),
    failed: sum(parts, 'failed'),
    skipped: sum(parts, 'skipped'),
    failures: parts.flatMap((part) => part.failures),
  };
}

/** Adds up one of the counts. */
export function sum(totals: readonly Totals[], count: 'passed' | 'failed' | 'skipped'): number {
  return totals.reduce((all, one) => all + one[count], 0);
}

/** Says of each line whose it is: several stages speak at once. */
function printLines(script: string, stream: Readable): void {
  createInterface({ input: stream }).on('line', (line) => console.log(`${script.padEnd(11)} │ ${line}`));
}

/**
 * Runs an npm script to its end and returns its exit code. Most of what is started here is started many times: what Node has
 * compiled once is not compiled again, which halves the time of a stage that starts processes.
 */
export async function runScript(script: string, given: readonly string[] = []): Promise<number> {
  const cli = process.env.npm_execpath;
  const run = ['run', script, '--', ...given];
  const throughNode = cli !== undefined && /npm-cli\.c?js$/.test(cli);
  const [command, ...args] = throughNode ? [process.execPath, cli, ...run] : ['npm', ...run];
  const child = spawn(command, args, {
    cwd: repoRoot,
    env: { ...process.env, NODE_COMPILE_CACHE: join(resultsRoot, 'compiled') },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    shell: !throughNode && process.platform === 'win32',
  });
  const group = stopWithParent(child);
  for (const stream of [child.stdout, child.stderr]) printLines(script, stream);
  const timer = setTimeout(() => void group.stop(), stageTimeout);
  const [code] = await once(child, 'exit');
  clearTimeout(timer);
  const said = once(child, 'close');
  await group.stop();
  // Its last lines; a process that has left the group may keep them open.
  await Promise.race([said, delay(2_000)]);
  return typeof code === 'number' ? code : 1;
}
