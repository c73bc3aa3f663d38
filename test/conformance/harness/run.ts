/**
 * `npm run conformance`: the official suite against `parley serve`, against handlers in a server of the SDK, then against `src/mcp/client`. Every scenario of both requirement sets counts, also those
 * that the sets do not score: each has to check something and to fail nothing, but for those in `gaps.ts`.
 *
 * `npm run conformance -- --all` runs everything the suite has for servers, and prints what Parley does not pass, and why.
 * `-- --client` and `-- --server` run one half. `-- --worker` has the tools run in workers.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runClientSuite } from './client-suite.ts';
import { clientGaps, gaps as serverGaps } from './gaps.ts';
import { inlineRevisions, runInlineSuite } from './inline-suite.ts';
import { judge, type Scenario, type Verdict } from './read-summary.ts';
import { runSuite, startServer } from './suite.ts';

const everything = process.argv.includes('--all');
const revisions = ['2025-11-25', '2026-07-28'];
const selections = new Map<string, readonly string[]>(
  everything
    ? revisions.map((revision) => [
        `everything for ${revision}`,
        ['--suite', 'all', '--spec-version', revision],
      ])
    : revisions.map((revision) => [revision, ['--requirements', revision]]),
);
if (everything) {
  selections.set('draft', ['--suite', 'draft']);
  selections.set('pending', ['--suite', 'pending']);
}

const gaps = { ...serverGaps, ...clientGaps };
const only = ['--client', '--server'].find((half) => process.argv.includes(half));
const output = await mkdtemp(join(tmpdir(), 'parley-conformance-'));
const sets: ({ readonly set: string } & Verdict)[] = [];
try {
  if (only !== '--client') await testServer();
  if (only !== '--server' && !everything) await testClient();
} finally {
  await rm(output, { recursive: true, force: true });
}

for (const { set, passed, failed, gaps: open, closed } of sets) {
  console.log(
    `${set}: ${passed.length} scenarios passed, ${failed.length} failed, ${open.length} known gaps`,
  );
  for (const name of failed) console.log(`  ✗ ${name}`);
  for (const name of open) console.log(`  – ${name}: ${gaps[name]}`);
  for (const name of closed) console.log(`  ✗ ${name} passes: take it out of gaps.ts`);
}
const passed = sets.reduce((sum, one) => sum + one.passed.length, 0);
const failed = sets.reduce((sum, one) => sum + one.failed.length + one.closed.length, 0);
// A set in which nothing ran has shown nothing.
const empty = sets.filter((one) => one.passed.length === 0);
if (!everything) {
  const results = resolve(import.meta.dirname, '../../../test-results');
  await mkdir(results, { recursive: true });
  const totals = { passed, failed: failed + empty.length, sets };
  await writeFile(join(results, 'conformance.json'), `${JSON.stringify(totals, null, 2)}\n`);
}
process.exitCode = failed === 0 && empty.length === 0 ? 0 : 1;

async function testServer(): Promise<void> {
  const server = await startServer(process.argv.includes('--worker') ? 'worker' : 'host');
  try {
    for (const [set, selection] of selections) {
      sets.push({ set, ...judge(await scenariosOf(server.url, selection), gaps) });
    }
  } finally {
    server.child.kill('SIGTERM');
  }
  if (everything) return;
  for (const revision of inlineRevisions) {
    const set = `${revision}, handlers in a server of SDK v${revision === '2025-11-25' ? 1 : 2}`;
    sets.push({ set, ...judge(await runInlineSuite(revision, output), gaps) });
  }
}

async function testClient(): Promise<void> {
  for (const revision of revisions) {
    sets.push({ set: `${revision}, client`, ...judge(await runClientSuite(revision, output), gaps) });
  }
}

/** Only a requirement set scores scenarios: outside one, any may be a known gap. */
async function scenariosOf(url: string, selection: readonly string[]): Promise<readonly Scenario[]> {
  const scenarios = await runSuite(url, selection, output);
  return everything ? scenarios.map((scenario) => ({ ...scenario, scored: false })) : scenarios;
}
