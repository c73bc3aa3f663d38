import { type Operation, run, scoped, sleep } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AnyPlugin } from '#src/core/plugin/plugin.ts';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import type { AnyTool } from '#src/core/tool/tool.ts';
import { saySent } from '#src/runtime/context/made-once.ts';
import { ToolDirectoryContext } from '#src/runtime/context/tool-directory.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import type { Journal } from '#src/runtime/journal/lines.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import type { ElicitAsk } from '#src/runtime/session/ask.ts';
import type { Session } from '#src/runtime/session/session.ts';
import { createMockMcpClient } from '#src/testing/index.ts';
import { journalOf, prefix, shortly } from '../runtime/journal/journal-kit.ts';
import { accept, said } from '../runtime/session-kit.ts';
import { type RemoteKit, source, useRemoteKit } from './remote-kit.ts';

const origin = { server: 'git', tool: 'tag', claims: {}, reached: '' };

const durable = { steps: '.durable()' };

/** Durable tools, whose result says what they were given. */
const tools: Record<string, string> = {
  'questions, samplings, steps and a sleep': source(
    `yield* ctx.log('info', 'begins');
     const seat = yield* ctx.elicit.strict('seat', { message: 'Which row?' });
     const booked = yield* ctx.step('book', () => ({ booked: seat.row }));
     const joke = yield* ctx.sample({ prompt: 'A joke about row ' + seat.row });
     yield* ctx.sleep(5);
     let failed;
     try { yield* ctx.step('pay', () => { throw new RangeError('no money'); }); } catch (error) { failed = error.message; }
     const day = yield* ctx.elicit.strict('day', { message: 'When, ' + failed + '?' });
     return [booked, joke.text, day.date.getUTCFullYear(), failed];`,
    durable,
  ),
  'branches that ask at once': source(
    `const texts = {};
     const tasks = [];
     for (const name of ['a', 'b', 'c']) tasks.push(yield* spawn(() => ctx.branch(function* (branch) {
       const one = yield* branch.sample({ prompt: name });
       const two = yield* branch.sample({ prompt: name + ': ' + one.text });
       yield* branch.step('note ' + name, () => {});
       texts[name] = two.text;
     }, { timeout: 60_000 })));
     for (const task of tasks) yield* task;
     const seat = yield* ctx.elicit.strict('seat', { message: Object.keys(texts).sort().join() });
     return [texts.a, texts.b, texts.c, seat.row];`,
    durable,
  ),
  'races between what comes at once': source(
    `const asked = (name) => ctx.branch(function* (branch) {
       const { text } = yield* branch.sample({ prompt: name });
       yield* branch.notify(name);
       return [name, text];
     });
     const won = yield* race([asked('a'), asked('b')]);
     yield* race([ctx.step('c', async () => {}), ctx.step('d', async () => {})]);
     yield* race([ctx.sleep(1), ctx.sleep(1)]);
     const seat = yield* ctx.elicit.strict('seat', { message: won.join() });
     return [won, seat.row];`,
    durable,
  ),
  'a page to open': source(
    `const page = yield* ctx.elicit({ mode: 'url', message: 'Log in.', url: 'https://example.com/' });
     if (page.action === 'accept') yield* page.completed();
     const seat = yield* ctx.elicit.strict('seat', { message: 'Which row?' });
     return [page.elicitationId, seat.row];`,
    durable,
  ),
  phases: `
    import { createMcpTool } from 'parley-mcp';
    import * as z from 'zod';
    export const tool = createMcpTool('probe').description('x').parameters(z.looseObject({})).durable()
      .elicits({ seat: z.object({ row: z.int() }) })
      .handoff({
        *before() { return { at: 7 }; },
        *client(handoff, ctx) { return (yield* ctx.elicit.strict('seat', { message: 'Row ' + handoff.at + '?' })).row; },
        *after(handoff, row) { return { row, at: handoff.at }; },
      });`,
};

const person = () =>
  createMockMcpClient({
    elicitResponses: { seat: accept({ row: 4 }), day: accept({ date: '2026-07-28' }), elicit: accept({}) },
    sampleResponses: ({ messages }) => `on ${JSON.stringify(messages).length}`,
  });

const capabilities = person().capabilities();

/** Drives a call to its end, and gives that. */
function* ended(session: Session): Operation<unknown> {
  yield* drive(session, person(), 'end');
  const { time: _, at: __, ...end } = session.ended() ?? { time: 0, at: 0 };
  return end;
}

/** Waits until a question is open. */
function* question(session: Session): Operation<ElicitAsk> {
  for (;;) {
    const [ask] = session.openAsks();
    if (ask?.kind === 'elicit') return ask;
    yield* sleep(5);
  }
}

/** Branches that ask at once are answered in any order, and of two sleeps that take as long either may be over first. */
function inAnyOrder({ lines }: Journal): readonly string[] {
  return lines.map((line) => shortly(line).replace(/\bsleep-\d+/, 'sleep')).sort();
}

const places = ['linked', 'worker'] as const;

describe.each(places)('the journal of a tool in the %s', { timeout: 120_000 }, (place) => {
  it.each(Object.entries(tools))(
    'with %s is as it is here, and each prefix leads to the same end',
    (_, code) =>
      run(() =>
        scoped(function* () {
          const once = function* (kit: RemoteKit) {
            const manager = yield* createSessionManager();
            const tool = yield* kit.tool(code);
            const params = { from: 'AMS' };
            const session = yield* manager.create({ tool, params, callId: 'golden', capabilities });
            const end = yield* ended(session);
            return { tool, end, journal: journalOf(session) };
          };
          const here = yield* once(yield* useRemoteKit('host'));
          const { tool, end, journal } = yield* once(yield* useRemoteKit(place));
          expect(here.end).toMatchObject({ type: 'result' });
          expect(end).toEqual(here.end);
          expect(inAnyOrder(journal)).toEqual(inAnyOrder(here.journal));
          for (let count = 0; count < journal.lines.length; count++) {
            yield* scoped(function* () {
              const manager = yield* createSessionManager();
              const session = yield* manager.resume({ tool, journal: prefix(journal, count), capabilities });
              expect(yield* ended(session), `after ${count} lines`).toEqual(end);
            });
          }
        }),
      ),
  );
});

/** What begins at once, and what is let go of at once. */
const atOnce = [
  `yield* spawn(() => ctx.sleep(600_000)); yield* ctx.step('s', () => 1); yield* ctx.elicit('seat', { message: 'Which?' });`,
  `yield* spawn(() => ctx.sleep(5)); yield* ctx.step('s', () => 1); yield* ctx.elicit('seat', { message: 'Which?' });`,
  `yield* all([ctx.branch((b) => b.sample({ prompt: 'x' })), ctx.elicit('seat', { message: 'Which?' })]);`,
  `yield* all([ctx.elicit('seat', { message: 'Which?' }), ctx.branch((b) => b.sample({ prompt: 'x' }))]);`,
  `yield* all([ctx.step('s', () => 1), ctx.branch((b) => b.sample({ prompt: 'x' })), ctx.elicit('seat', { message: 'Which?' })]);`,
  `yield* all([ctx.branch((b) => b.step('s', () => 1)), ctx.roots(), ctx.elicit('seat', { message: 'Which?' })]);`,
  `yield* all([ctx.branch((b) => b.sample({ prompt: 'x' }), { timeout: 60_000 }), ctx.elicit('seat', { message: 'Which?' })]);`,
  `yield* race([ctx.elicit('seat', { message: 'Which?' }), ctx.sleep(600_000)]);`,
  `yield* race([ctx.sleep(600_000), ctx.elicit('seat', { message: 'Which?' })]);`,
  `yield* all([ctx.elicit('seat', { message: 'Which?' }), ctx.step('s', () => 1)]);`,
  `yield* all([ctx.sample({ prompt: 'x' }), ctx.step('s', () => 1), ctx.roots(), ctx.sleep(600_000), ctx.elicit('seat', { message: 'Which?' })]);`,
  ...[`ctx.sample({ prompt: 'x' })`, `ctx.sleep(600_000)`, `ctx.step('s', () => suspend())`].map(
    (loser) =>
      `yield* race([${loser}, (function* () {})()]); yield* ctx.elicit('seat', { message: 'Which?' });`,
  ),
];

describe.each(places)('the journal of a tool in the %s', { timeout: 60_000 }, (place) => {
  it.each(atOnce)('has what the tool does in its own order, and goes on from there: %s', (code) =>
    run(() =>
      scoped(function* () {
        const [here, there] = [yield* useRemoteKit('host'), yield* useRemoteKit(place)];
        const body = `${code} return 'done';`;
        const lines: string[][] = [];
        for (const kit of [here, there]) {
          const tool = yield* kit.tool(source(body, durable));
          const manager = yield* createSessionManager();
          const first = yield* manager.create({ tool, params: {}, capabilities });
          const done = () =>
            journalOf(first)
              // When a step and a sleep are over is not the code's to say.
              .lines.filter(({ t }) => t !== 'stepped' && t !== 'elapsed')
              .map(shortly);
          while (!first.openAsks().some(({ kind }) => kind === 'elicit')) yield* sleep(1);
          yield* first.settled();
          lines.push(done());
          const journal = journalOf(first);
          // The same code goes on in the other realm, too.
          for (const next of [here, there]) {
            const other = yield* createSessionManager();
            const taken = yield* other.resume({
              tool: yield* next.tool(source(body, durable)),
              journal,
              capabilities,
            });
            expect(taken.openAsks().map(({ id }) => id)).toContain('elicit-1');
            expect(taken.ended()).toBeUndefined();
          }
        }
        expect(lines[1]).toEqual(lines[0]);
      }),
    ),
  );
});

describe.each(['host', ...places] as const)('a durable tool in the %s', { timeout: 60_000 }, (place) => {
  const withTool = (body: string, test: (tool: AnyTool | AnyPlugin) => Operation<void>) =>
    run(() =>
      scoped(function* () {
        const kit = yield* useRemoteKit(place);
        yield* test(yield* kit.tool(source(body, durable)));
      }),
    );

  it('takes back its steps where its code is, and asks again in the same call', () =>
    withTool(
      `globalThis.world ??= [];
       const { row } = yield* ctx.elicit.strict('seat', { message: 'Which?' });
       yield* ctx.step('book', () => { world.push('book ' + row); return row; }, { undo: (booked) => { world.push('unbook ' + booked); } });
       yield* ctx.elicit('seat', { message: 'All right?' });
       return world.splice(0);`,
      function* (tool) {
        const manager = yield* createSessionManager();
        const session = yield* manager.create({ tool, params: {}, capabilities });
        session.respond((yield* question(session)).id, accept({ row: 1 }));
        while ((yield* question(session)).request.message !== 'All right?') yield* sleep(5);
        yield* session.rewind('elicit-1');
        const again = yield* question(session);
        expect(again).toMatchObject({ id: 'elicit-3', request: { message: 'Which?' } });
        session.respond(again.id, accept({ row: 2 }));
        expect(yield* ended(session)).toMatchObject({ value: ['book 1', 'unbook 1', 'book 2'] });
      },
    ));

  it('that was taken up where a race was won takes no answer for the loser, however soon that comes', () =>
    withTool(
      `const { text } = yield* race([ctx.sample({ prompt: 'a' }), ctx.sample({ prompt: 'b' })]);
       return yield* ctx.elicit('seat', { message: text });`,
      function* (tool) {
        const manager = yield* createSessionManager();
        const first = yield* manager.create({ tool, params: {}, capabilities });
        while (first.openAsks().length < 2) yield* sleep(1);
        first.respond('sample-1', said('A'));
        yield* question(first);
        const { header, lines } = journalOf(first);
        const won = lines.findIndex(({ t }) => t === 'answer');
        const session = yield* manager.resume({
          tool,
          journal: { header: { ...header, callId: 'again' }, lines: lines.slice(0, won + 1) },
          capabilities,
        });
        const hasty = () => void (session.awaitsAnswer('sample-2') && session.respond('sample-2', said('B')));
        session.subscribe(hasty);
        hasty();
        expect(yield* question(session)).toMatchObject({ request: { message: 'A' } });
        expect(journalOf(session).lines.map(shortly)).toEqual(lines.map(shortly));
      },
    ));
});

describe.each(['host', ...places] as const)(
  'a durable tool in the %s that calls another server’s tool',
  (place) => {
    it('is given what came of it, and is told of one that was cut short', { timeout: 60_000 }, () =>
      run(() =>
        scoped(function* () {
          const kit = yield* useRemoteKit(place);
          let made = 0;
          const plain = createMcpTool('git__tag')
            .description('Tags')
            .parameters(z.object({}))
            .elicits({})
            .execute(function* (_params, ctx) {
              yield* saySent(ctx);
              made += 1;
              yield* ctx.elicit({ message: 'Really?', schema: z.object({}) });
              return { made };
            });
          const tag: AnyTool = { ...plain, def: { ...plain.def, foreign: origin } };
          yield* ToolDirectoryContext.set((name, given) => given ?? (name === 'git/tag' ? tag : undefined));
          const tool = yield* kit.tool(
            source(
              `let tagged;
             try { tagged = yield* ctx.call('git/tag', {}); } catch (error) { tagged = error.name; }
             const seat = yield* ctx.elicit.strict('seat', { message: JSON.stringify(tagged) });
             return [tagged, seat.row];`,
              durable,
            ),
          );
          const manager = yield* createSessionManager();
          const first = yield* manager.create({ tool, params: {}, capabilities });
          expect((yield* question(first)).request).toMatchObject({ message: 'Really?' });
          const early = journalOf(first);
          yield* drive(first, person(), 'end');
          expect(first.ended()).toMatchObject({ value: [{ made: 1 }, 4] });
          const outcomes: unknown[] = [];
          for (const journal of [prefix(journalOf(first), -1), early]) {
            const other = yield* createSessionManager();
            const session = yield* other.resume({ tool, journal, capabilities });
            yield* drive(session, person(), 'end');
            outcomes.push(session.ended());
          }
          expect(outcomes).toMatchObject([
            { value: [{ made: 1 }, 4] },
            { value: ['CallInterruptedError', 4] },
          ]);
          expect(made).toBe(1);
        }),
      ),
    );
  },
);
