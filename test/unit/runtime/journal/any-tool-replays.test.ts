import { all, type Operation, race, run, scoped, sleep, spawn } from 'effection';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bookFlight } from '#examples/workspace/.parley/tools/book-flight/tool.ts';
import { fieldKinds } from '#examples/workspace/.parley/tools/field-kinds.ts';
import { pickCard } from '#examples/workspace/.parley/tools/pick-card/tool.ts';
import { ticTacToe } from '#examples/workspace/.parley/tools/tictactoe/tool.ts';
import type { AnyTool } from '#src/core/tool/tool.ts';
import { noteCodeVersion } from '#src/core/world/code-version.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import type { Session } from '#src/runtime/session/session.ts';
import { eventLoopTurn } from '#src/runtime/time/event-loop.ts';
import { checkReplay, recordMcpTool } from '#src/testing/index.ts';
import { inRings } from '#test/rings.ts';
import { hurryTimers } from '#test/unit/hurry-timers.ts';
import { isElsewhere, said } from '../session-kit.ts';
import { anyPerson } from './any-person.ts';
import { type Ctx, durable, journalOf, prefix } from './journal-kit.ts';

hurryTimers();

describe('each example, taken up after each line of its journal', () => {
  it.each<[string, AnyTool, object, number]>([
    ['pick_card', pickCard, { cards: 5 }, 40],
    ['tictactoe', ticTacToe, { first: 'user' }, 20],
    ['field_kinds', fieldKinds, {}, 40],
    ['book_flight', bookFlight, { from: 'Amsterdam', destination: 'Lisbon' }, 2],
  ])(
    'asks the next question as it did, and comes to the same end: %s',
    async (_, tool, params, runs) => {
      await fc.assert(
        fc.asyncProperty(fc.nat(), async (seed) => {
          const { lines } = await recordMcpTool(tool, params as never, anyPerson(seed));
          const expectFailure = lines.some((line) => line.t === 'end' && line.how === 'error');
          await checkReplay(tool, params as never, anyPerson(seed), { expectFailure });
        }),
        { numRuns: runs },
      );
    },
    60_000,
  );
});

describe('each example, taken up where Parley and its own build are other versions', () => {
  it.each<[string, AnyTool, object]>([
    ['pick_card', pickCard, { cards: 5 }],
    ['tictactoe', ticTacToe, { first: 'user' }],
    ['field_kinds', fieldKinds, {}],
    ['book_flight', bookFlight, { from: 'Amsterdam', destination: 'Lisbon' }],
  ])(
    'goes on as if they were the same: %s',
    async (_, tool, params) => {
      const person = anyPerson(7);
      const ended = (session: Session) => drive(session, person, 'end');
      await run(function* () {
        const manager = yield* createSessionManager();
        const capabilities = person.capabilities();
        noteCodeVersion(tool, 'then');
        const first = yield* manager.create({ tool, params, callId: 'c', capabilities });
        noteCodeVersion(tool, 'now');
        const { time: _time, at: _at, ...end } = yield* ended(first);
        const journal = journalOf(first);
        const lines = journal.lines.filter(({ t }) => t !== 'end');
        for (let count = 0; count <= lines.length; count += 3) {
          yield* scoped(function* () {
            const other = prefix({ header: { ...journal.header, parley: '0.0.1' }, lines }, count);
            // Tokens and time are those that a manager allows now: no part of what was asked.
            const next = yield* createSessionManager({ limits: { call: { maxTokens: 900 } } });
            const session = yield* next.resume({
              tool,
              journal: other,
              capabilities,
              replay: 'strict',
            });
            expect(yield* ended(session), `after ${count} lines`).toMatchObject(end);
          });
        }
      });
    },
    60_000,
  );
});

/** Branches that ask, step and sleep, as deep and wide as `shape` says; with `racing`, until the first is through. */
function branching(shape: readonly number[], racing: boolean) {
  return durable(function* (ctx: Ctx) {
    const told: string[] = [];
    const tasks = [];
    for (const [index, depth] of shape.entries()) {
      tasks.push(
        yield* spawn(() =>
          ctx.branch(function* (branch): Operation<void> {
            for (let level = 0; level <= depth; level++) {
              const before = told.join();
              const { text } = yield* branch.sample({ prompt: `${index}.${level} after ${before}` });
              const step = yield* branch.step(`step ${index}`, () => `did ${text}`);
              if (level % 2 === 1) yield* branch.sleep(0);
              told.push(`${text}/${step}`);
            }
          }),
        ),
      );
    }
    if (racing) yield* race(tasks);
    else yield* all(tasks);
    const answer = yield* ctx.elicit('seat', { message: told.join(' ') });
    return [told, answer.action];
  });
}

describe('branches whose answers come in any order, several in a turn', () => {
  it('stand after a replay of any part where they stood, and come to the same end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(2), { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        fc.infiniteStream(fc.nat(100)),
        async (shape, racing, choices) => {
          const tool = branching(shape, racing);
          const order = [...choices.take(60)];
          const journal = await run(function* () {
            const manager = yield* createSessionManager();
            const session = yield* manager.create({ tool, params: {}, callId: 'c' });
            yield* settled();
            for (const choice of order) {
              if (session.ended()) break;
              const asks = session.openAsks().filter(({ id }) => session.awaitsAnswer(id));
              const ask = asks[choice % Math.max(1, asks.length)];
              if (ask?.kind === 'elicit') session.respond(ask.id, { action: 'decline' });
              else if (ask) session.respond(ask.id, said(`answer ${ask.id}`));
              // Now and then the next one comes in the same turn.
              if (!ask || choice % 3 > 0) yield* settled();
            }
            yield* settled();
            return journalOf(session);
          });
          const whole = journal.lines.filter(({ t }) => t !== 'end');
          for (let count = 0; count <= whole.length; count++) {
            await run(function* () {
              const manager = yield* createSessionManager();
              const session = yield* manager.resume({
                tool,
                journal: prefix({ ...journal, lines: whole }, count),
              });
              yield* settled();
              expect(session.ended()?.type).not.toBe('error');
              // What opens is what opened: the same ids, the same words.
              const opened = new Map(
                whole.flatMap((line) => (line.t === 'open' ? [[line.id, line.says] as const] : [])),
              );
              if (count < whole.length) return;
              for (const line of journalOf(session).lines) {
                if (line.t === 'open') expect(line.says).toBe(opened.get(line.id));
              }
            });
          }
        },
      ),
      // In a realm each takes ten times as long.
      { numRuns: isElsewhere ? (inRings([10], [40]).at(-1) ?? 0) : 40 },
    );
  }, 120_000);
});

function* settled(): Operation<void> {
  for (let turn = 0; turn < 6; turn++) yield* eventLoopTurn();
  yield* sleep(1);
  for (let turn = 0; turn < 3; turn++) yield* eventLoopTurn();
}
