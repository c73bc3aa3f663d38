import { ensure, type Operation, spawn, suspend } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import type { AnyTool } from '#src/core/tool/tool.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import type { SessionManager } from '#src/runtime/manager/manager.ts';
import type { Session } from '#src/runtime/session/session.ts';
import { accept, clientOf, endOf, rejects, row, settle, typesOf, withManager } from '../session-kit.ts';
import { journalOf, resumed, shortly } from './journal-kit.ts';

interface Version {
  readonly seat?: string;
  readonly meal?: string;
  readonly sure?: string;
  readonly parameters?: z.ZodType;
  readonly world?: string[];
  readonly fails?: boolean;
  readonly durable?: boolean;
}

const questions = { seat: z.object({ row: z.int() }), meal: z.object({ dish: z.string() }) };

/** A tool that asks for a seat, books it, and asks for a meal. */
function version({
  seat = 'Row?',
  meal = 'Dish?',
  sure = 'Sure?',
  parameters = z.object({}),
  world = [],
  fails = false,
  durable = true,
}: Version = {}): AnyTool {
  const begun = createMcpTool('booking').description('Books.').parameters(parameters);
  return (durable ? begun.durable() : begun)
    .elicits(questions)
    .execute(function* (_, ctx): Operation<unknown> {
      yield* ensure(() => void world.push('cleaned'));
      const chosen = yield* ctx.elicit.strict('seat', { message: seat });
      if (fails) throw new Error('not written yet');
      yield* ctx.step('book', () => void world.push(`book ${chosen.row}`));
      const food = yield* ctx.elicit.strict('meal', { message: meal });
      const last = yield* ctx.elicit('seat', { message: sure });
      return [chosen.row, food.dish, last.action, sure];
    });
}

/** A call that waits for a meal, or with `answered` for its last question. */
function* waiting(
  manager: SessionManager,
  tool: AnyTool = version(),
  { answered = true } = {},
): Operation<Session> {
  const session = yield* manager.create({ tool, params: {}, callId: 'one' });
  yield* settle();
  session.respond('elicit-1', row(12));
  while (!session.awaitsAnswer('elicit-2')) yield* settle();
  if (!answered) return session;
  session.respond('elicit-2', accept({ dish: 'soup' }));
  while (!session.awaitsAnswer('elicit-3')) yield* settle();
  return session;
}
const one = { callId: 'one' };

/** What a person is told. */
function* refusal(manager: SessionManager, session: Session, tool: AnyTool): Operation<string> {
  try {
    yield* manager.continueWith(session, { tool });
    return 'it goes on';
  } catch (error) {
    return String(error);
  }
}

describe('a call whose tool has changed meanwhile', () => {
  it(
    'goes on with the new version in the same session, without a question answered twice or a step done twice',
    withManager(function* ({ manager }) {
      const old: string[] = [];
      const world: string[] = [];
      const session = yield* waiting(manager, version({ world: old }));
      const asked: string[] = [];
      const client = clientOf({
        *elicit({ request }) {
          asked.push(request.message);
          if (request.message === 'Sure?') yield* suspend();
          return { action: 'decline' };
        },
      });
      const end = yield* spawn(() => drive(session, client, 'end'));
      yield* settle();
      yield* manager.continueWith(session, { tool: version({ sure: 'Really?', world }) });
      expect(yield* end).toMatchObject({ value: [12, 'soup', 'decline', 'Really?'] });
      expect(asked).toEqual(['Sure?', 'Really?']);
      // Once tried, once run: nothing is booked again.
      expect([old, world]).toEqual([
        ['book 12', 'cleaned'],
        ['cleaned', 'cleaned'],
      ]);
      expect(manager.get(one)).toBeUndefined();
    }),
  );

  it(
    'whose new version asks the same shows the question that was open again, under its id',
    withManager(function* ({ manager }) {
      const session = yield* waiting(manager);
      const tool = version();
      yield* manager.continueWith(session, { tool });
      expect(session.tool).toBe(tool);
      expect(session.openAsks()).toMatchObject([{ id: 'elicit-3', request: { message: 'Sure?' } }]);
      // Again and again.
      yield* manager.continueWith(session, { tool: version() });
      yield* manager.continueWith(session, { tool });
      expect(typesOf(session).slice(-2)).toEqual([
        'ask_closed elicit-3 withdrawn',
        'elicit_request elicit-3#1',
      ]);
      session.respond('elicit-3', { action: 'cancel' });
      expect(yield* endOf(session)).toMatchObject({ value: [12, 'soup', 'cancel', 'Sure?'] });
    }),
  );

  it(
    'asks again from the first question that is another, filled in with what was answered',
    withManager(function* ({ manager }) {
      const session = yield* waiting(manager);
      yield* manager.continueWith(session, { tool: version({ meal: 'What to eat?' }) });
      expect(session.openAsks()).toMatchObject([
        {
          id: 'elicit-4',
          request: {
            message: 'What to eat?',
            requestedSchema: { properties: { dish: { default: 'soup' } } },
          },
        },
      ]);
      expect(typesOf(session).slice(-3)).toEqual([
        'ask_closed elicit-3 withdrawn',
        'rewound',
        'elicit_request elicit-4#1',
      ]);
      expect(() => session.respond('elicit-3', row(1))).toThrow(/closed/);
      // The same in the next process.
      const next = yield* resumed(version({ meal: 'What to eat?' }), journalOf(session));
      expect(next.openAsks()).toEqual(session.openAsks());
    }),
  );

  it(
    'says that it goes back where the question that is open is another',
    withManager(function* ({ manager }) {
      const session = yield* waiting(manager, version(), { answered: false });
      yield* manager.continueWith(session, { tool: version({ meal: 'What to eat?' }) });
      expect(session.events().slice(-3)).toMatchObject([
        { type: 'ask_closed', id: 'elicit-2' },
        { type: 'rewound', to: 'elicit-2' },
        { type: 'elicit_request', ask: { id: 'elicit-3', request: { message: 'What to eat?' } } },
      ]);
    }),
  );

  it.each<readonly [string, Version, string]>([
    ['would do a step again', { seat: 'Which row?' }, "would do the step 'book' again"],
    ['fails on its way', { fails: true }, 'not written yet'],
    ['refuses the parameters', { parameters: z.object({ name: z.string() }) }, 'refuses them'],
  ])('stays as it is, and says where, when the new version %s', (_, changed, why) =>
    withManager(function* ({ manager }) {
      const world: string[] = [];
      const old = version({ world });
      const session = yield* waiting(manager, old, { answered: false });
      const before = { journal: journalOf(session), events: typesOf(session), asks: session.openAsks() };
      expect(yield* refusal(manager, session, version(changed))).toContain(why);
      expect({ journal: journalOf(session), events: typesOf(session), asks: session.openAsks() }).toEqual(
        before,
      );
      expect(session.tool).toBe(old);
      expect(world).toEqual(['book 12']);
      session.respond('elicit-2', accept({ dish: 'soup' }));
      yield* settle();
      expect(session.openAsks()).toMatchObject([{ request: { message: 'Sure?' } }]);
    })(),
  );

  it.each([
    ['the old', false, true],
    ['the new', true, false],
  ])('stays as it is where %s version promises nothing, unless a person says so', (_, old, now) =>
    withManager(function* ({ manager }) {
      const session = yield* waiting(manager, version({ durable: old }), { answered: false });
      const tool = version({ durable: now, meal: 'What to eat?' });
      yield* rejects(() => manager.continueWith(session, { tool }), 'JOURNAL_INVALID');
      yield* manager.continueWith(session, { tool, anyway: true });
      expect(session.openAsks()).toMatchObject([{ request: { message: 'What to eat?' } }]);
    })(),
  );

  it(
    'is over by then: nothing goes on',
    withManager(function* ({ manager }) {
      const session = yield* waiting(manager);
      yield* session.abort();
      yield* rejects(() => manager.continueWith(session, { tool: version() }), 'CALL_ENDED');
    }),
  );

  it(
    'goes on, too, while it is answered and while others want the same',
    withManager(function* ({ manager }) {
      const session = yield* waiting(manager, version(), { answered: false });
      const first = yield* spawn(() => manager.continueWith(session, { tool: version({ sure: '1' }) }));
      const second = yield* spawn(() => manager.continueWith(session, { tool: version({ sure: '2' }) }));
      session.respond('elicit-2', accept({ dish: 'soup' }));
      yield* first;
      yield* second;
      expect(session.openAsks()).toMatchObject([{ request: { message: '2' } }]);
      const opened = journalOf(session)
        .lines.map(shortly)
        .filter((line) => line.startsWith('step'));
      expect(opened).toEqual(['step step-1 book', 'stepped step-1']);
    }),
  );

  it(
    'can still be taken back to a question by its new version',
    withManager(function* ({ manager }) {
      const session = yield* waiting(manager);
      yield* manager.continueWith(session, { tool: version({ sure: 'Really?' }) });
      yield* session.rewind('elicit-2');
      expect(session.openAsks()).toMatchObject([
        { request: { message: 'Dish?', requestedSchema: { properties: { dish: { default: 'soup' } } } } },
      ]);
      session.respond('elicit-5', accept({ dish: 'fish' }));
      yield* settle();
      expect(session.openAsks()).toMatchObject([{ request: { message: 'Really?' } }]);
    }),
  );
});
