import { type BenchServer, handshake, post, STATELESS, startServer, stdioCaller } from './mcp-wire.ts';
import { limitRow, type Row, ratioRow, spread } from './report.ts';

/** One server doing one job. */
export interface Entrant {
  readonly name: string;
  readonly server: BenchServer;
  run(): Promise<void>;
}

/** What an entrant's calls cost in each round: microseconds of the server's CPU a call, and how many a second came through. */
export interface Cost {
  readonly name: string;
  readonly cpu: readonly number[];
  readonly rate: readonly number[];
}

const ROUNDS = 7;
/** Rounds before: a server runs for hours, and what it costs before its code is compiled is soon forgotten. */
const WARM_UP = 3;
/**
 * A round of an entrant is many short turns between those of the others: a call on a pipe takes 30 µs, so that one collection of garbage, or
 * a machine that is busy for a moment, doubled what a turn of 400 calls cost.
 */
const TURNS = 20;
const CALLS = 100;
const AT_ONCE = 8;

/** Entrants take turns, so that a machine that slows down hurts none. */
export async function compare(entrants: readonly Entrant[]): Promise<readonly Cost[]> {
  const costs = entrants.map(({ name }) => ({ name, cpu: [] as number[], rate: [] as number[] }));
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const spent = entrants.map(() => ({ cpu: 0, seconds: 0 }));
    for (let turn = 0; turn < TURNS; turn++) {
      for (const [index, entrant] of entrants.entries()) {
        const { cpu, seconds } = await turnOf(entrant);
        const sum = spent[index];
        if (!sum) continue;
        sum.cpu += cpu;
        sum.seconds += seconds;
      }
    }
    if (round < 0) continue;
    for (const [index, { cpu, seconds }] of spent.entries()) {
      costs[index]?.cpu.push(cpu / (TURNS * CALLS));
      costs[index]?.rate.push((TURNS * CALLS) / seconds);
    }
  }
  return costs;
}

async function turnOf({ server, run }: Entrant): Promise<{ readonly cpu: number; readonly seconds: number }> {
  const before = await server.cpu();
  const start = performance.now();
  let left = CALLS;
  const worker = async () => {
    while (left-- > 0) await run();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const seconds = (performance.now() - start) / 1000;
  return { cpu: (await server.cpu()) - before, seconds };
}

/** A line for each of them. */
export function costRows(job: string, costs: readonly Cost[]): readonly Row[] {
  return costs.map(({ name, cpu, rate }) => ({
    what: `${job}: ${name}`,
    figure: `${spread(cpu)} µs CPU, ${spread(rate)}/s`,
  }));
}

let ids = 0;
const callOf = (name: string) => ({ name, arguments: { text: 'hi' } });

async function echo2025(name: string, server: BenchServer, tool = 'echo'): Promise<Entrant> {
  const headers = await handshake(server.port);
  return {
    name,
    server,
    async run() {
      const { text } = await post(server.port, headers, {
        jsonrpc: '2.0',
        id: ++ids,
        method: 'tools/call',
        params: callOf(tool),
      });
      if (!text.includes('"hi"')) throw new Error(`${name} answered ${text}`);
    },
  };
}

async function ask2025(name: string, server: BenchServer): Promise<Entrant> {
  const headers = await handshake(server.port);
  return {
    name,
    server,
    async run() {
      let answered = false;
      const body = { jsonrpc: '2.0', id: ++ids, method: 'tools/call', params: callOf('ask') };
      const { text } = await post(server.port, headers, body, (seen) => {
        if (answered) return;
        const data = seen
          .split('\n')
          .find((line) => line.startsWith('data:') && line.includes('elicitation/create'));
        if (!data || !seen.endsWith('\n\n')) return;
        answered = true;
        const { id } = JSON.parse(data.slice(5)) as { id: number };
        const result = { action: 'accept', content: { colour: 'blue' } };
        post(server.port, headers, { jsonrpc: '2.0', id, result }).catch(() => {});
      });
      if (!text.includes('blue')) throw new Error(`${name} answered ${text}`);
    },
  };
}

export function stateless(server: BenchServer, name: string, more: object = {}): Promise<{ text: string }> {
  const params = { ...callOf(name), _meta: STATELESS.meta, ...more };
  return post(server.port, STATELESS.headers(name), {
    jsonrpc: '2.0',
    id: ++ids,
    method: 'tools/call',
    params,
  });
}

function echo2026(name: string, server: BenchServer): Entrant {
  return {
    name,
    server,
    async run() {
      const { text } = await stateless(server, 'echo');
      if (!text.includes('"hi"')) throw new Error(`${name} answered ${text}`);
    },
  };
}

const inputResponses = { colour: { action: 'accept', content: { colour: 'blue' } } };

function ask2026(name: string, server: BenchServer): Entrant {
  return {
    name,
    server,
    async run() {
      const { text } = await stateless(server, 'ask');
      const { requestState } = (JSON.parse(text) as { result: { requestState: string } }).result;
      const done = await stateless(server, 'ask', { requestState, inputResponses });
      if (!done.text.includes('blue')) throw new Error(`${name} answered ${done.text}`);
    },
  };
}

async function echoStdio(name: string, server: BenchServer, tool = 'echo'): Promise<Entrant> {
  const call = await stdioCaller(server);
  // A pipe is one line of requests: they take turns.
  let turn: Promise<unknown> = Promise.resolve();
  return {
    name,
    server,
    async run() {
      const own = turn.then(() => call({ method: 'tools/call', params: callOf(tool) }));
      turn = own.catch(() => {});
      if (!(await own).includes('hi')) throw new Error(`${name} did not echo`);
    },
  };
}

function rowsOf(job: string, costs: readonly Cost[]): readonly Row[] {
  const [raw, ours, ...others] = costs;
  const against = (other: Cost | undefined, target: number) =>
    ratioRow(`${job}: Parley against ${other?.name}, server CPU`, ours?.cpu ?? [], other?.cpu ?? [], {
      target,
    });
  return [...costRows(job, costs), against(raw, 1.1), ...others.map((other) => against(other, 1))];
}

/**
 * What a gateway adds to a call: its process against that of the server when it is called directly, on pipes and over HTTP. A proxy of
 * nothing but the SDK says how little it can be.
 */
export async function gatewayRows(): Promise<readonly Row[]> {
  return [...(await gatewayRow('stdio', echoStdio)), ...(await gatewayRow('http', echo2025))];
}

/** The server behind the gateway is the same, reached in the same way, and does the same as without it. */
async function gatewayRow(
  transport: 'http' | 'stdio',
  echo: (name: string, server: BenchServer, tool?: string) => Promise<Entrant>,
): Promise<readonly Row[]> {
  const kinds = ['raw-v1', 'gateway', 'bare-proxy', 'pump'];
  const servers = await Promise.all(kinds.map((kind) => startServer(kind, transport)));
  try {
    const [direct, through, bare, pump] = servers;
    if (!direct || !through || !bare || !pump) throw new Error('a server is missing');
    const costs = await compare([
      await echo('the server itself', direct),
      await echo('the gateway', through, 'behind__echo'),
      await echo('a bare proxy of the SDK', bare),
      await echo('bytes handed on unread', pump),
    ]);
    const [own, ours, least, bytes] = costs.map(({ cpu }) => cpu);
    const adds = (what: string, cpu: readonly number[] = [], target?: number) =>
      ratioRow(`a call ${what}, ${transport}: CPU that it adds`, cpu, own ?? [], { target });
    return [
      ...costRows(`echo, ${transport}, its own process`, costs),
      adds('whose bytes are handed on unread', bytes),
      adds('through a bare proxy of the SDK', least),
      adds('through the gateway', ours, 1),
      ratioRow(
        `a call through the gateway, ${transport}: its CPU against a bare proxy's`,
        ours ?? [],
        least ?? [],
      ),
    ];
  } finally {
    for (const server of servers) server.stop();
  }
}

const WAITING = 10_000;

async function parkedRows(server: BenchServer): Promise<readonly Row[]> {
  const before = await server.memory();
  const states: string[] = [];
  let left = WAITING;
  const worker = async () => {
    while (left-- > 0) {
      const { text } = await stateless(server, 'ask');
      states.push((JSON.parse(text) as { result: { requestState: string } }).result.requestState);
    }
  };
  await Promise.all(Array.from({ length: 32 }, worker));
  const after = await server.memory();
  const took: number[] = [];
  for (const requestState of states.slice(0, 300)) {
    const start = performance.now();
    const { text } = await stateless(server, 'ask', { requestState, inputResponses });
    took.push(performance.now() - start);
    if (!text.includes('blue')) throw new Error(`a waiting call answered ${text}`);
  }
  const kib = (after - before) / WAITING / 1024;
  return [
    limitRow(`${WAITING} waiting calls: memory a call`, [kib], 25, 'KiB'),
    { what: `${WAITING} waiting calls: to go on with one`, figure: `${spread(took, 2)} ms` },
  ];
}

/** Parley against the raw SDK of the same era, and against `fastmcp`: server CPU and rate, on HTTP and stdio. */
export async function mcpRows(): Promise<readonly Row[]> {
  const started: BenchServer[] = [];
  const start = async (kind: string, transport: 'http' | 'stdio' = 'http') => {
    const server = await startServer(kind, transport);
    started.push(server);
    return server;
  };
  try {
    const [v1, v2, parley, fast] = [
      await start('raw-v1'),
      await start('raw-v2'),
      await start('parley'),
      await start('fastmcp'),
    ];
    const pipes = [
      await start('raw-v1', 'stdio'),
      await start('parley', 'stdio'),
      await start('fastmcp', 'stdio'),
    ] as const;
    return [
      ...rowsOf(
        '2025 echo, HTTP',
        await compare([
          await echo2025('raw SDK v1', v1),
          await echo2025('Parley', parley),
          await echo2025('fastmcp', fast),
        ]),
      ),
      ...rowsOf(
        '2025 one question, HTTP',
        await compare([await ask2025('raw SDK v1', v1), await ask2025('Parley', parley)]),
      ),
      ...rowsOf('2026 echo, HTTP', await compare([echo2026('raw SDK v2', v2), echo2026('Parley', parley)])),
      ...rowsOf(
        '2026 one question, HTTP',
        await compare([ask2026('raw SDK v2', v2), ask2026('Parley', parley)]),
      ),
      ...rowsOf(
        '2025 echo, stdio',
        await compare([
          await echoStdio('raw SDK v1', pipes[0]),
          await echoStdio('Parley', pipes[1]),
          await echoStdio('fastmcp', pipes[2]),
        ]),
      ),
      ...(await parkedRows(parley)),
    ];
  } finally {
    for (const server of started) server.stop();
  }
}
