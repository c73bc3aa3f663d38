import { all, type Operation, race, sleep, spawn, suspend } from 'effection';
import { describe, expect, it } from 'vitest';
import { drive } from '#src/runtime/drive/drive.ts';
import { eventLoopTurn } from '#src/runtime/time/event-loop.ts';
import { runMcpTool } from '#src/testing/index.ts';
import {
  advance,
  type Ctx,
  clientOf,
  endOf,
  eventOf,
  said,
  tool,
  typesOf,
  waits,
  withManager,
} from './session-kit.ts';

const codeOf = (error: unknown) => (error as { code?: string }).code;

describe('a branch', () => {
  it('gives what its code gives, and throws what it throws', async () => {
    const code = tool(function* (ctx) {
      const value = yield* ctx.branch(function* (branch) {
        yield* sleep(0);
        return [
          branch.depth,
          yield* branch.branch(function* (deeper) {
            return deeper.depth;
          }),
        ];
      });
      try {
        yield* ctx.branch(function* () {
          yield* sleep(0);
          throw new Error('inside');
        });
      } catch (error) {
        return [value, (error as Error).message];
      }
    });
    expect(await runMcpTool(code, {})).toEqual([[1, 2], 'inside']);
  });

  it('keeps what fails inside it inside it', async () => {
    const code = tool(function* (ctx) {
      const caught: string[] = [];
      for (const options of [{}, { timeout: 60_000 }]) {
        try {
          yield* ctx.branch(function* () {
            yield* spawn(function* () {
              yield* sleep(0);
              throw new Error('a child of the branch');
            });
            yield* suspend();
          }, options);
        } catch (error) {
          caught.push((error as Error).message);
        }
      }
      yield* sleep(0);
      return caught;
    });
    expect(await runMcpTool(code, {})).toEqual(['a child of the branch', 'a child of the branch']);
  });

  it('takes its children down with it', async () => {
    const code = tool(function* (ctx) {
      const log: string[] = [];
      yield* ctx.branch(function* () {
        yield* spawn(function* () {
          try {
            yield* suspend();
          } finally {
            log.push('child down');
          }
        });
        yield* sleep(0);
        log.push('branch done');
      });
      log.push('after');
      return log;
    });
    expect(await runMcpTool(code, {})).toEqual(['branch done', 'child down', 'after']);
  });

  it('is refused deeper than allowed: by the call, by the branch above, and never the looser of both', async () => {
    const depths = tool(
      function* (ctx) {
        function* dive(at: Pick<Ctx, 'branch'>, maxDepth?: number): Operation<number> {
          let depth = 0;
          try {
            yield* at.branch(
              function* (branch) {
                depth = branch.depth;
                depth = Math.max(depth, yield* dive(branch));
              },
              maxDepth === undefined ? {} : { maxDepth },
            );
          } catch (error) {
            if (codeOf(error) !== 'BRANCH_DEPTH') throw error;
          }
          return depth;
        }
        return [yield* dive(ctx), yield* dive(ctx, 1), yield* dive(ctx, 0), yield* dive(ctx, 99)];
      },
      { limits: { maxDepth: 3 } },
    );
    expect(await runMcpTool(depths, {})).toEqual([3, 2, 1, 3]);
    const none = tool((ctx: Ctx) => ctx.branch(function* () {}), { limits: { maxDepth: 0 } });
    await expect(runMcpTool(none, {})).rejects.toMatchObject({
      code: 'BRANCH_DEPTH',
      details: { depth: 1, allowed: 0 },
    });
  });

  it('is over when its code is: whoever kept its context asks nobody, begins nothing and opens none below', async () => {
    const kept = tool(function* (ctx: Ctx) {
      const late = yield* ctx.branch(function* (branch) {
        return branch;
      });
      const codes: unknown[] = [];
      for (const use of [
        () => late.sample({ prompt: 'x' }),
        () => late.step('x', () => 1),
        () => late.roots(),
        () =>
          late.call(
            tool(function* () {}),
            {},
          ),
        () => late.branch((below) => below.sample({ prompt: 'x' })),
      ]) {
        try {
          yield* use() as Operation<unknown>;
        } catch (error) {
          codes.push(codeOf(error));
        }
      }
      return codes;
    });
    expect(await runMcpTool(kept, {})).toEqual(Array(5).fill('CALL_ENDED'));
  });

  it.each<[string, unknown, object, string]>([
    ['an async function', async () => 1, {}, 'what ctx.branch runs is an async function'],
    ['no function', undefined, {}, 'what ctx.branch runs is not a generator function'],
    ['a plain function', () => 1, {}, 'what ctx.branch runs is not a generator function'],
    ['a time-out that is no number', function* () {}, { timeout: Number.NaN }, 'the timeout NaN'],
    ['a negative budget', function* () {}, { maxTokens: -1 }, 'the maxTokens -1'],
  ])('is refused with a sentence for %s', async (_, code, options, problem) => {
    const wrong = tool((ctx: Ctx) => ctx.branch(code as () => Operation<unknown>, options));
    await expect(runMcpTool(wrong, {})).rejects.toMatchObject({
      code: 'TOOL_CODE',
      message: expect.stringContaining(problem),
    });
  });

  it(
    'that takes too long is ended at ctx.branch, cleaned up, and its asks withdrawn',
    withManager(function* ({ manager, clock }) {
      const log: string[] = [];
      const code = tool(function* (ctx) {
        try {
          yield* ctx.branch(
            function* (branch) {
              try {
                yield* branch.sample({ prompt: 'x' });
              } catch {
                log.push('caught inside');
              } finally {
                log.push('cleaned up');
              }
            },
            { timeout: 50 },
          );
        } catch (error) {
          return codeOf(error);
        }
      });
      const session = yield* manager.create({ tool: code, params: {} });
      yield* spawn(() => drive(session, clientOf({ sample: waits }), 'end'));
      yield* advance(clock, 50);
      expect(yield* endOf(session)).toMatchObject({ value: 'TIMEOUT' });
      expect(log).toEqual(['cleaned up']);
      expect(typesOf(session)).toContain('ask_closed sample-1 withdrawn');
    }),
  );

  it(
    'that loses a race is torn down, and its sampling withdrawn from the client',
    withManager(function* ({ manager }) {
      const log: string[] = [];
      const code = tool(function* (ctx) {
        const ask = (prompt: string) =>
          ctx.branch(function* (branch) {
            try {
              return (yield* branch.sample({ prompt })).text;
            } finally {
              log.push(`${prompt} down, aborted: ${branch.signal.aborted}`);
            }
          });
        return yield* race([ask('slow'), ask('quick')]);
      });
      const client = clientOf({
        *sample(ask) {
          if (JSON.stringify(ask.request.messages).includes('quick')) {
            yield* eventLoopTurn();
            return said('quick');
          }
          try {
            return yield* waits();
          } finally {
            log.push('client stopped');
          }
        },
      });
      const session = yield* manager.create({ tool: code, params: {} });
      expect(yield* drive(session, client, 'end')).toMatchObject({ value: 'quick' });
      expect(log).toEqual(['quick down, aborted: false', 'slow down, aborted: false', 'client stopped']);
    }),
  );

  it(
    'has a signal of its own, which aborts when it ends, and with the call',
    withManager(function* ({ manager }) {
      const signals: AbortSignal[] = [];
      const code = tool(function* (ctx) {
        yield* ctx.branch(function* (branch) {
          signals.push(branch.signal);
        });
        signals.push(ctx.signal);
        yield* ctx.branch(function* (branch) {
          signals.push(branch.signal);
          yield* suspend();
        });
      });
      const session = yield* manager.create({ tool: code, params: {} });
      yield* eventLoopTurn();
      expect(signals.map(({ aborted }) => aborted)).toEqual([true, false, false]);
      yield* session.abort();
      expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
    }),
  );

  it(
    'reports with its depth',
    withManager(function* ({ manager }) {
      const code = tool((ctx: Ctx) =>
        ctx.branch(function* (branch) {
          yield* branch.log('info', 'in');
          yield* branch.sample({ prompt: 'x' });
        }),
      );
      const session = yield* manager.create({ tool: code, params: {} });
      const { ask } = yield* eventOf(session, 'sample_request');
      expect(ask.depth).toBe(1);
      expect(session.events()[0]).toMatchObject({ type: 'log', depth: 1 });
    }),
  );
});

describe('a thousand branches at once', () => {
  it(
    'each sample, and each gets its own answer',
    withManager(function* ({ manager }) {
      const code = tool(function* (ctx) {
        const numbers = Array.from({ length: 1_000 }, (_, n) => n);
        const texts = yield* all(
          numbers.map((n) =>
            ctx.branch(
              function* (branch) {
                return (yield* branch.sample({ prompt: `${n}` })).text;
              },
              n % 2 === 0 ? {} : { timeout: 60_000, maxTokens: 1_000 },
            ),
          ),
        );
        return texts.every((text, n) => text === `answer ${n}`);
      });
      const client = clientOf({
        *sample({ request }) {
          yield* eventLoopTurn();
          const [message] = request.messages;
          const content = message?.content as { text: string };
          return said(`answer ${content.text}`);
        },
      });
      const session = yield* manager.create({ tool: code, params: {} });
      expect(yield* drive(session, client, 'end')).toMatchObject({ type: 'result', value: true });
    }),
  );
});
