import { type Operation, run, scoped } from 'effection';
import * as z from 'zod';
import { createMcpTool } from '#src/core/index.ts';
import type { AnyPlugin } from '#src/core/plugin/plugin.ts';
import type { ClientCapabilities } from '#src/core/tool/context.ts';
import type { AnyTool } from '#src/core/tool/tool.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import type { Journal } from '#src/runtime/journal/lines.ts';
import { DONE, Recorder } from '#src/runtime/journal/recorder.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import type { Client } from '#src/runtime/session/client.ts';
import { type RemoteKit, source, useRemoteKit } from '../unit/isolation/remote-kit.ts';
import { compare, type Entrant, stateless } from './mcp.bench.ts';
import { type BenchServer, startServer } from './mcp-wire.ts';
import { measure } from './measure.ts';
import { limitRow, type Row, ratioRow, spread } from './report.ts';
import { managerScope } from './rig.ts';

const capabilities: ClientCapabilities = { elicitation: { form: true }, sampling: { tools: true } };
const client: Client = {
  name: 'script',
  capabilities: () => capabilities,
  can: () => true,
  *elicit() {
    return { action: 'accept', content: { row: 4 } };
  },
  *sample() {
    return { role: 'assistant', content: { type: 'text', text: 'hello' }, model: 'script' };
  },
};

/** What journals cost: in memory, on replay, on the wire, and where thousands of calls wait. */
export async function journalRows(): Promise<readonly Row[]> {
  return [...(await memoryRows()), ...(await replayRows()), ...(await legRows())];
}

/** Calls whose lines are kept in memory against the same calls whose lines are dropped. */
async function memoryRows(): Promise<readonly Row[]> {
  const { manager, scope, close } = await managerScope();
  const tool = (name: string, samplings: number) =>
    createMcpTool(name)
      .description('Part of the bench')
      .parameters(z.object({}))
      .elicits({})
      .execute(function* (_, ctx) {
        for (let n = 0; n < samplings; n++) yield* ctx.sample({ prompt: 'hi' });
      });
  const through = (one: AnyTool) => () =>
    scope.run(function* (): Operation<unknown> {
      const session = yield* manager.create({ tool: one, params: {}, capabilities });
      return yield* drive(session, client, 'end');
    });
  const { write } = Recorder.prototype;
  const dropping = (work: () => Promise<unknown>) => async () => {
    Recorder.prototype.write = (_entry, deliver) => {
      deliver?.();
      return DONE;
    };
    try {
      return await work();
    } finally {
      Recorder.prototype.write = write;
    }
  };
  try {
    const rows: Row[] = [];
    for (const [what, samplings] of [
      ['echo', 0],
      ['20 samplings', 20],
    ] as const) {
      const call = through(tool('part', samplings));
      const [dropped, kept] = await measure(
        [
          { name: 'dropped', run: dropping(call) },
          { name: 'kept', run: call },
        ],
        { rounds: 15 },
      );
      rows.push(
        ratioRow(`${what}: journal in memory, against its lines dropped`, kept?.ms ?? [], dropped?.ms ?? [], {
          target: 1.05,
        }),
      );
    }
    return rows;
  } finally {
    await close();
  }
}

const QUESTIONS = 334;

/** Taking up a call with a journal of a thousand lines. */
async function replayRows(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [place, most] of [
    ['host', 50],
    ['worker', 300],
  ] as const) {
    const taken = await run(() =>
      scoped(function* () {
        const kit: RemoteKit = yield* useRemoteKit(place);
        const tool = yield* kit.tool(
          source(
            `for (let n = 0; n < ${QUESTIONS / 2}; n++) {
               const seat = yield* ctx.elicit.strict('seat', { message: 'Which ' + n + '?' });
               yield* ctx.step('note', () => seat.row, { reads: true });
               yield* ctx.sample({ prompt: 'about ' + n });
             }
             yield* ctx.elicit('seat', { message: 'Last?' });`,
            { steps: '.durable()' },
          ),
        );
        const journal = yield* recorded(tool);
        const times: number[] = [];
        for (let round = 0; round < 12; round++) times.push(yield* takenUp(tool, journal));
        return times.slice(3);
      }),
    );
    rows.push(limitRow(`a journal of 1,003 lines replayed, warm ${place}`, taken, most, 'ms'));
  }
  return rows;
}

function* recorded(tool: AnyTool | AnyPlugin): Operation<Journal> {
  return yield* scoped(function* () {
    const manager = yield* createSessionManager();
    const session = yield* manager.create({ tool, params: {}, capabilities });
    yield* drive(session, client, 'end');
    const { header, lines } = session.journal();
    const last = lines.findLastIndex(({ t }) => t === 'open');
    return structuredClone({ header, lines: lines.slice(0, last + 1) });
  });
}

function* takenUp(tool: AnyTool | AnyPlugin, journal: Journal): Operation<number> {
  return yield* scoped(function* () {
    const manager = yield* createSessionManager();
    const copy = structuredClone(journal);
    const start = performance.now();
    const session = yield* manager.resume({ tool, journal: copy, capabilities });
    const ms = performance.now() - start;
    if (session.openAsks().length !== 1) throw new Error('it is not where it was');
    return ms;
  });
}

const answers = { first: 'red', second: 'green', third: 'blue' };

/** A call of three questions, each answered with a request of its own: to one server, or to two in turn. */
export function threeLegs(name: string, server: BenchServer, other = server): Entrant {
  const cpu = async () => (await server.cpu()) + (await other.cpu());
  return {
    name,
    server: server === other ? server : { ...server, cpu },
    async run() {
      let more: object = {};
      let text = (await stateless(server, 'three')).text;
      let next = other;
      for (const [key, colour] of Object.entries(answers)) {
        const { requestState } = (JSON.parse(text) as { result: { requestState: string } }).result;
        more = { requestState, inputResponses: { [key]: { action: 'accept', content: { colour } } } };
        text = (await stateless(next, 'three', more)).text;
        next = next === server ? other : server;
      }
      if (!text.includes('blue')) throw new Error(`${name} answered ${text}`);
    },
  };
}

/** Calls that wait; each is written to the disk before its client hears of it. */
const WAITING = 10_000;

async function legRows(): Promise<readonly Row[]> {
  const kinds = ['parley', 'carried', 'carried', 'stored'];
  const servers = await Promise.all(kinds.map((kind) => startServer(kind, 'http')));
  const [waiting, carried, other, stored] = servers as [BenchServer, BenchServer, BenchServer, BenchServer];
  try {
    const [base, here, elsewhere] = await compare([
      threeLegs('blocked', waiting),
      threeLegs('carried', carried),
      threeLegs('carried to another server', carried, other),
    ]);
    const row = (more: string, cpu: readonly number[] = [], target?: number) =>
      ratioRow(`three questions: carried against waiting, server CPU${more}`, cpu, base?.cpu ?? [], {
        target,
        note: `${spread(cpu)} µs`,
      });
    return [
      row('', here?.cpu, 1.3),
      row(', each leg at another server', elsewhere?.cpu),
      await waitingRow(stored, WAITING, 'in SQLite'),
    ];
  } finally {
    for (const server of servers) server.stop();
  }
}

/** Memory that calls take up while they wait in a store. */
export async function waitingRow(server: BenchServer, waiting: number, where: string): Promise<Row> {
  const wait = async (count: number) => {
    let left = count;
    const worker = async () => {
      while (left-- > 0) await stateless(server, 'three');
    };
    await Promise.all(Array.from({ length: 32 }, worker));
    return await server.memory();
  };
  const before = await wait(500);
  const bytes = ((await wait(waiting)) - before) / waiting;
  const what = `${waiting.toLocaleString('en')} calls that wait ${where}: memory a call`;
  return limitRow(what, [bytes], 100, 'bytes');
}
