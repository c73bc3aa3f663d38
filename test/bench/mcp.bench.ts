import { type BenchServer, handshake, post, STATELESS, startServer, stdioCaller } from './mcp-wire.ts';
import { median } from './measure.ts';
import { limitRow, type Row, ratioRow } from './report.ts';

/** One server doing one job. */
export interface Entrant {
  readonly name: string;
  readonly server: BenchServer;
  run(): Promise<void>;
}

/** What an entrant's calls cost: microseconds of the server's CPU, and how many a second came through. */
export interface Cost {
  readonly name: string;
  readonly cpu: number;
  readonly rate: number;
  /** CPU against the first entrant: the median of the ratios of each round. */
  readonly ratio: number;
}

const ROUNDS = 5;
/** Rounds before: a server runs for hours, and what it costs before its code is compiled is soon forgotten. */
const WARM_UP = 12;
const CALLS = 400;
const AT_ONCE = 8;

/** Entrants take turns, so that a machine that slows down hurts none. */
export async function compare(entrants: readonly Entrant[]): Promise<readonly Cost[]> {
  const cpu: number[][] = entrants.map(() => []);
  const rate: number[][] = entrants.map(() => []);
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const [index, { server, run }] of entrants.entries()) {
      const before = await server.cpu();
      const start = performance.now();
      let left = CALLS;
      const worker = async () => {
        while (left-- > 0) await run();
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      const seconds = (performance.now() - start) / 1000;
      const after = await server.cpu();
      if (round < 0) continue;
      cpu[index]?.push((after - before) / CALLS);
      rate[index]?.push(CALLS / seconds);
    }
  }
  return entrants.map(({ name }, index) => ({
    name,
    cpu: median(cpu[index] ?? []),
    rate: median(rate[index] ?? []),
    ratio: median((cpu[index] ?? []).map((one, round) => one / (cpu[0]?.[round] ?? Number.NaN))),
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
  const lines = costs.map(({ name, cpu, rate }) => ({
    what: `${job}: ${name}`,
    figure: `${cpu.toFixed(0)} µs CPU, ${rate.toFixed(0)}/s`,
  }));
  const [, ours] = costs;
  const others = costs
    .slice(2)
    .map(({ name, cpu }) =>
      ratioRow(`${job}: Parley against ${name}, server CPU`, (ours?.cpu ?? Number.NaN) / cpu, 1),
    );
  return [
    ...lines,
    ratioRow(`${job}: Parley against the raw SDK, server CPU`, ours?.ratio ?? Number.NaN, 1.1),
    ...others,
  ];
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
    const [, gateway, proxy, bytes] = costs.map(({ ratio }) => ratio);
    const [, ours, least] = costs.map(({ cpu }) => cpu);
    return [
      ...costs.map(({ name, cpu, rate }) => ({
        what: `echo, ${transport}: ${name}, its own process`,
        figure: `${cpu.toFixed(0)} µs CPU, ${rate.toFixed(0)}/s`,
      })),
      ratioRow(
        `a call whose bytes are handed on unread, ${transport}: CPU that it adds`,
        bytes ?? Number.NaN,
      ),
      ratioRow(`a call through a bare proxy of the SDK, ${transport}: CPU that it adds`, proxy ?? Number.NaN),
      ratioRow(`a call through the gateway, ${transport}: CPU that it adds`, gateway ?? Number.NaN, 1),
      ratioRow(
        `a call through the gateway, ${transport}: its CPU against a bare proxy's`,
        (ours ?? Number.NaN) / (least ?? Number.NaN),
      ),
    ];
  } finally {
    for (const server of servers) server.stop();
  }
}

const PARKED = 10_000;

async function parkedRows(server: BenchServer): Promise<readonly Row[]> {
  const before = await server.memory();
  const states: string[] = [];
  let left = PARKED;
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
    if (!text.includes('blue')) throw new Error(`a parked call answered ${text}`);
  }
  const kib = (after - before) / PARKED / 1024;
  return [
    limitRow(`${PARKED} parked calls: memory a call`, kib, 10, 'KiB'),
    { what: `${PARKED} parked calls: resume, median`, figure: `${median(took).toFixed(2)} ms` },
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
