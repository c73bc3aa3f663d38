import { cpus } from 'node:os';
import { startPostgres } from '#test/harness/postgres/postgres.ts';
import { threeLegs, waitingRow } from './journal.bench.ts';
import { compare, costRows } from './mcp.bench.ts';
import { type BenchServer, startServer } from './mcp-wire.ts';
import { median } from './measure.ts';
import { type Row, ratioRow, spread } from './report.ts';

/** `PARLEY_BENCH_WAITING=5000` is a smaller form of the last row. */
const WAITING = Number(process.env.PARLEY_BENCH_WAITING ?? 100_000);
const REPLICAS = 3;
const CALLS = 600;
const ROUNDS = 3;

/** Three replicas, PostgreSQL and who calls have a core each, or they wait for each other. */
const ENOUGH = REPLICAS + 2;

/** What PostgreSQL costs a server, and what more servers give. */
export async function teamRows(): Promise<readonly Row[]> {
  const postgres = await startPostgres({ max_connections: '80' });
  process.env.PARLEY_BENCH_POSTGRES = postgres.url;
  const started: BenchServer[] = [];
  const start = async (kind: string) => {
    const server = await startServer(kind, 'http');
    started.push(server);
    return server;
  };
  try {
    const [memory, bare, kept] = [
      await start('parley'),
      await start('bare-postgres'),
      await start('postgres'),
    ];
    const costs = await compare([
      threeLegs('in memory', memory),
      threeLegs('a bare insert and select', bare),
      threeLegs('in PostgreSQL', kept),
    ]);
    const [plain, raw, ours] = costs.map(({ cpu }) => cpu);
    const others = await Promise.all(Array.from({ length: REPLICAS - 1 }, () => start('postgres')));
    return [
      ...costRows('three questions', costs),
      ratioRow('three questions: PostgreSQL against memory, server CPU', ours ?? [], plain ?? [], {
        target: 3,
      }),
      ratioRow(
        'three questions: PostgreSQL against a bare insert and select, server CPU',
        ours ?? [],
        raw ?? [],
        { target: 2 },
      ),
      await scaleRow(kept, [kept, ...others]),
      await waitingRow(kept, WAITING, 'in PostgreSQL'),
    ];
  } finally {
    for (const server of started) server.stop();
    delete process.env.PARLEY_BENCH_POSTGRES;
    await postgres.close();
  }
}

/** Calls a second at one server, and at several: each call goes to the next. */
async function scaleRow(one: BenchServer, all: readonly BenchServer[]): Promise<Row> {
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await rateOf([one]);
    ratios.push((await rateOf(all)) / alone);
  }
  const cores = cpus().length;
  const what = `${REPLICAS} replicas against one, calls of three questions a second`;
  const figure = `${spread(ratios, 2)}× (${cores} cores)`;
  return cores < ENOUGH ? { what, figure } : { what, figure, target: '≥ 2.0×', met: median(ratios) >= 2 };
}

async function rateOf(servers: readonly BenchServer[]): Promise<number> {
  const entrants = servers.map((server) => threeLegs('a replica', server));
  let left = CALLS;
  const start = performance.now();
  const worker = async (_: unknown, index: number) => {
    while (left-- > 0) await entrants[(index + left) % entrants.length]?.run();
  };
  await Promise.all(Array.from({ length: 24 }, worker));
  return CALLS / ((performance.now() - start) / 1000);
}
