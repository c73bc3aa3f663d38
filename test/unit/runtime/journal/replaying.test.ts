import { race, spawn, until, withResolvers } from 'effection';
import { describe, expect, it } from 'vitest';
import { McpTimeoutError } from '#src/core/errors/call-errors.ts';
import { noteCodeVersion } from '#src/core/world/code-version.ts';
import {
  accept,
  advance,
  endOf,
  rejects,
  row,
  said,
  settle,
  tool,
  typesOf,
  withManager,
} from '../session-kit.ts';
import { type Ctx, durable, journalOf, resumed, shortly } from './journal-kit.ts';

const twoQuestions = () =>
  durable(function* (ctx: Ctx) {
    yield* ctx.log('info', 'begins');
    const seat = yield* ctx.elicit.strict('seat', { message: 'Which row?' });
    yield* ctx.log('info', `row ${seat.row}`);
    const joke = yield* ctx.sample({ prompt: `A joke about row ${seat.row}` });
    const meal = yield* ctx.elicit.strict('meal', { message: 'Which dish?', dishes: ['soup'] });
    return [seat.row, joke.text, meal.dish];
  });

describe('a journal', () => {
  it(
    'has what the tool did and what came in, in order',
    withManager(function* ({ manager }) {
      const session = yield* manager.create({ tool: twoQuestions(), params: { a: 1 }, callId: 'c1' });
      session.respond('elicit-1', row(99));
      yield* settle();
      session.respond('elicit-1', row(12));
      yield* settle();
      session.respond('sample-1', said('ha'));
      yield* settle();
      session.respond('elicit-2', accept({ dish: 'soup' }));
      yield* settle();
      yield* endOf(session);
      const { header, lines } = journalOf(session);
      expect(header).toMatchObject({ v: 1, tool: 'probe', callId: 'c1', params: { a: 1 } });
      expect(lines.map(shortly)).toEqual([
        'open elicit-1 as seat: Which row?',
        'refused elicit-1',
        'answer elicit-1',
        'open sample-1 as sample#1: A joke about row 12',
        'answer sample-1',
        'open elicit-2 as meal: Which dish?',
        'answer elicit-2',
        'end result',
      ]);
    }),
  );
});

describe('a call that is taken up from its journal', () => {
  it(
    'is not found until it asks what it asked: an answer could be for nothing before',
    withManager(function* ({ manager }) {
      const first = yield* manager.create({ tool: twoQuestions(), params: {}, callId: 'c1' });
      first.respond('elicit-1', row(1));
      yield* settle();
      const reached = withResolvers<void>();
      const gate = withResolvers<void>();
      const slow = durable(function* (ctx: Ctx) {
        yield* ctx.log('info', 'begins');
        reached.resolve();
        yield* gate.operation;
        const seat = yield* ctx.elicit.strict('seat', { message: 'Which row?' });
        yield* ctx.log('info', `row ${seat.row}`);
        yield* ctx.sample({ prompt: `A joke about row ${seat.row}` });
      });
      const journal = journalOf(first);
      yield* manager.abort({ callId: 'c1' });
      const name = { principal: journal.header.principal, callId: 'c2' };
      const header = { ...journal.header, callId: 'c2' };
      const up = yield* spawn(() => manager.resume({ tool: slow, journal: { ...journal, header } }));
      yield* reached.operation;
      expect(manager.listActive().map(({ id }) => id)).toEqual(['c2']);
      expect(manager.get(name)).toBeUndefined();
      gate.resolve();
      const session = yield* up;
      expect(manager.get(name)).toBe(session);
      expect(session.openAsks().map(({ id }) => id)).toEqual(['sample-1']);
    }),
  );
  it(
    'knows what was wrong with the last answer to its question, and how often that was asked',
    withManager(function* ({ manager }) {
      const first = yield* manager.create({ tool: twoQuestions(), params: {}, callId: 'c1' });
      first.respond('elicit-1', row(99));
      yield* settle();
      const session = yield* resumed(twoQuestions(), journalOf(first));
      expect(session.openAsks()).toMatchObject([{ id: 'elicit-1', attempt: 2, problem: expect.any(String) }]);
    }),
  );

  it(
    'is where it was: the same callId, the question that was open, and nothing else is asked or said',
    withManager(function* ({ manager }) {
      const first = yield* manager.create({ tool: twoQuestions(), params: {}, callId: 'c1' });
      first.respond('elicit-1', row(12));
      yield* settle();
      first.respond('sample-1', said('ha'));
      yield* settle();
      const session = yield* resumed(twoQuestions(), journalOf(first));
      expect(session.id).toBe('c1');
      expect(typesOf(session)).toEqual(['elicit_request elicit-2#1']);
      expect(session.openAsks()).toMatchObject([{ id: 'elicit-2', wireKey: 'meal' }]);
      session.respond('elicit-2', accept({ dish: 'soup' }));
      yield* settle();
      expect(yield* endOf(session)).toMatchObject({ value: [12, 'ha', 'soup'] });
      expect(journalOf(session).lines.map(({ t }) => t)).toEqual([
        'open',
        'answer',
        'open',
        'answer',
        'open',
        'answer',
        'end',
      ]);
    }),
  );

  it(
    'goes on with the attempt at which a question stood',
    withManager(function* ({ manager }) {
      const first = yield* manager.create({ tool: twoQuestions(), params: {} });
      first.respond('elicit-1', row(99));
      yield* settle();
      const session = yield* resumed(twoQuestions(), journalOf(first));
      expect(session.openAsks()).toMatchObject([{ id: 'elicit-1', attempt: 2, problem: expect.any(String) }]);
    }),
  );

  it(
    'throws at its line what was thrown there, made of its data',
    withManager(function* ({ manager }) {
      const catching = () =>
        durable(function* (ctx: Ctx) {
          try {
            yield* ctx.sample({ prompt: '?' });
          } catch (error) {
            yield* ctx.elicit('seat', { message: (error as { code?: string }).code ?? 'no code' });
          }
        });
      const first = yield* manager.create({ tool: catching(), params: {} });
      first.fail('sample-1', new McpTimeoutError({ what: 'the model', timeout: 5 }));
      yield* settle();
      const session = yield* resumed(catching(), journalOf(first));
      expect(session.openAsks()).toMatchObject([{ request: { message: 'TIMEOUT' } }]);
    }),
  );

  it(
    'lets go again of what lost a race, and an answer that came too late for it is not given',
    withManager(function* ({ manager }) {
      const racing = () =>
        durable(function* (ctx: Ctx) {
          const first = yield* race([
            ctx.sample({ prompt: 'a', key: 'a' }),
            ctx.sample({ prompt: 'b', key: 'b' }),
          ]);
          const seat = yield* ctx.elicit.strict('seat', { message: first.text });
          return [first.text, seat.row];
        });
      const first = yield* manager.create({ tool: racing(), params: {} });
      yield* settle();
      first.respond('sample-2', said('b won'));
      yield* settle();
      yield* settle();
      const journal = journalOf(first);
      expect(journal.lines.map(shortly)).toContain('withdraw sample-1');
      const session = yield* resumed(racing(), journal);
      expect(session.openAsks()).toMatchObject([{ request: { message: 'b won' } }]);
    }),
  );

  it(
    'gives each branch its own answer, in whatever order they came',
    withManager(function* ({ manager }) {
      const branching = () =>
        durable(function* (ctx: Ctx) {
          const texts: string[] = [];
          const tasks = [];
          for (const name of ['a', 'b', 'c']) {
            tasks.push(
              yield* spawn(() =>
                ctx.branch(function* (branch) {
                  const one = yield* branch.sample({ prompt: name });
                  const two = yield* branch.sample({ prompt: `${name}: ${one.text}` });
                  texts.push(two.text);
                }),
              ),
            );
          }
          for (const task of tasks) yield* task;
          yield* ctx.elicit('seat', { message: texts.join(' ') });
          return texts;
        });
      const first = yield* manager.create({ tool: branching(), params: {} });
      yield* settle();
      first.respond('sample-3', said('C'));
      yield* settle();
      first.respond('sample-1', said('A'));
      yield* settle();
      yield* settle();
      first.respond('sample-2', said('B'));
      yield* settle();
      yield* settle();
      for (let left = 3; left > 0; yield* settle()) {
        for (const { id } of first.openAsks().filter(({ kind }) => kind === 'sample')) {
          first.respond(id, said(`${id}!`));
          left -= 1;
        }
      }
      while (!first.openAsks().some(({ kind }) => kind === 'elicit')) yield* settle();
      const [question] = first.openAsks();
      const session = yield* resumed(branching(), journalOf(first));
      expect(session.openAsks()).toEqual([question]);
    }),
  );

  it(
    'has the machine time of then',
    withManager(function* ({ manager, clock }) {
      const first = yield* manager.create({ tool: twoQuestions(), params: {} });
      first.respond('elicit-1', row(12));
      yield* settle();
      clock.advance(700);
      first.respond('sample-1', said('ha'));
      yield* settle();
      clock.advance(60_000);
      const session = yield* resumed(twoQuestions(), journalOf(first));
      expect(first.elapsed()).toBe(session.elapsed());
    }),
  );
});

describe('a tool that does something else than then', () => {
  const asks = (message: () => string) =>
    durable(function* (ctx: Ctx) {
      yield* ctx.elicit('seat', { message: message() });
      yield* ctx.elicit('meal', { message: 'Which dish?', dishes: [] });
    });

  it(
    'fails with what it asked then and what it asks now, and asks nobody',
    withManager(function* ({ manager }) {
      let count = 0;
      const changing = asks(() => `It is ${++count} o'clock`);
      const first = yield* manager.create({ tool: changing, params: {} });
      first.respond('elicit-1', row(1));
      yield* settle();
      const session = yield* resumed(changing, journalOf(first));
      expect(session.ended()).toMatchObject({
        type: 'error',
        error: {
          code: 'REPLAY_DIVERGED',
          details: {
            line: 1,
            did: "asked the user “It is 1 o'clock” ('seat')",
            does: "asks the user “It is 2 o'clock” ('seat')",
          },
        },
      });
      expect(session.events().map(({ type }) => type)).toEqual(['error']);
    }),
  );

  it(
    'fails when it ends, or comes to nothing',
    withManager(function* ({ manager, clock }) {
      const first = yield* manager.create({ tool: asks(() => '?'), params: {} });
      first.respond('elicit-1', row(1));
      yield* settle();
      const ended = yield* resumed(
        durable(function* () {}),
        journalOf(first),
      );
      expect(ended.ended()).toMatchObject({
        error: { code: 'REPLAY_DIVERGED', details: { does: 'has ended' } },
      });
      const standing = yield* spawn(() =>
        resumed(
          durable(function* () {
            yield* until(new Promise<void>(() => {}));
          }),
          journalOf(first),
        ),
      );
      const moving = yield* spawn(function* () {
        for (;;) yield* advance(clock, 1_000);
      });
      const stuck = yield* standing;
      yield* moving.halt();
      expect(stuck.ended()).toMatchObject({
        error: { details: { does: 'has done nothing for 10 s' } },
      });
    }),
  );

  it(
    'fails where it comes to nothing after it has gone on, too',
    withManager(function* ({ manager, clock }) {
      const first = yield* manager.create({ tool: asks(() => '?'), params: {} });
      first.respond('elicit-1', row(1));
      yield* settle();
      const late = Promise.withResolvers<void>();
      const slow = durable(function* (ctx: Ctx) {
        yield* until(late.promise);
        yield* ctx.elicit('seat', { message: '?' });
        yield* until(new Promise<void>(() => {}));
      });
      const standing = yield* spawn(() => resumed(slow, journalOf(first)));
      // It is looked at once it had its turns.
      for (let turn = 0; turn < 30; turn++) yield* settle();
      yield* advance(clock, 6_000);
      late.resolve();
      const moving = yield* spawn(function* () {
        for (;;) yield* advance(clock, 1_000);
      });
      const stuck = yield* standing;
      yield* moving.halt();
      expect(stuck.ended()).toMatchObject({
        error: { details: { line: 3, does: 'has done nothing for 10 s' } },
      });
    }),
  );

  it(
    'fails when an answer does not fit its schema any more, whatever it would catch',
    withManager(function* ({ manager }) {
      const first = yield* manager.create({ tool: asks(() => '?'), params: {} });
      first.respond('elicit-1', row(12));
      yield* settle();
      const journal = journalOf(first);
      for (const line of journal.lines) {
        if (line.t === 'answer') line.answer = { action: 'accept', content: { row: 31 } };
      }
      const session = yield* resumed(
        asks(() => '?'),
        journal,
      );
      expect(session.ended()).toMatchObject({ error: { code: 'REPLAY_DIVERGED', details: { line: 2 } } });
    }),
  );
});

describe('what cannot be taken up', () => {
  it(
    'says so before any code of the tool',
    withManager(function* ({ manager }) {
      const first = yield* manager.create({ tool: twoQuestions(), params: {} });
      const journal = journalOf(first);
      const plain = tool(function* () {});
      yield* rejects(() => manager.resume({ tool: plain, journal }), 'JOURNAL_INVALID');
      yield* rejects(
        () => manager.resume({ tool: twoQuestions(), journal: { lines: [] } }),
        'JOURNAL_INVALID',
      );
      const newer = { ...journal, header: { ...journal.header, v: 3 } };
      yield* rejects(() => manager.resume({ tool: twoQuestions(), journal: newer }), 'JOURNAL_INVALID');
      yield* rejects(() => manager.resume({ tool: twoQuestions(), journal }), 'SESSION_EXISTS');
    }),
  );
});

describe('a call whose tool asks something else than then', () => {
  it.each([
    ['has changed', 'now', 'Its code has changed since then. Start it again.'],
    ['is what it was', 'then', 'A replayed tool must do the same each time'],
    ['is of unknown code', undefined, 'A replayed tool must do the same each time'],
  ])('says what is to be done where the tool %s', (_, version, advice) =>
    withManager(function* ({ manager }) {
      const asks = (message: string) => durable((ctx: Ctx) => ctx.elicit('seat', { message }));
      const [before, after] = [asks('Which row?'), asks('Which seat?')];
      noteCodeVersion(before, 'then');
      noteCodeVersion(after, version);
      const first = yield* manager.create({ tool: before, params: {}, callId: 'c1' });
      const session = yield* resumed(after, journalOf(first));
      const end = yield* endOf(session);
      expect(end?.type === 'error' && end.error.message).toContain(advice);
    })(),
  );
});
