import { all, race, sleep, spawn, suspend, until } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpTool, makePlugin } from '#src/core/index.ts';
import { EVERYTHING } from '#src/runtime/session/capabilities.ts';
import { createMockMcpClient, runMcpTool } from '#src/testing/index.ts';

const ask = createMcpTool('ask_name')
  .description('Asks for a name')
  .parameters(z.object({ greeting: z.string().default('Hello') }))
  .elicits({ who: z.object({ name: z.string() }) })
  .execute(function* ({ greeting }, ctx) {
    const { name } = yield* ctx.elicit.strict('who', { message: 'Who?' });
    return { said: `${greeting}, ${name}`, depth: ctx.depth, tool: ctx.toolName };
  });

const outer = (run: Parameters<ReturnType<typeof start>['execute']>[0]) => start().execute(run);
const start = () => createMcpTool('outer').description('Calls others').parameters(z.object({})).elicits({});

describe('ctx.call', () => {
  it('runs a tool with defaults and questions, which are asked as the outer call’s, with the path', async () => {
    const paths: unknown[] = [];
    const client = createMockMcpClient({
      elicitResponses: { who: { action: 'accept', content: { name: 'Ada' } } },
    });
    const elicit = client.elicit;
    const watched = {
      ...client,
      *elicit(...[one, io]: Parameters<NonNullable<typeof elicit>>) {
        paths.push([one.path, one.ref.callId]);
        return yield* (elicit as NonNullable<typeof elicit>)(one, io);
      },
    };
    const result = await runMcpTool(
      outer(function* (_, ctx) {
        return yield* ctx.call(ask, {});
      }),
      {},
      watched,
    );
    expect(result).toEqual({ said: 'Hello, Ada', depth: 0, tool: 'ask_name' });
    expect(paths).toEqual([[['ask_name'], 'test']]);
  });

  it('refuses parameters that do not fit before any code of the tool, and throws what the tool throws', async () => {
    const failing = createMcpTool('failing')
      .description('Fails')
      .parameters(z.object({ times: z.int() }))
      .elicits({})
      .execute(function* () {
        throw new Error('out of paper');
      });
    const said = await runMcpTool(
      outer(function* (_, ctx) {
        const errors: string[] = [];
        for (const params of [{ times: 'two' }, { times: 2 }]) {
          try {
            yield* ctx.call(failing, params as { times: number });
          } catch (error) {
            errors.push((error as Error).message);
          }
        }
        return errors;
      }),
      {},
    );
    expect(said).toEqual([expect.stringContaining('times'), 'out of paper']);
  });

  it('ends what it called when it is halted', async () => {
    const seen: string[] = [];
    const endless = createMcpTool('endless')
      .description('Never ends')
      .parameters(z.object({}))
      .elicits({})
      .execute(function* (_, ctx) {
        try {
          yield* suspend();
        } finally {
          seen.push(`halted, aborted: ${ctx.signal.aborted}`);
        }
      });
    await runMcpTool(
      outer(function* (_, ctx) {
        const task = yield* spawn(() => ctx.call(endless, {}));
        yield* sleep(0);
        yield* task.halt();
        seen.push('went on');
      }),
      {},
    );
    expect(seen).toEqual(['halted, aborted: false', 'went on']);
  });

  it('lets what it called clean up, at whatever moment it is halted', async () => {
    const seen: string[] = [];
    const waiting = createMcpTool('waiting')
      .description('Waits')
      .parameters(z.object({}))
      .elicits({})
      .execute(function* (_, ctx) {
        seen.push('begun');
        try {
          yield* ctx.log('info', 'waiting');
          yield* suspend();
        } finally {
          seen.push('cleaned up');
        }
      });
    const steps = (many: number) =>
      function* () {
        for (let n = 0; n < many; n++) yield* until(Promise.resolve());
      };
    await runMcpTool(
      outer(function* (_, ctx) {
        // Other operations that are over in the very turn in which the call begins.
        for (let many = 0; many < 12; many++) yield* race([ctx.call(waiting, {}), steps(many)()]);
        for (let many = 0; many < 12; many++) yield* race([steps(many)(), ctx.call(waiting, {})]);
      }),
      {},
    );
    const count = (what: string) => seen.filter((one) => one === what).length;
    expect(count('begun')).toBeGreaterThan(12);
    expect(count('cleaned up')).toBe(count('begun'));
  });

  it('keeps the limits of both: its own time, and no more tokens than the outer call has', async () => {
    const slow = createMcpTool('slow')
      .description('Sleeps')
      .parameters(z.object({}))
      .limits({ timeout: 20 })
      .elicits({})
      .execute(function* () {
        yield* suspend();
      });
    const sampler = createMcpTool('sampler')
      .description('Samples')
      .parameters(z.object({}))
      .limits({ maxTokens: 1_000_000 })
      .elicits({})
      .execute(function* (_, ctx) {
        return (yield* ctx.sample({ prompt: 'Hi' })).text;
      });
    const client = createMockMcpClient({ sampleResponses: ['yes'] });
    await runMcpTool(
      outer(function* (_, ctx) {
        yield* ctx.call(sampler, {});
      }),
      {},
      client,
      { limits: { maxTokens: 50 } },
    );
    const [sample] = client.transcript;
    expect(sample).toMatchObject({ type: 'sample', request: { maxTokens: 50 } });
    await expect(
      runMcpTool(
        outer(function* (_, ctx) {
          yield* ctx.call(slow, {});
        }),
        {},
      ),
    ).rejects.toThrow("'slow' took longer than its limit of 20 ms");
  });

  it('refuses a tool whose requirements nobody meets, a name that is none, and calls without end', async () => {
    const needs = createMcpTool('needs')
      .description('Needs folders')
      .parameters(z.object({}))
      .requires({ roots: true })
      .elicits({})
      .execute(function* () {});
    const { roots: _, ...capabilities } = EVERYTHING;
    await expect(
      runMcpTool(
        outer(function* (_params, ctx) {
          yield* ctx.call(needs, {});
        }),
        {},
        createMockMcpClient({ capabilities }),
      ),
    ).rejects.toMatchObject({ code: 'CAPABILITY', toolName: 'needs' });
    await expect(
      runMcpTool(
        outer(function* (_params, ctx) {
          yield* ctx.call('github/create_issue');
        }),
        {},
      ),
    ).rejects.toMatchObject({ code: 'TOOL_NOT_FOUND' });
    await expect(
      runMcpTool(
        outer(function* (_params, ctx) {
          yield* ctx.call('github/creat_isue');
        }),
        {},
        undefined,
        { calls: { 'github/close_issue': 1, 'github/create_issue': 1 } },
      ),
    ).rejects.toThrow(
      /no tool 'github\/creat_isue' to call here: did you mean 'github\/create_issue'\? Check/,
    );
    const again = outer(function* (_params, ctx) {
      yield* ctx.call('outer');
    });
    await expect(runMcpTool(again, {}, undefined, { calls: { outer: again } })).rejects.toMatchObject({
      code: 'CALL_DEPTH',
    });
  });

  it('lets tools that were called at once ask in turn, each with its path, and goes on where one of them is halted', async () => {
    const open = new Set<string>();
    let most = 0;
    const client = createMockMcpClient({});
    const watched = {
      ...client,
      *elicit(...[one]: Parameters<NonNullable<typeof client.elicit>>) {
        open.add(one.id);
        try {
          yield* sleep(1);
          most = Math.max(most, open.size);
        } finally {
          open.delete(one.id);
        }
        return { action: 'accept' as const, content: { name: `${one.path?.at(-1)} ${one.ref.seq}` } };
      },
    };
    const result = await runMcpTool(
      outer(function* (_, ctx) {
        const halted = yield* spawn(() => ctx.call(ask, {}));
        const tasks = [];
        for (const greeting of ['A', 'B', 'C']) tasks.push(yield* spawn(() => ctx.call(ask, { greeting })));
        yield* sleep(0);
        yield* halted.halt();
        return yield* all(tasks);
      }),
      {},
      watched,
    );
    expect(most).toBe(1);
    expect((result as { said: string }[]).map(({ said }) => said)).toEqual([
      'A, ask_name 2',
      'B, ask_name 3',
      'C, ask_name 4',
    ]);
  });

  it('lets what it called ask one question after the other, and not two at once', async () => {
    const asking = (together: boolean) =>
      createMcpTool('asking')
        .description('Asks twice')
        .parameters(z.object({}))
        .elicits({ first: z.object({ name: z.string() }), second: z.object({ name: z.string() }) })
        .execute(function* (_, ctx) {
          const first = () => ctx.elicit.strict('first', { message: 'First?' });
          const second = () => ctx.elicit.strict('second', { message: 'Second?' });
          return together ? yield* all([first(), second()]) : [yield* first(), yield* second()];
        });
    const names = { first: { name: 'Ada' }, second: { name: 'Grace' } };
    const client = createMockMcpClient({
      elicitResponses: {
        first: { action: 'accept', content: names.first },
        second: { action: 'accept', content: names.second },
      },
    });
    const through = (together: boolean) =>
      runMcpTool(
        outer(function* (_, ctx) {
          return yield* ctx.call(asking(together), {});
        }),
        {},
        client,
      );
    await expect(through(false)).resolves.toEqual([names.first, names.second]);
    await expect(through(true)).rejects.toMatchObject({
      code: 'ELICITATION_PENDING',
      details: { key: 'second', pendingKey: 'first' },
    });
  });

  it('in a branch may do all but ask the person', async () => {
    await expect(
      runMcpTool(
        outer(function* (_, ctx) {
          return yield* ctx.branch((branch) => branch.call(ask, {}));
        }),
        {},
      ),
    ).rejects.toMatchObject({ code: 'ELICITATION_IN_BRANCH' });
  });

  it('takes a plugin, whose steps around samplings run', async () => {
    const sampler = createMcpTool('sampler')
      .description('Samples')
      .parameters(z.object({}))
      .elicits({})
      .execute(function* (_, ctx) {
        return (yield* ctx.sample({ prompt: 'Hi' })).text;
      });
    const plugin = makePlugin(sampler)
      .onElicit({})
      .sampling({
        *after(result) {
          return { ...result, content: { type: 'text', text: 'changed' } };
        },
      })
      .build();
    const result = await runMcpTool(
      outer(function* (_, ctx) {
        return yield* ctx.call(plugin, {});
      }),
      {},
      createMockMcpClient({ sampleResponses: ['as it was'] }),
    );
    expect(result).toBe('changed');
  });

  it('is scripted in a test: by value, by function, with an error; and the parameters are still checked', async () => {
    const code = outer(function* (_, ctx) {
      return [yield* ctx.call(ask, { greeting: 'Hi' }), yield* ctx.call('github/count', { of: 'issues' })];
    });
    const calls = { ask_name: 'scripted', 'github/count': (params: unknown) => ({ params }) };
    expect(await runMcpTool(code, {}, undefined, { calls })).toEqual([
      'scripted',
      { params: { of: 'issues' } },
    ]);
    const wrong = outer(function* (_, ctx) {
      return yield* ctx.call(ask, { greeting: 7 as never });
    });
    await expect(runMcpTool(wrong, {}, undefined, { calls })).rejects.toMatchObject({
      code: 'PARAMS_INVALID',
    });
    await expect(
      runMcpTool(code, {}, undefined, { calls: { ...calls, ask_name: new Error('no printer') } }),
    ).rejects.toThrow('no printer');
  });

  it.each([
    ['nothing', undefined],
    ['a tool without its code', createMcpTool('half').description('d')],
    ['a plugin that is not built', makePlugin(ask).onElicit({ who: 'form' })],
  ])('refuses %s with a sentence', async (_, given) => {
    const code = outer((_, ctx) => ctx.call(given as never, {}));
    await expect(runMcpTool(code, {})).rejects.toMatchObject({
      code: 'TOOL_CODE',
      message: expect.stringContaining('end a tool with .execute() or .handoff(), a plugin with .build()'),
    });
  });
});
