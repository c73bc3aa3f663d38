import { type Operation, run, scoped, sleep } from 'effection';
import { describe, expect, it } from 'vitest';
import { toolOf } from '#src/core/plugin/offer.ts';
import type { AnyPlugin } from '#src/core/plugin/plugin.ts';
import type { ClientCapabilities } from '#src/core/tool/context.ts';
import type { AnyTool } from '#src/core/tool/tool.ts';
import { ToolDirectoryContext } from '#src/runtime/context/tool-directory.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import type { Journal } from '#src/runtime/journal/lines.ts';
import { Replay } from '#src/runtime/journal/replay/replay.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import { eventLoopTurn } from '#src/runtime/time/event-loop.ts';
import { createMockMcpClient } from '#src/testing/index.ts';
import { journalOf, prefix, shortly } from '../runtime/journal/journal-kit.ts';
import { accept } from '../runtime/session-kit.ts';
import { type Place, type RemoteKit, source, useRemoteKit } from './remote-kit.ts';

const durable = { steps: '.durable()' };

const person = () =>
  createMockMcpClient({
    elicitResponses: { seat: accept({ row: 4 }), elicit: accept({}) },
    sampleResponses: ({ messages }) => `on ${JSON.stringify(messages).length}`,
  });

const capabilities = person().capabilities();

/** What a tool is, in a realm of its own. */
function inRealm<T>(place: Place, body: (kit: RemoteKit) => Operation<T>): Promise<T> {
  return run(() =>
    scoped(function* () {
      return yield* body(yield* useRemoteKit(place));
    }),
  );
}

function* recorded(tool: AnyTool | AnyPlugin): Operation<Journal> {
  const manager = yield* createSessionManager();
  const session = yield* manager.create({ tool, params: {}, callId: 'c', capabilities });
  yield* drive(session, person(), 'end');
  const journal = journalOf(session);
  return { ...journal, lines: journal.lines.filter(({ t }) => t !== 'end') };
}

function* settled(): Operation<void> {
  for (let turn = 0; turn < 6; turn++) yield* eventLoopTurn();
  yield* sleep(1);
  for (let turn = 0; turn < 6; turn++) yield* eventLoopTurn();
}

const seat = (message: string) => `yield* ctx.elicit.strict('seat', { message: '${message}' });`;
const sample = (prompt: string) => `yield* ctx.sample({ prompt: '${prompt}' });`;
const step = (name: string) => `yield* ctx.step('${name}', () => 1);`;
const both = (one: string, other: string) =>
  `const one = yield* spawn(() => ctx.branch(function* (ctx) { ${one} }));
   const other = yield* spawn(() => ctx.branch(function* (ctx) { ${other} }));
   yield* one; yield* other;`;

/** The first is answered, and the second not waited for. */
const letGo = `
  const one = yield* spawn(() => ctx.branch(function* (ctx) { ${sample('A')} }));
  const other = yield* spawn(() => ctx.branch(function* (ctx) { ${sample('B')} }));
  yield* one; yield* other.halt(); ${seat('C')}`;

/** What a tool did, what it does now, and how many lines of its journal there are; all, where nothing is said. */
const changes: Record<string, readonly [then: string, now: string, count?: number]> = {
  'asks with other words': [seat('A') + sample('B') + seat('C'), seat('A') + sample('other') + seat('C')],
  'ends sooner': [seat('A') + step('B') + seat('C'), seat('A') + step('B')],
  'fails sooner': [seat('A') + step('B') + seat('C'), `${seat('A')} throw new Error('now');`],
  'begins a step where it asked': [seat('A') + seat('B'), seat('A') + step('B')],
  'asks before it sleeps': [`${seat('A')} yield* ctx.sleep(1); ${seat('B')}`, seat('A') + seat('B')],
  'lets go of what it waited for': [both(sample('A'), sample('B')), letGo, 3],
  'lets go of what was answered': [both(sample('A'), sample('B')), letGo, 4],
  'asks more at once': [sample('A') + seat('B'), both(sample('A'), sample('more')) + seat('B'), 1],
};

/** The journal of a tool as it was then, which ran here. */
const recordedHere = (code: string) =>
  inRealm('host', function* (kit) {
    return yield* recorded(yield* kit.tool(code));
  });

describe('a tool that does something else than then', () => {
  it.each(Object.entries(changes))('is judged alike wherever it is replayed: it %s', async (_, change) => {
    const [then, now, count] = change;
    const journal = await recordedHere(source(then, durable));
    const [here, there] = await Promise.all(
      (['host', 'linked'] as const).map((place) =>
        inRealm(place, function* (kit) {
          const tool = yield* kit.tool(source(now, durable));
          const manager = yield* createSessionManager();
          const session = yield* manager.resume({
            tool,
            journal: prefix(journal, count ?? journal.lines.length),
            capabilities,
          });
          yield* settled();
          const end = session.ended();
          return {
            error: end?.type === 'error' && end.error.message,
            result: end?.type,
            asks: session.openAsks().map(({ id, wireKey, attempt }) => [id, wireKey, attempt]),
            lines: journalOf(session).lines.map(shortly),
          };
        }),
      ),
    );
    expect(there).toEqual(here);
  });
});

describe('a schema that is another now, or takes its time', () => {
  const asking = (schema: string) =>
    source(
      `const { content } = yield* ctx.elicit({ message: 'Which?', schema: z.object({ text: z.string()${schema} }) });
       ${sample('next')} return content.text;`,
      durable,
    );
  const typing = createMockMcpClient({
    elicitResponses: { elicit: accept({ text: 'four' }) },
    sampleResponses: () => 'hi',
  });

  it.each([
    ['refuses what fitted', `.refine(() => false, 'never')`],
    ['refuses it later', `.refine(async () => false, 'never')`],
    ['takes it later', `.refine(async () => true, 'never')`],
  ])('is judged alike wherever the tool is replayed: it %s', (_, schema) =>
    Promise.all(
      (['host', 'linked'] as const).map((place) =>
        inRealm(place, function* (kit) {
          const manager = yield* createSessionManager();
          const first = yield* manager.create({
            tool: yield* kit.tool(asking('')),
            params: {},
            callId: 'c',
            capabilities,
          });
          yield* drive(first, typing, 'end');
          const results: unknown[] = [];
          for (const count of [2, 3]) {
            const other = yield* createSessionManager();
            const session = yield* other.resume({
              tool: yield* kit.tool(asking(schema)),
              journal: prefix(journalOf(first), count),
              capabilities,
            });
            yield* drive(session, typing, 'end');
            const end = session.ended();
            results.push(end?.type === 'error' ? end.error.message : end?.type);
          }
          return results;
        }),
      ),
    ).then(([here, there]) => {
      expect(here).toHaveLength(2);
      expect(there).toEqual(here);
    }),
  );
});

describe('a replay of a tool in another realm', () => {
  it('reports once what it reported then, and what is new, as here', () =>
    Promise.all(
      (['host', 'linked'] as const).map((place) =>
        inRealm(place, function* (kit) {
          const tool = yield* kit.tool(
            source(
              `yield* ctx.log('info', 'begins'); ${seat('A')} yield* ctx.log('info', 'between');
               ${step('B')} yield* ctx.log('info', 'after the step'); ${sample('C')} yield* ctx.log('info', 'ends');`,
              durable,
            ),
          );
          const journal = yield* recorded(tool);
          const logs: string[][] = [];
          for (let count = 1; count <= journal.lines.length; count++) {
            const manager = yield* createSessionManager();
            const session = yield* manager.resume({ tool, journal: prefix(journal, count), capabilities });
            yield* drive(session, person(), 'end');
            logs.push(session.events().map((event) => (event.type === 'log' ? event.message : event.type)));
          }
          return logs;
        }),
      ),
    ).then(([here, there]) => {
      expect(here?.length).toBeGreaterThan(5);
      expect(there).toEqual(here);
    }));

  it('goes through a call of another tool, from any line', () =>
    inRealm('linked', function* (kit) {
      const inner = yield* kit.tool(source(`${seat('inner')} return 'in';`, durable));
      yield* ToolDirectoryContext.set(
        (name, given) => given ?? (name === 'inner' ? toolOf(inner) : undefined),
      );
      const tool = yield* kit.tool(
        source(
          `${seat('A')} ${step('B')} const got = yield* ctx.call('inner', {}); ${sample('C')} ${seat('D')} return got;`,
          durable,
        ),
      );
      const journal = yield* recorded(tool);
      expect(journal.lines.filter(({ t }) => t === 'open')).toHaveLength(4);
      for (let count = 0; count <= journal.lines.length; count++) {
        const manager = yield* createSessionManager();
        const session = yield* manager.resume({ tool, journal: prefix(journal, count), capabilities });
        yield* drive(session, person(), 'end');
        expect(session.ended(), `after ${count} lines`).toMatchObject({ type: 'result', value: 'in' });
      }
    }));

  it('has the capabilities of then, also where they changed meanwhile', () =>
    Promise.all(
      (['host', 'linked'] as const).map((place) =>
        inRealm(place, function* (kit) {
          const tool = yield* kit.tool(
            source(
              `const seen = [];
               for (let n = 0; n < 3; n++) { ${seat('A')} seen.push(ctx.capabilities.sampling?.tools); }
               ${seat('last')} return seen;`,
              durable,
            ),
          );
          const journal = yield* recorded(tool);
          const answered = journal.lines.findIndex(({ t }) => t === 'answer');
          const changed = { t: 'capabilities', capabilities: other, ms: 0 } as const;
          const lines = journal.lines.toSpliced(answered, 0, changed).slice(0, -1);
          const manager = yield* createSessionManager();
          const session = yield* manager.resume({ tool, journal: { ...journal, lines }, capabilities });
          yield* drive(session, person(), 'end');
          return session.ended();
        }),
      ),
    ).then(([here, there]) => {
      expect(here).toMatchObject({ type: 'result', value: [false, false, false] });
      expect(there).toMatchObject({ type: 'result', value: [false, false, false] });
    }));
});

it('a tool that stands still is judged only where it did nothing since it was looked at last', () =>
  run(function* () {
    // Time that passes when it is told to: timers fire at once, whatever they were set to.
    const fires: (() => void)[] = [];
    const startTimer = (_: number, fire: () => void) => {
      fires.push(fire);
      return () => {};
    };
    const judged: unknown[] = [];
    const call = {
      time: { now: () => 0, ticks: () => 0, startTimer },
      caughtUp: setImmediate,
      deliver() {},
      note() {},
      done() {},
      diverged: (how: object) => judged.push(how),
    };
    const line = { t: 'open', kind: 'elicit', key: 'seat', depth: 0, print: 'x', says: 'A', ms: 0 } as const;
    const lines = ['elicit-1', 'elicit-2'].map((id, index) => ({ line: { ...line, id }, index }));
    const replay = new Replay(call, lines, 'lenient-reads');
    replay.start();
    while (fires.length === 0) yield* eventLoopTurn();
    const asks = { t: 'open', kind: 'elicit', name: undefined, depth: 0, said: { words: 'A' } } as const;
    expect(replay.match(asks)).toMatchObject({ id: 'elicit-1' });
    fires.shift()?.();
    expect(judged).toEqual([]);
    fires.shift()?.();
    expect(judged).toMatchObject([{ line: 2, does: 'has done nothing for 10 s' }]);
  }));

const other: ClientCapabilities = { elicitation: { form: true }, sampling: { tools: false } };
