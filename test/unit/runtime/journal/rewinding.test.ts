import { ensure, type Operation, spawn, suspend } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpTool } from '#src/core/index.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import {
  accept,
  clientOf,
  endOf,
  questions,
  rejects,
  row,
  settle,
  tool,
  typesOf,
  withManager,
} from '../session-kit.ts';
import { type Ctx, durable, journalOf, prefix, resumed, shortly } from './journal-kit.ts';

function note<T>(world: string[], what: string, result: T): T {
  world.push(what);
  return result;
}

/** Books a seat and a meal, each in a step that can be taken back. */
function booking(world: string[], { undoable = true } = {}) {
  return durable(function* (ctx: Ctx) {
    const seat = yield* ctx.elicit.strict('seat', { message: 'Which row?' });
    yield* ctx.step('look', () => void world.push('look'), { reads: true });
    yield* ctx.step('book', () => note(world, `book ${seat.row}`, seat.row), {
      ...(undoable ? { undo: (booked: number) => void world.push(`unbook ${booked}`) } : {}),
    });
    const meal = yield* ctx.elicit.strict('meal', { message: 'Which dish?', dishes: [] });
    yield* ctx.step('order', () => void world.push(`order ${meal.dish}`), {
      undo: () => void world.push('cancel the order'),
    });
    const end = yield* ctx.elicit('seat', { message: 'All right?' });
    return [seat.row, meal.dish, end.action];
  });
}

describe('going back to a question', () => {
  it(
    'takes back the steps since then, the last first, and asks again in the same call',
    withManager(function* ({ manager }) {
      const world: string[] = [];
      const session = yield* manager.create({ tool: booking(world), params: {} });
      session.respond('elicit-1', row(1));
      yield* settle();
      session.respond('elicit-2', accept({ dish: 'soup' }));
      yield* settle();
      yield* session.rewind('elicit-1');
      expect(world).toEqual(['look', 'book 1', 'order soup', 'cancel the order', 'unbook 1']);
      expect(session.openAsks()).toMatchObject([
        { id: 'elicit-4', wireKey: 'seat#3', request: { message: 'Which row?' } },
      ]);
      expect(typesOf(session).slice(-3)).toEqual([
        'ask_closed elicit-3 withdrawn',
        'rewound',
        'elicit_request elicit-4#1',
      ]);
      expect(() => session.respond('elicit-1', row(9))).toThrow(/closed/);
      session.respond('elicit-4', row(2));
      yield* settle();
      session.respond('elicit-5', accept({ dish: 'fish' }));
      yield* settle();
      const again = yield* resumed(booking([]), journalOf(session));
      for (const one of [session, again]) {
        one.respond('elicit-6', { action: 'decline' });
        expect(yield* endOf(one)).toMatchObject({ value: [2, 'fish', 'decline'] });
      }
    }),
  );

  it(
    'keeps the answers before it, and whoever drives the call goes on driving it',
    withManager(function* ({ manager }) {
      const world: string[] = [];
      const session = yield* manager.create({ tool: booking(world), params: {} });
      let meals = 0;
      const client = clientOf({
        *elicit(ask) {
          if (ask.ref.key === 'meal') return accept({ dish: `dish ${++meals}` });
          if (ask.request.message === 'Which row?') return row(3);
          if (meals > 1) return { action: 'decline' };
          yield* suspend();
          throw new Error('unreachable');
        },
      });
      const end = yield* spawn(() => drive(session, client, 'end'));
      yield* settle();
      yield* session.rewind('elicit-2');
      expect(yield* end).toMatchObject({ value: [3, 'dish 2', 'decline'] });
      expect(world).toEqual(['look', 'book 3', 'order dish 1', 'cancel the order', 'order dish 2']);
    }),
  );

  it(
    'goes through what the clients could do then, also where they can do more by now',
    withManager(function* ({ manager }) {
      const looking = durable(function* (ctx: Ctx) {
        for (;;) yield* ctx.elicit('seat', { message: `${JSON.stringify(ctx.capabilities)}` });
      });
      const session = yield* manager.create({
        tool: looking,
        params: {},
        capabilities: { elicitation: { form: true } },
      });
      session.respond('elicit-1', row(1));
      yield* settle();
      const lease = session.attachNow({
        ...clientOf(),
        capabilities: () => ({ elicitation: { form: true }, roots: true }),
      });
      session.respond('elicit-2', row(2));
      yield* settle();
      yield* session.rewind('elicit-2');
      expect(session.ended()).toBeUndefined();
      expect(session.openAsks()).toMatchObject([{ id: 'elicit-4' }]);
      lease.detach();
    }),
  );

  it(
    'takes nothing more back once the call is stopped',
    withManager(function* ({ manager }) {
      const world: string[] = [];
      let stop: () => Operation<unknown> = suspend;
      const slow = durable(function* (ctx: Ctx) {
        yield* ctx.elicit('seat', { message: 'Which row?' });
        yield* ctx.step('first', () => {}, { undo: () => void world.push('first is taken back') });
        yield* ctx.step('second', () => {}, {
          *undo() {
            world.push('second is being taken back');
            yield* stop();
            yield* settle();
          },
        });
        yield* ctx.elicit('seat', { message: 'Sure?' });
      });
      const session = yield* manager.create({ tool: slow, params: {} });
      stop = () => session.abort('stopped');
      session.respond('elicit-1', row(1));
      yield* settle();
      yield* rejects(() => session.rewind('elicit-1'), 'CALL_ENDED');
      expect(world).toEqual(['second is being taken back']);
      expect(session.ended()).toMatchObject({ type: 'aborted' });
    }),
  );

  it(
    'is refused where a step can not be taken back, naming it, and nothing has happened',
    withManager(function* ({ manager }) {
      const world: string[] = [];
      const session = yield* manager.create({ tool: booking(world, { undoable: false }), params: {} });
      session.respond('elicit-1', row(1));
      yield* settle();
      const before = journalOf(session);
      yield* rejects(() => session.rewind('elicit-1'), 'REWIND_REFUSED');
      yield* rejects(() => session.rewind('elicit-9'), 'REWIND_REFUSED');
      expect(journalOf(session)).toEqual(before);
      expect(session.openAsks()).toMatchObject([{ id: 'elicit-2' }]);
    }),
  );

  it(
    'is refused in a tool that promises nothing, unless a person says so',
    withManager(function* ({ manager }) {
      const plain = tool(function* (ctx) {
        yield* ctx.elicit('seat', { message: 'Which row?' });
        yield* ctx.elicit('seat', { message: 'Sure?' });
      });
      const session = yield* manager.create({ tool: plain, params: {} });
      session.respond('elicit-1', row(1));
      yield* settle();
      yield* rejects(() => session.rewind('elicit-1'), 'REWIND_REFUSED');
      yield* session.rewind('elicit-1', { anyway: true });
      expect(session.openAsks()).toMatchObject([{ id: 'elicit-3', request: { message: 'Which row?' } }]);
    }),
  );

  it(
    'keeps the answers of a tool that only reads, also where the words of their questions have changed',
    withManager(function* ({ manager }) {
      let seats = 9;
      const reads = createMcpTool('probe')
        .description('A tool of a test.')
        .parameters(z.object({}))
        .annotations({ readOnlyHint: true })
        .elicits(questions)
        .execute(function* (_, ctx) {
          yield* ctx.elicit.strict('seat', { message: `Which of ${seats--}?` });
          for (const message of ['second', 'third']) yield* ctx.elicit('seat', { message });
        });
      const session = yield* manager.create({ tool: reads, params: {} });
      for (const id of ['elicit-1', 'elicit-2']) {
        session.respond(id, row(1));
        yield* settle();
      }
      yield* session.rewind('elicit-2');
      expect(session.openAsks()).toMatchObject([{ id: 'elicit-4', request: { message: 'second' } }]);
      const again = yield* resumed(reads, journalOf(session));
      expect(again.openAsks()).toMatchObject([{ id: 'elicit-4', request: { message: 'second' } }]);
    }),
  );

  it(
    'tells what takes a step back which step it was',
    withManager(function* ({ manager }) {
      const told: unknown[] = [];
      const booked = durable(function* (ctx: Ctx) {
        yield* ctx.elicit('seat', { message: '?' });
        yield* ctx.step('book', (step) => void told.push(step), {
          undo: (_, step) => void told.push(step),
        });
        yield* ctx.elicit('seat', { message: '?' });
      });
      const session = yield* manager.create({ tool: booked, params: {} });
      session.respond('elicit-1', row(1));
      yield* settle();
      yield* session.rewind('elicit-1');
      const id = `${session.id}/step-1`;
      expect(told).toEqual([{ id, attempt: 1 }, { id }]);
    }),
  );

  it(
    'fails the call when a step cannot be taken back after all, naming it',
    withManager(function* ({ manager }) {
      const failing = durable(function* (ctx: Ctx) {
        yield* ctx.elicit('seat', { message: '?' });
        yield* ctx.step('book', () => 1, {
          undo: () => {
            throw new Error('too late');
          },
        });
        yield* ctx.elicit('seat', { message: '?' });
      });
      const session = yield* manager.create({ tool: failing, params: {} });
      session.respond('elicit-1', row(1));
      yield* settle();
      yield* rejects(() => session.rewind('elicit-1'), 'UNDO_FAILED');
      expect(session.ended()).toMatchObject({ error: { code: 'UNDO_FAILED', details: { step: 'book' } } });
    }),
  );

  it(
    'runs the cleanup of what it lets go, once, and waits for another that is under way',
    withManager(function* ({ manager }) {
      let cleaned = 0;
      const cleaning = durable(function* (ctx: Ctx) {
        yield* ensure(() => {
          cleaned += 1;
        });
        yield* ctx.elicit('seat', { message: '1' });
        yield* ctx.elicit('seat', { message: '2' });
      });
      const session = yield* manager.create({ tool: cleaning, params: {} });
      yield* settle();
      session.respond('elicit-1', row(1));
      yield* settle();
      yield* session.rewind('elicit-1');
      expect(cleaned).toBe(1);
      session.respond('elicit-3', row(1));
      yield* settle();
      yield* session.rewind('elicit-3');
      expect(cleaned).toBe(2);
      yield* session.abort();
      expect(cleaned).toBe(3);
      yield* rejects(() => session.rewind('elicit-3'), 'CALL_ENDED');
    }),
  );

  it(
    'goes on where its process died: what was not taken back yet is taken back by the next',
    withManager(function* ({ manager }) {
      const session = yield* manager.create({ tool: booking([]), params: {} });
      session.respond('elicit-1', row(1));
      yield* settle();
      session.respond('elicit-2', accept({ dish: 'soup' }));
      yield* settle();
      yield* session.rewind('elicit-1');
      const journal = journalOf(session);
      const at = journal.lines.findIndex(({ t }) => t === 'rewind');
      for (const [done, left] of [
        [0, ['cancel the order', 'unbook 1']],
        [1, ['unbook 1']],
        [2, []],
      ] as const) {
        const world: string[] = [];
        const next = yield* resumed(booking(world), prefix(journal, at + 1 + done));
        expect(world).toEqual(left);
        expect(next.openAsks()).toMatchObject([{ id: 'elicit-4', request: { message: 'Which row?' } }]);
        expect(journalOf(next).lines.map(shortly)).toEqual(journal.lines.map(shortly));
      }
    }),
  );
});
