import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { repoRoot } from './paths.ts';
import { stopWithParent } from './process-group.ts';
import { crashed, forgetTotals, readTotals, type Totals } from './totals.ts';
import { newest, oldest } from './versions.ts';

/** One step of `npm test`. */
export interface Stage {
  /** The npm script to run. */
  readonly script: string;
  /** The totals it leaves in `test-results`. A stage without any is one check, passed or failed. */
  readonly totals: readonly string[];
}

/** What a stage came to. */
export interface StageResult extends Totals {
  readonly script: string;
  readonly seconds: number;
}

/** In the order in which they run. */
export const stages: readonly Stage[] = [
  { script: 'types', totals: [] },
  { script: 'lint', totals: [] },
  { script: 'build', totals: [] },
  { script: 'test:unit', totals: ['unit'] },
  { script: 'test:mcp', totals: ['mcp'] },
  { script: 'conformance', totals: ['conformance'] },
  { script: 'test:host', totals: [newest, oldest].map((version) => `host-${version.vscode}`) },
  { script: 'test:e2e', totals: ['e2e'] },
];

/** A stage that takes longer hangs. */
const stageTimeout = 90 * 60_000;

/** Runs one stage to its end and says what came of it; a crash, a hang and missing totals are failures. */
export async function runStage(stage: Stage): Promise<StageResult> {
  const begun = Date.now();
  for (const name of stage.totals) await forgetTotals(name);
  const code = await npmRun(stage.script);
  const parts = await Promise.all(stage.totals.map(readTotals));
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

async function npmRun(script: string): Promise<number> {
  const cli = process.env.npm_execpath;
  const throughNode = cli !== undefined && /npm-cli\.c?js$/.test(cli);
  const [command, ...args] = throughNode ? [process.execPath, cli, 'run', script] : ['npm', 'run', script];
  const child = spawn(command, args, {
    cwd: repoRoot,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: process.platform !== 'win32',
    shell: !throughNode && process.platform === 'win32',
  });
  const group = stopWithParent(child);
  const timer = setTimeout(() => void group.stop(), stageTimeout);
  const [code] = await once(child, 'exit');
  clearTimeout(timer);
  await group.stop();
  return typeof code === 'number' ? code : 1;
}
