import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import {
  checkReplay,
  createMockMcpClient,
  goBack,
  MissingResponseError,
  recordMcpTool,
  runMcpTool,
  stopCall,
} from '#src/testing/index.ts';

const elicits = { version: z.object({ version: z.string() }), sure: z.object({ sure: z.boolean() }) };

let tags: string[] = [];

const release = createMcpTool('release')
  .description('Tags a release.')
  .parameters(z.object({ branch: z.string() }))
  .durable()
  .elicits(elicits)
  .execute(function* ({ branch }, ctx) {
    const log = yield* ctx.step('read the log', () => `log of ${branch}`, { reads: true });
    const notes = yield* ctx.sample({ prompt: `Release notes of ${log}` });
    const { version } = yield* ctx.elicit.strict('version', { message: 'Which version?', notes: notes.text });
    yield* ctx.step('tag', () => void tags.push(version), { undo: () => void tags.pop() });
    const { sure } = yield* ctx.elicit.strict('sure', { message: `Publish ${version}?` });
    return { version, sure, notes: notes.text };
  });

const client = () =>
  createMockMcpClient({
    elicitResponses: {
      version: { action: 'accept', content: { version: '1.0.0' } },
      sure: { action: 'accept', content: { sure: true } },
    },
    sampleResponses: ['Better than ever.'],
  });

describe('checkReplay', () => {
  it('takes a tool up after each line of its journal', async () => {
    tags = [];
    const { journal, result } = await checkReplay(release, { branch: 'main' }, client());
    expect(result).toEqual({ version: '1.0.0', sure: true, notes: 'Better than ever.' });
    expect(journal.lines.at(-1)).toMatchObject({ t: 'end', value: { version: '1.0.0', sure: true } });
  });

  it('names the line after which the tool does something else, and what', async () => {
    let calls = 0;
    const clock = createMcpTool('clock')
      .description('d')
      .parameters(z.object({}))
      .durable()
      .elicits({ sure: elicits.sure })
      .execute(function* (_, ctx) {
        yield* ctx.elicit('sure', { message: `It is ${++calls}. Sure?` });
      });
    await expect(checkReplay(clock, {}, client())).rejects.toThrow(
      /taken up after line 1 of its journal \(open elicit-1 sure\), 'clock' cannot resume: at line 1 of its journal it asked the user “It is 1\. Sure\?” \('sure'\), and now it asks the user “It is 3\. Sure\?”/,
    );
  });

  const failing = (message: (run: number) => string) => {
    let runs = 0;
    return createMcpTool('failing')
      .description('d')
      .parameters(z.object({}))
      .durable()
      .elicits({ sure: elicits.sure })
      .execute(function* (_, ctx) {
        const run = ++runs;
        try {
          yield* ctx.elicit.strict('sure', { message: 'Sure?' });
        } catch {}
        throw new RangeError(message(run));
      });
  };

  it('rejects with the error of a tool that fails, unless that is expected', async () => {
    const always = failing(() => 'always');
    await expect(checkReplay(always, {}, client())).rejects.toMatchObject({
      name: 'RangeError',
      message: 'always',
    });
    const expected = await checkReplay(always, {}, client(), { expectFailure: true });
    expect(expected).toMatchObject({ journal: { lines: { length: 3 } }, result: undefined });
    const other = failing((run) => `in run ${run}`);
    await expect(checkReplay(other, {}, client(), { expectFailure: true })).rejects.toThrow(
      /came to the error “in run 2”/,
    );
    tags = [];
    await expect(checkReplay(release, { branch: 'main' }, client(), { expectFailure: true })).rejects.toThrow(
      'it was to fail, and came to {"version":"1.0.0"',
    );
  });

  it('rejects where the script lacks an answer, also where the tool caught that, or was to fail', async () => {
    for (const options of [{}, { expectFailure: true }]) {
      await expect(
        checkReplay(
          failing(() => 'x'),
          {},
          createMockMcpClient(),
          options,
        ),
      ).rejects.toThrow(MissingResponseError);
    }
    await expect(
      recordMcpTool(
        failing(() => 'x'),
        {},
      ),
    ).rejects.toThrow(MissingResponseError);
  });

  it('rejects with the end of a call that is stopped', async () => {
    const stopped = createMockMcpClient({ elicitResponses: [stopCall()] });
    const check = checkReplay(
      failing(() => 'x'),
      {},
      stopped,
      { expectFailure: true },
    );
    await expect(check).rejects.toMatchObject({ code: 'CALL_ABORTED' });
  });

  it('restarts a long call after 64 of its lines, the last among them', async () => {
    let starts = 0;
    const long = (fails: boolean) =>
      createMcpTool('long')
        .description('d')
        .parameters(z.object({}))
        .durable()
        .elicits({ sure: elicits.sure })
        .execute(function* (_, ctx) {
          const start = starts++;
          for (let n = 0; n < 40; n++) yield* ctx.step(`count ${n}`, () => n);
          yield* ctx.elicit.strict('sure', { message: 'Sure?' });
          return fails && start === 64 ? 'the last' : 'done';
        });
    const { journal } = await checkReplay(long(false), {}, client());
    expect(journal.lines).toHaveLength(83);
    // And after 64 lines that the call has where a step runs again.
    expect(starts).toBe(1 + 64 + 64);
    starts = 0;
    await expect(checkReplay(long(true), {}, client())).rejects.toThrow(
      'taken up after line 82 of its journal (answer elicit-1 sure), it came to "the last"',
    );
  });

  it('names the line after which the tool comes to another end', async () => {
    let calls = 0;
    const counter = createMcpTool('counter')
      .description('d')
      .parameters(z.object({}))
      .elicits({})
      .execute(function* () {
        return ++calls;
      });
    await expect(checkReplay(counter, {})).rejects.toThrow(
      'taken up from its beginning, it came to 2, and before to 1',
    );
  });
});

describe('checkReplay with two restarts', () => {
  /** Reads something at each start that it was not to read: what that changes, the journal of a first restart does not have. */
  const impatient = (fails: boolean) => {
    let starts = 0;
    return createMcpTool('impatient')
      .description('d')
      .parameters(z.object({}))
      .durable()
      .elicits({ sure: elicits.sure })
      .execute(function* (_, ctx) {
        starts += 1;
        const attempt = yield* ctx.step('fetch', () => (starts === 1 ? 'new' : 'again'));
        const which = fails && attempt === 'again' ? starts : 0;
        yield* ctx.elicit.strict('sure', { message: `Sure of ${which}?` });
        return 'done';
      });
  };

  it('names both lines, where a tool goes on once and not twice', async () => {
    await expect(checkReplay(impatient(true), {}, client())).rejects.toThrow(
      /^taken up .*, and again after line \d+ of its journal .*it asked the user “Sure of \d\?” \('sure'\), and now it asks the user/,
    );
  });

  it('lets a tool pass that goes on twice', async () => {
    expect(await checkReplay(impatient(false), {}, client())).toMatchObject({ result: 'done' });
  });
});

describe('runMcpTool with a journal', () => {
  it('goes on from it, and asks only for what it does not have', async () => {
    tags = [];
    const { header, lines } = await recordMcpTool(release, { branch: 'main' }, client());
    const at = lines.findIndex((line) => line.t === 'open' && line.name === 'sure');
    const journal = { header, lines: lines.slice(0, at) };
    const second = createMockMcpClient({ elicitResponses: [{ action: 'accept', content: { sure: false } }] });
    const result = await runMcpTool(release, { branch: 'main' }, second, { journal });
    expect(result).toEqual({ version: '1.0.0', sure: false, notes: 'Better than ever.' });
    expect(second.transcript).toHaveLength(1);
    expect(tags).toEqual(['1.0.0']);
  });
});

describe('doubles of steps', () => {
  const { steps, params } = {
    params: { branch: 'main' },
    steps: { 'read the log': ['l'], tag: [undefined] },
  };

  it('undoes nothing of a step that is doubled, at a rollback and when the person goes back', async () => {
    const did: string[] = [];
    const tool = createMcpTool('book')
      .description('Books, and takes it back.')
      .parameters(z.object({}))
      .durable({ undo: 'on failure' })
      .elicits({ seat: z.object({ row: z.number() }), sure: z.object({ sure: z.boolean() }) })
      .execute(function* (_, ctx) {
        yield* ctx.elicit.strict('seat', { message: 'Which row?' });
        yield* ctx.step('reserve', () => void did.push('reserve'), { undo: () => void did.push('free') });
        const { sure } = yield* ctx.elicit.strict('sure', { message: 'Sure?' });
        if (!sure) throw new Error('not sure');
      });
    const row = { action: 'accept', content: { row: 1 } } as const;
    const no = { action: 'accept', content: { sure: false } } as const;
    const client = () =>
      createMockMcpClient({ elicitResponses: { seat: [row, row], sure: [goBack('seat'), no] } });
    const steps = { reserve: [undefined, undefined] };
    await expect(runMcpTool(tool, {}, client(), { steps })).rejects.toThrow('not sure');
    expect(did).toEqual([]);
    const failing = { ...steps, 'undo reserve': [new Error('gone')] };
    await expect(runMcpTool(tool, {}, client(), { steps: failing })).rejects.toThrow(
      "'reserve' could not be undone",
    );
  });

  it('stand in for steps of a call that is taken up, after those that are finished', async () => {
    const counts = createMcpTool('counts')
      .description('d')
      .parameters(z.object({}))
      .durable()
      .elicits({})
      .execute(function* (_, ctx) {
        const first = yield* ctx.step('count', () => never());
        return first + (yield* ctx.step('count', () => never()));
      });
    const never = (): number => {
      throw new Error('a step of the test ran');
    };
    const check = (count: (number | Error)[]) => checkReplay(counts, {}, undefined, { steps: { count } });
    expect(await check([1, 20])).toMatchObject({ result: 21 });
    await expect(check([1])).rejects.toThrow("'count' begins for the 2. time, and the test says only 1");
  });

  it('that say of a step that it does not begin hold where it does not, and fail it where it does', async () => {
    const picky = createMcpTool('picky')
      .description('d')
      .parameters(z.object({ buy: z.boolean() }))
      .elicits({})
      .execute(function* ({ buy }, ctx) {
        const price = yield* ctx.step('look', () => 3);
        if (buy) yield* ctx.step('charge', () => price);
        return price;
      });
    const run = (buy: boolean) => runMcpTool(picky, { buy }, undefined, { steps: { charge: [] } });
    expect(await run(false)).toBe(3);
    await expect(run(true)).rejects.toThrow("'charge' begins for the 1. time, and the test says only 0");
  });

  it('that were never used fail the test by name, with the steps that ran', async () => {
    tags = [];
    const { tag, ...others } = steps;
    const misspelt = { ...others, tagg: tag };
    await expect(runMcpTool(release, params, client(), { steps: misspelt })).rejects.toThrow(
      "'steps' says what 'tagg' gives, and no such step began (there were 'read the log', 'tag'): correct its name, or leave it out",
    );
    const idle = createMcpTool('idle').description('d').parameters(z.object({})).elicits({});
    const nothing = idle.execute(function* () {
      return 1;
    });
    await expect(runMcpTool(nothing, {}, undefined, { steps })).rejects.toThrow('(there was none)');
  });

  it('may stand for a step that the journal has, and for one that a failing call did not come to', async () => {
    const journal = await recordMcpTool(release, params, client());
    const open = { ...journal, lines: journal.lines.filter(({ t }) => t !== 'end') };
    expect(await runMcpTool(release, params, client(), { journal: open, steps })).toMatchObject({
      sure: true,
    });
    const declining = createMockMcpClient({
      elicitResponses: [{ action: 'decline' }],
      sampleResponses: ['x'],
    });
    await expect(runMcpTool(release, params, declining, { steps })).rejects.toThrow(/declined/);
  });

  it('throw an error that stands among what a step gives, and are missed when they are all used', async () => {
    tags = [];
    const failing = { ...steps, tag: [new Error('no rights')] };
    await expect(runMcpTool(release, params, client(), { steps: failing })).rejects.toThrow('no rights');
    await expect(runMcpTool(release, params, client(), { steps: { ...steps, tag: [] } })).rejects.toThrow(
      "the step 'tag' begins for the 1. time, and the test says only 0: add what it gives to 'steps'",
    );
    expect(tags).toEqual([]);
  });

  it('are lists', async () => {
    const single = { ...steps, tag: { id: 7 } } as never;
    await expect(runMcpTool(release, params, client(), { steps: single })).rejects.toThrow(
      "the step 'tag' is not a list in 'steps': say what it gives each time, [ … ]",
    );
  });
});

describe('an option that the kit does not know', () => {
  it('is refused by name, so that no step runs in its place', () => {
    const params = { branch: 'main' };
    const options = { step: {} } as object;
    const known = "no option 'step': it knows callId, limits, parentMessages, calls";
    expect(() => runMcpTool(release, params, client(), options)).toThrow(`runMcpTool knows ${known}`);
    expect(() => recordMcpTool(release, params, client(), options)).toThrow(`recordMcpTool knows ${known}`);
    expect(() => checkReplay(release, params, client(), options)).toThrow(`checkReplay knows ${known}`);
    expect(() => createMockMcpClient({ elicitResponse: [] } as object)).toThrow("no option 'elicitResponse'");
  });
});
