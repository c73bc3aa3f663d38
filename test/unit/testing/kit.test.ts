import assert from 'node:assert/strict';
import { all } from 'effection';
import {
  CallAbortedError,
  confirm,
  createMcpPrompt,
  createMcpResource,
  createMcpResourceTemplate,
  createMcpTool,
  ElicitationOptionsError,
  ParamsInvalidError,
} from 'parley-mcp';
import {
  type CalledTools,
  createMockMcpClient,
  MissingResponseError,
  readMcpResource,
  runMcpPrompt,
  runMcpTool,
  stopCall,
} from 'parley-mcp/testing';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { bookFlightPlugin } from '#examples/workspace/.parley/tools/book-flight/plugin.ts';

const draft = createMcpTool('wizard')
  .description('Asks for a name, twice.')
  .parameters(z.object({ first: z.string().default('Ada'), size: z.enum(['s', 'm']).default('m') }));

const wizard = draft
  .elicits({ who: z.object({ name: z.string(), size: z.enum(['s', 'm']), days: z.int() }) })
  .execute(function* ({ first, size }, ctx) {
    const values = { name: first, size };
    const answer = yield* ctx.elicit.strict('who', { message: 'Who?', values, hint: 'yours' });
    return answer.name;
  });

const answered = { action: 'accept', content: { name: 'Grace', size: 's', days: 1 } } as const;

describe('runMcpTool', () => {
  test('is a promise, which begins when somebody waits for it', async () => {
    const client = createMockMcpClient({ elicitResponses: [answered] });
    const running: Promise<string> = runMcpTool(wizard, {}, client);
    expect(running).toBeInstanceOf(Promise);
    await Promise.resolve();
    expect(client.transcript).toEqual([]);
    expect(await running).toBe('Grace');
    expect(await running.finally(() => {})).toBe('Grace');
    expect(client.transcript).toHaveLength(1);
    expect(
      await Promise.all([runMcpTool(wizard, {}, createMockMcpClient({ elicitResponses: [answered] }))]),
    ).toEqual(['Grace']);
  });

  test('can be handed to node:assert', async () => {
    await assert.rejects(runMcpTool(wizard, {}, createMockMcpClient()), MissingResponseError);
  });

  test('an answer that is none is named as the author named its question', async () => {
    const client = createMockMcpClient({ elicitResponses: { who: [{ action: 'maybe' } as never] } });
    await expect(runMcpTool(wizard, {}, client)).rejects.toThrow(
      "a valid answer to 'who' (elicit-1): an answer has",
    );
  });

  test('knows the types of the parameters, before defaults', async () => {
    // @ts-expect-error first is a text
    await expect(runMcpTool(wizard, { first: 1 })).rejects.toThrow(ParamsInvalidError);
    // @ts-expect-error size is s or m
    await expect(runMcpTool(wizard, { size: 'xl' })).rejects.toThrow(ParamsInvalidError);
  });
});

describe('the mock client', () => {
  test('names the answers that nobody asked for', async () => {
    const listed = createMockMcpClient({ elicitResponses: [answered, answered], sampleResponses: ['never'] });
    await runMcpTool(wizard, {}, listed);
    expect(listed.unused).toEqual([
      expect.stringContaining('elicitResponses, answer number 2: {"action":"accept"'),
      'sampleResponses, answer number 1: "never"',
    ]);
    const keyed = createMockMcpClient({ elicitResponses: { who: answered, whom: answered } });
    await runMcpTool(wizard, {}, keyed);
    expect(keyed.unused).toEqual(["elicitResponses['whom']: it was never asked"]);
  });

  test('sends what a form begins with, as a person does who accepts it, and not what they empty', async () => {
    const form = draft
      .elicits({
        who: z.object({
          name: z.string(),
          size: z.enum(['s', 'm']).default('m'),
          note: z.string().optional(),
        }),
      })
      .execute(function* ({ first }, ctx) {
        return yield* ctx.elicit.strict('who', { message: 'Who?', values: { name: first, note: 'hello' } });
      });
    const accepted = (content: object) =>
      runMcpTool(form, {}, createMockMcpClient({ elicitResponses: [{ action: 'accept', content }] }));
    expect(await accepted({})).toEqual({ name: 'Ada', size: 'm', note: 'hello' });
    expect(await accepted({ size: 's', note: undefined })).toEqual({ name: 'Ada', size: 's' });
    await expect(accepted({ name: undefined })).rejects.toThrow(/the last answer does not fit: .*name/);
  });

  test('answers samplings by their keys, whichever of several branches asks first', async () => {
    const debate = draft.elicits({}).execute(function* (_, ctx) {
      const say = (key: string) =>
        ctx.branch(function* (branch) {
          const { text } = yield* branch.sample({ prompt: `Speak ${key}.`, key });
          return text;
        });
      const texts = yield* all([say('for'), say('against'), say('for')]);
      const { text } = yield* ctx.sample({ prompt: texts.join() });
      return text;
    });
    const asked: string[] = [];
    const client = createMockMcpClient({
      sampleResponses: {
        against: 'no',
        for: ['yes', 'of course'],
        sample({ key, messages }) {
          asked.push(key, JSON.stringify(messages[0]?.content));
          return 'a draw';
        },
        never: 'x',
      },
    });
    expect(await runMcpTool(debate, {}, client)).toBe('a draw');
    expect(asked).toEqual(['sample', expect.stringContaining('yes,no,of course')]);
    expect(client.transcript.map((entry) => entry.type === 'sample' && entry.key)).toEqual([
      ...['for', 'against', 'for', 'sample'],
    ]);
    expect(client.unused).toEqual(["sampleResponses['never']: it was never asked"]);
    const lacking = createMockMcpClient({ sampleResponses: { for: 'yes', aganist: 'no' } });
    await expect(runMcpTool(debate, {}, lacking)).rejects.toThrow(
      "sampleResponses['against'] has no answer number 1 (there are some for 'for', 'aganist')",
    );
  });

  test('says that an answer does not fit, and why', async () => {
    const client = createMockMcpClient({ elicitResponses: [{ action: 'accept', content: { name: 5 } }] });
    await expect(runMcpTool(wizard, {}, client)).rejects.toThrow(/the last answer does not fit: .*name/s);
  });

  test('stops the call where it waits: its cleanup runs', async () => {
    const log: string[] = [];
    const holding = draft.elicits({}).execute(function* (_, ctx) {
      try {
        yield* ctx.sample({ prompt: 'Hello' });
      } finally {
        log.push('released');
      }
    });
    const client = createMockMcpClient({ sampleResponses: [stopCall('enough')] });
    const stopped = await runMcpTool(holding, {}, client).catch((error: unknown) => error);
    expect(stopped).toBeInstanceOf(CallAbortedError);
    expect(String(stopped)).toContain('enough');
    expect(log).toEqual(['released']);
    const asked = createMockMcpClient({ elicitResponses: () => stopCall() });
    await expect(runMcpTool(wizard, {}, asked)).rejects.toThrow('the test stopped it');
  });

  test('runs a plugin’s handlers in front of scripted views', async () => {
    const client = createMockMcpClient({
      viewResponses: { FlightList: ['HC 323'], SeatPicker: '1B' },
      sampleResponses: ['Pack light.'],
    });
    const booked = await runMcpTool(bookFlightPlugin, { from: 'AMS', destination: 'LIS' }, client);
    expect(booked).toMatchObject({ status: 'booked', seat: '1B' });
    expect(client.transcript.filter(({ type }) => type === 'view')).toMatchObject([
      { how: 'render', view: 'FlightList', props: { from: 'Amsterdam' }, response: 'HC 323' },
      { how: 'render', view: 'SeatPicker', response: '1B' },
    ]);
    expect(client.unused).toEqual([]);
  });

  test('fails or stops a call while a view is open, and says which view has no answer', async () => {
    const params = { from: 'AMS', destination: 'LIS' };
    const crashing = createMockMcpClient({ viewResponses: { FlightList: new Error('no list') } });
    await expect(runMcpTool(bookFlightPlugin, params, crashing)).rejects.toThrow('no list');
    const stopping = createMockMcpClient({ viewResponses: { FlightList: stopCall() } });
    await expect(runMcpTool(bookFlightPlugin, params, stopping)).rejects.toThrow(CallAbortedError);
    const lacking = createMockMcpClient({ viewResponses: { SeatPicker: '1B' } });
    await expect(runMcpTool(bookFlightPlugin, params, lacking)).rejects.toThrow(
      /rendered 'FlightList', and viewResponses\.FlightList has no answer/,
    );
    expect(lacking.unused).toEqual(['viewResponses.SeatPicker: it was never rendered']);
  });
});

describe('prompts and resources', () => {
  test('are run as clients run them', async () => {
    const review = createMcpPrompt('review')
      .description('Reviews a file.')
      .arguments(z.object({ file: z.string() }))
      .elicits({})
      .messages(function* ({ file }) {
        return `Review ${file}.`;
      });
    expect((await runMcpPrompt(review, { file: 'a.ts' })).messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'Review a.ts.' } },
    ]);
    const today = createMcpResource('notes://today', 'The notes of today').read(function* () {
      return 'Nothing yet.';
    });
    expect(await readMcpResource(today, 'notes://today')).toEqual([
      { uri: 'notes://today', text: 'Nothing yet.' },
    ]);
    const notes = createMcpResourceTemplate('notes://{day}', 'Notes').read(function* ({ day }) {
      return `Notes of ${day}`;
    });
    expect(await readMcpResource(notes, 'notes://monday')).toMatchObject([{ text: 'Notes of monday' }]);
    expect(() => readMcpResource(notes, 'other://monday')).toThrow(
      "'other://monday' is no URI of the template",
    );
    expect(() => readMcpResource(today, 'notes://monday')).toThrow("The resource is 'notes://today'");
  });

  const asking = createMcpPrompt('ask').description('Asks.').arguments(z.object({})).elicits({});
  const notes = createMcpResource('notes://all', 'Notes');
  const perDay = createMcpResourceTemplate('notes://{day}', 'Notes of a day');

  test.each([
    ['nothing', undefined],
    ['an async function', async () => 'text'],
  ])('are refused with %s in the place of their code', (_, code) => {
    expect(() => asking.messages(code as never)).toThrow(
      "prompt 'ask': .messages() takes a generator function",
    );
    expect(() => notes.read(code as never)).toThrow(
      "resource 'notes://all': .read() takes a generator function",
    );
    expect(() => perDay.read(code as never)).toThrow("'notes://{day}': .read() takes a generator function");
  });

  test('that give nothing are told what to give', async () => {
    const forgetful = function* () {} as never;
    await expect(runMcpPrompt(asking.messages(forgetful), {})).rejects.toThrow(
      "the code of 'ask' has a mistake: it gave no messages: return a text, a list of messages",
    );
    await expect(readMcpResource(notes.read(forgetful), 'notes://all')).rejects.toThrow(
      "the code of 'notes://all' has a mistake: it gave nothing to read: return a text, bytes",
    );
  });
});

describe('a question that is filled in', () => {
  test('begins with the values, on a form that every client knows, and hands on the context beside them', async () => {
    const client = createMockMcpClient({ elicitResponses: [answered] });
    await runMcpTool(wizard, { first: 'Mary' }, client);
    expect(client.transcript[0]).toMatchObject({
      request: {
        context: { hint: 'yours' },
        requestedSchema: {
          properties: {
            name: { type: 'string', default: 'Mary' },
            size: { default: 'm' },
            days: { type: 'integer' },
          },
        },
      },
    });
    expect(wizard.def.elicits.who?.json.properties.name).not.toHaveProperty('default');
  });

  test.each([
    [{ nobody: 1 }, 'which is no field of the question (its fields: name, size, days)'],
    [{ name: 1 }, "something for 'name' that is no string"],
    [{ size: 'xl' }, "something for 'size' that is no choice of it"],
    [{ days: 1.5 }, "something for 'days' that is no integer"],
    [[], undefined],
    ['text', "'values' is an object"],
  ])('refuses %j by name', async (values, problem) => {
    const wrong = draft
      .elicits({ who: z.object({ name: z.string(), size: z.enum(['s', 'm']), days: z.int() }) })
      .execute(function* (_, ctx) {
        return (yield* ctx.elicit('who', { message: 'Who?', values: values as never })).action;
      });
    const running = runMcpTool(wrong, {}, createMockMcpClient({ elicitResponses: [answered] }));
    if (problem === undefined) expect(await running).toBe('accept');
    else {
      const error: unknown = await running.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ElicitationOptionsError);
      expect(String(error)).toContain(problem);
    }
  });
});

describe('confirm', () => {
  const sure = draft.elicits({}).execute(function* (_, ctx) {
    return yield* confirm(ctx, 'Sure?');
  });

  test.each([
    [{ action: 'accept', content: {} } as const, true],
    [{ action: 'decline' } as const, false],
    [{ action: 'cancel' } as const, false],
  ])('takes %j for %s', async (answer, expected) => {
    const client = createMockMcpClient({ elicitResponses: [answer] });
    expect(await runMcpTool(sure, {}, client)).toBe(expected);
    expect(client.transcript[0]).toMatchObject({
      request: { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } },
    });
  });
});

test('a run that did not come to a verb without yield* fails with its line all the same', async () => {
  const hasty = draft.elicits({}).execute(function* (params, ctx) {
    if ('all' in params && !confirm(ctx, 'Delete all?')) return 'kept';
    return 'nothing to do';
  });
  await expect(runMcpTool(hasty, {})).rejects.toMatchObject({
    code: 'TOOL_CODE',
    message: expect.stringMatching(
      /write `yield\* confirm\(…\)`, in the line “if .*!confirm\(ctx, .Delete all\?.\)\) return .*”/,
    ),
  });
});

test('an answer under a misspelt key is named where the right one is missing', async () => {
  const client = createMockMcpClient({ elicitResponses: { whoo: answered } });
  await expect(runMcpTool(wizard, {}, client)).rejects.toThrow(
    "elicitResponses['who'] has no answer number 1 (there are some for 'whoo'): add one",
  );
});

describe('a double of a tool', () => {
  const measure = createMcpTool('measure')
    .description('Measures.')
    .parameters(z.object({}))
    .elicits({})
    .execute(function* () {
      return 21;
    });
  const calling = createMcpTool('calling')
    .description('Calls, or not.')
    .parameters(z.object({ calls: z.boolean().default(true) }))
    .elicits({})
    .execute(function* ({ calls }, ctx) {
      return calls ? yield* ctx.call(measure, {}) : 0;
    });
  const run = (calls: CalledTools, params = {}) =>
    runMcpTool(calling, params, createMockMcpClient(), { calls });

  test('that nobody called fails the test where a tool has run that nothing stands for', async () => {
    expect(await run({ measure: 7 })).toBe(7);
    await expect(run({ mesure: 7 })).rejects.toThrow(
      "'calls' says what 'mesure' gives, and no such tool was called (there were 'measure'): correct its name",
    );
  });

  test('may be one of several that a test has ready', async () => {
    expect(await run({ measure: 7 }, { calls: false })).toBe(0);
    expect(await run({ measure: 7, other: 8 })).toBe(7);
    expect(await run({ other: measure })).toBe(21);
  });
});
