import { type Operation, scoped, spawn, suspend } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { ToolContext } from '#src/core/tool/context.ts';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import type { AnyTool } from '#src/core/tool/tool.ts';
import { saySent } from '#src/runtime/context/made-once.ts';
import { ToolDirectoryContext } from '#src/runtime/context/tool-directory.ts';
import { CallPolicyContext } from '#src/runtime/policy/call-policy.ts';
import { policedTool } from '#src/runtime/policy/policed-tool.ts';
import { accept, endOf, row, settle, withManager } from '../session-kit.ts';
import { type Ctx, durable, journalOf, prefix, resumed, shortly } from './journal-kit.ts';

const origin = { server: 'git', tool: 'tag', claims: {}, reached: '' };

type ForeignCtx = ToolContext<Record<never, never>>;

/** A tool of another server, which counts how often it was really called. */
function foreign(
  code: (ctx: ForeignCtx, nth: number) => Operation<unknown>,
  annotations: { readOnlyHint?: boolean; idempotentHint?: boolean } = {},
) {
  const made: unknown[] = [];
  const plain: AnyTool = createMcpTool('github__create_issue')
    .description('Creates an issue.')
    .parameters(z.record(z.string(), z.unknown()))
    .annotations(annotations)
    .elicits({})
    .execute(function* (params, ctx) {
      yield* saySent(ctx);
      made.push(params);
      return (yield* code(ctx, made.length)) as never;
    });
  const tool: AnyTool = { ...plain, def: { ...plain.def, foreign: origin } };
  return { tool, made };
}

const nothing = z.object({ ok: z.boolean() });

/** Calls a foreign tool, then asks; its result has both. */
const calling = (tool: AnyTool, title: () => string = () => 'one') =>
  durable(function* (ctx: Ctx) {
    let issue: unknown;
    try {
      issue = yield* ctx.call(tool, { title: title() });
    } catch (error) {
      issue = `${(error as Error).name}: ${(error as Error).message}`;
    }
    const seat = yield* ctx.elicit.strict('seat', { message: JSON.stringify(issue) });
    return [issue, seat.row] as never;
  });

describe('a call of another server’s tool within a call', () => {
  it(
    'is made once: a replay gives what came of it, a fresh copy each time',
    withManager(function* ({ manager }) {
      const { tool, made } = foreign(function* () {
        return { number: 7 };
      });
      const first = yield* manager.create({ tool: calling(tool), params: {} });
      yield* settle();
      expect(journalOf(first).lines.map(shortly)).toEqual([
        'step step-1 github__create_issue',
        'step step-1 github__create_issue',
        'stepped step-1',
        'open elicit-1 as seat: {"number":7}',
      ]);
      const session = yield* resumed(calling(tool), journalOf(first));
      expect(made).toHaveLength(1);
      session.respond('elicit-1', row(3));
      expect(yield* endOf(session)).toMatchObject({ value: [{ number: 7 }, 3] });
    }),
  );

  it(
    'that failed throws the same again, and is not made again',
    withManager(function* ({ manager }) {
      const { tool, made } = foreign(function* () {
        throw new RangeError('no such repository');
      });
      const first = yield* manager.create({ tool: calling(tool), params: {} });
      yield* settle();
      const session = yield* resumed(calling(tool), journalOf(first));
      expect(session.openAsks()).toMatchObject([
        { request: { message: '"RangeError: no such repository"' } },
      ]);
      expect(made).toHaveLength(1);
    }),
  );

  it(
    'asks within itself, and a replay asks nothing of that again, whatever else went on meanwhile',
    withManager(function* ({ manager }) {
      const { tool, made } = foreign(function* (ctx) {
        const answer = yield* ctx.elicit({ message: 'Which repository?', schema: nothing });
        return { said: answer.action };
      });
      const two = () =>
        durable(function* (ctx: Ctx) {
          const both = yield* scoped(function* () {
            const one = yield* spawn(() => ctx.call(tool, { nth: 1 }));
            const other = yield* spawn(() => ctx.branch((branch) => branch.sample({ prompt: 'A joke' })));
            return [yield* one, (yield* other).text];
          });
          yield* ctx.elicit('seat', { message: JSON.stringify(both) });
          return both as never;
        });
      const first = yield* manager.create({ tool: two(), params: {} });
      yield* settle();
      for (const { id, kind } of first.openAsks()) {
        first.respond(
          id,
          kind === 'elicit'
            ? accept({ ok: true })
            : { role: 'assistant', content: { type: 'text', text: 'ha' }, model: 'm', stopReason: 'endTurn' },
        );
        yield* settle();
      }
      yield* settle();
      const last = first.openAsks();
      expect(last).toHaveLength(1);
      const session = yield* resumed(two(), journalOf(first));
      expect(made).toHaveLength(1);
      expect(session.openAsks().map(({ id }) => id)).toEqual(last.map(({ id }) => id));
      session.respond(last[0]?.id ?? '', row(1));
      expect(yield* endOf(session)).toMatchObject({ value: [{ said: 'accept' }, 'ha'] });
    }),
  );

  it(
    'that was on its way when the process died throws CallInterruptedError, with its open question gone, after each replay',
    withManager(function* ({ manager }) {
      const { tool, made } = foreign(function* (ctx) {
        yield* ctx.elicit({ message: 'Which repository?', schema: nothing });
        return 1;
      });
      const first = yield* manager.create({ tool: calling(tool), params: {} });
      yield* settle();
      expect(first.openAsks()).toMatchObject([{ request: { message: 'Which repository?' } }]);
      const second = yield* resumed(calling(tool), journalOf(first));
      yield* settle();
      const third = yield* resumed(calling(tool), journalOf(second));
      for (const session of [second, third]) {
        expect(session.openAsks()).toMatchObject([
          { id: 'elicit-2', request: { message: expect.stringContaining('CallInterruptedError') } },
        ]);
      }
      expect(made).toHaveLength(1);
      third.respond('elicit-2', row(2));
      expect(yield* endOf(third)).toMatchObject({
        value: [
          "CallInterruptedError: 'github__create_issue' was still running when the process that called it ended, so its effects are unknown. Check what it did before you call it again.",
          2,
        ],
      });
    }),
  );

  it.each([{ readOnlyHint: true }, { idempotentHint: true }])(
    'is made again where the server is believed: %o',
    (annotations) =>
      withManager(function* ({ manager }) {
        const { tool, made } = foreign(function* (_ctx, nth) {
          if (nth === 1) yield* suspend();
          return nth;
        }, annotations);
        const first = yield* manager.create({ tool: calling(tool), params: {} });
        yield* settle();
        const session = yield* resumed(calling(tool), journalOf(first));
        yield* settle();
        expect(made).toHaveLength(2);
        expect(session.openAsks()).toMatchObject([{ request: { message: '2' } }]);
      })(),
  );

  it(
    'that the person had not allowed yet has not gone out, so they are asked again',
    withManager(function* ({ manager }) {
      const { tool, made } = foreign(function* () {
        return 'made';
      });
      let asked = 0;
      yield* CallPolicyContext.set({
        *decide() {
          return { verdict: 'ask', why: 'a test says so' };
        },
        *ask({ params }) {
          if (++asked === 1) yield* suspend();
          return { approved: true, params, why: 'you allowed this call' };
        },
      });
      const policed = policedTool(tool);
      const first = yield* manager.create({ tool: calling(policed), params: {} });
      for (let turn = 0; turn < 3; turn++) yield* settle();
      expect(asked).toBe(1);
      const session = yield* resumed(calling(policed), journalOf(first));
      for (let turn = 0; turn < 3; turn++) yield* settle();
      expect(session.openAsks()).toMatchObject([{ request: { message: '"made"' } }]);
      expect(asked).toBe(2);
      const again = yield* resumed(calling(policed), journalOf(session));
      expect(again.openAsks()).toMatchObject([{ request: { message: '"made"' } }]);
      expect([asked, made.length]).toEqual([2, 1]);
    }),
  );

  it(
    'from every prefix of its journal goes to the same end, or says that it was cut short',
    withManager(function* ({ manager }) {
      const { tool } = foreign(function* (_ctx, nth) {
        return nth;
      });
      const first = yield* manager.create({ tool: calling(tool), params: {} });
      yield* settle();
      const journal = journalOf(first);
      const asks: unknown[] = [];
      for (let count = 0; count <= journal.lines.length; count++) {
        const session = yield* resumed(calling(tool), prefix(journal, count));
        yield* settle();
        asks.push(session.openAsks().map((ask) => ask.kind === 'elicit' && ask.request.message.slice(0, 5)));
      }
      expect(asks).toEqual([['2'], ['3'], ['"Call'], ['1'], ['1']]);
    }),
  );

  it(
    'is known of by its name where its server is not connected any more; what was cut short is not',
    withManager(function* ({ manager }) {
      const { tool, made } = foreign(function* () {
        return { number: 7 };
      });
      yield* ToolDirectoryContext.set(
        (name, given) => given ?? (name === 'github/create' ? tool : undefined),
      );
      const byName = () =>
        durable(function* (ctx: Ctx) {
          const messages: unknown[] = [];
          for (const name of ['nobody/nothing', 'github/create']) {
            try {
              messages.push(yield* ctx.call(name, { title: 'one' }));
            } catch (error) {
              messages.push((error as Error).name);
            }
          }
          yield* ctx.elicit('seat', { message: JSON.stringify(messages) });
          return undefined as never;
        });
      const first = yield* manager.create({ tool: byName(), params: {} });
      yield* settle();
      const journal = journalOf(first);
      yield* ToolDirectoryContext.set((_name, given) => given);
      const asked: unknown[] = [];
      for (const count of [0, 1, 2, 3, 4]) {
        const session = yield* resumed(byName(), prefix(journal, count));
        yield* settle();
        asked.push(session.openAsks().map((ask) => ask.kind === 'elicit' && ask.request.message));
      }
      const [missing, known] = ['"ToolNotFoundError"', '{"number":7}'];
      expect(asked).toEqual([
        [`["ToolNotFoundError",${missing}]`],
        [`["ToolNotFoundError",${missing}]`],
        ['["ToolNotFoundError","CallInterruptedError"]'],
        [`["ToolNotFoundError",${known}]`],
        [`["ToolNotFoundError",${known}]`],
      ]);
      expect(made).toHaveLength(1);
    }),
  );

  it(
    'with other parameters than then is a divergence that says so',
    withManager(function* ({ manager }) {
      const { tool } = foreign(function* () {
        return 1;
      });
      const first = yield* manager.create({ tool: calling(tool), params: {} });
      yield* settle();
      const session = yield* resumed(
        calling(tool, () => 'two'),
        journalOf(first),
      );
      expect(yield* endOf(session)).toMatchObject({
        type: 'error',
        error: {
          name: 'ReplayDivergedError',
          message: expect.stringContaining(
            "it called 'github__create_issue', and now it calls 'github__create_issue' with other parameters",
          ),
        },
      });
    }),
  );

  it(
    'that an older Parley did not write down is a divergence that says so, and the call is not made',
    withManager(function* ({ manager }) {
      const { tool, made } = foreign(function* () {
        return 1;
      });
      const first = yield* manager.create({ tool: calling(tool), params: {} });
      yield* settle();
      const journal = journalOf(first);
      const older = {
        ...journal,
        lines: journal.lines.filter(({ t }) => t !== 'step' && t !== 'stepped'),
      };
      const session = yield* resumed(calling(tool), older);
      expect(yield* endOf(session)).toMatchObject({
        type: 'error',
        error: {
          name: 'ReplayDivergedError',
          message: expect.stringContaining(
            'An older version of Parley did not record the results of such calls. Check that server for what was done, then start it again.',
          ),
        },
      });
      expect(made).toHaveLength(1);
    }),
  );

  it(
    'gives what is kept in memory as far as there is room; what came of it all reaches the tool',
    withManager(function* ({ manager }) {
      const { tool, made } = foreign(function* () {
        return 'x'.repeat(1024 * 1024);
      });
      const often = (times: number) =>
        durable(function* (ctx: Ctx) {
          let length = 0;
          for (let nth = 0; nth < times; nth++) length += String(yield* ctx.call(tool, { nth })).length;
          yield* ctx.elicit('seat', { message: String(length) });
          return length as never;
        });
      const kept: boolean[] = [];
      for (const times of [15, 17]) {
        const session = yield* manager.create({ tool: often(times), params: {} });
        while (session.openAsks().length === 0) yield* settle();
        expect(session.openAsks()).toMatchObject([{ request: { message: String(times * 1024 * 1024) } }]);
        kept.push(session.journal().lines.length > 0);
      }
      expect(kept).toEqual([true, false]);
      expect(made).toHaveLength(15 + 17);
    }),
  );

  it(
    'is not gone back behind, for nobody can take it back; one that only reads is passed',
    withManager(function* ({ manager }) {
      const asking = (tool: AnyTool) =>
        durable(function* (ctx: Ctx) {
          yield* ctx.elicit('seat', { message: 'first' });
          yield* ctx.call(tool, {});
          yield* ctx.elicit('seat', { message: 'second' });
          return undefined as never;
        });
      const writes = foreign(function* () {
        return 1;
      });
      const reads = foreign(
        function* () {
          return 1;
        },
        { readOnlyHint: true },
      );
      const outcomes: unknown[] = [];
      for (const { tool } of [writes, reads]) {
        const session = yield* manager.create({ tool: asking(tool), params: {} });
        yield* settle();
        session.respond('elicit-1', row(1));
        yield* settle();
        try {
          yield* session.rewind('elicit-1');
          outcomes.push('back');
        } catch (error) {
          outcomes.push((error as Error).message);
        }
      }
      expect(outcomes).toEqual([
        "the call cannot go back to 'elicit-1': the call of 'github__create_issue', which ran since then, cannot be undone",
        'back',
      ]);
    }),
  );

  it(
    'is a part of the step that makes it: the outcome of the step is all that is kept',
    withManager(function* ({ manager }) {
      const { tool, made } = foreign(function* () {
        return 1;
      });
      const session = yield* manager.create({
        tool: durable(function* (ctx: Ctx) {
          return (yield* ctx.step('both', () => ctx.call(tool, {}))) as never;
        }),
        params: {},
      });
      expect(yield* endOf(session)).toMatchObject({ value: 1 });
      expect(made).toHaveLength(1);
      expect(journalOf(session).lines.map(shortly)).toEqual([
        'step step-1 both',
        'stepped step-1',
        'end result',
      ]);
    }),
  );

  it(
    'that is let go of is over: a replay neither makes it nor waits for it',
    withManager(function* ({ manager }) {
      const { tool, made } = foreign(() => suspend());
      const racing = () =>
        durable(function* (ctx: Ctx) {
          yield* scoped(function* () {
            yield* spawn(() => ctx.call(tool, {}));
            yield* ctx.elicit('seat', { message: 'first' });
          });
          yield* ctx.elicit('seat', { message: 'second' });
          return 'over' as never;
        });
      const first = yield* manager.create({ tool: racing(), params: {} });
      yield* settle();
      first.respond('elicit-1', row(1));
      yield* settle();
      const session = yield* resumed(racing(), journalOf(first));
      expect(session.openAsks()).toMatchObject([{ request: { message: 'second' } }]);
      expect(made).toHaveLength(1);
    }),
  );
});
