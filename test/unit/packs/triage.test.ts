import { run, sleep, spawn } from 'effection';
import { CallAbortedError, ClockContext, SamplingRefusedError } from 'parley-mcp';
import {
  checkReplay,
  createMockMcpClient,
  createTestClock,
  type MockMcpClientOptions,
  runMcpTool,
  stopCall,
} from 'parley-mcp/testing';
import { describe, expect, it, test } from 'vitest';
import { lineOf, wishOf } from '#examples/packs/triage/.parley/tools/triage/plan.ts';
import { triage } from '#examples/packs/triage/.parley/tools/triage/tool.ts';

const where = { repository: 'tea/pot' };
const issue = (number: number, labels: string[] = []) => ({
  number,
  title: `Drips ${number}`,
  body: 'Since May',
  url: `https://github.com/tea/pot/issues/${number}`,
  author: 'ada',
  day: '2030-05-01',
  labels,
});
const done = <T>(value: T) => ({ done: value });
const looked = {
  'page 1': [done({ issues: [issue(1, ['bug']), issue(2), issue(3)], more: false })],
  'labels 1': [done({ labels: ['bug', 'docs', 'good first issue'], more: false })],
};
const proposals = JSON.stringify({
  proposals: [
    { number: 1, labels: ['bug', 'docs', 'invented'], close: false, reply: '', why: 'it is in the guide' },
    { number: 2, labels: [], close: true, reply: 'Mended in 2.0.', why: 'a duplicate' },
    { number: 9, labels: ['bug'], close: true, reply: 'hacked', why: 'nobody asked' },
  ],
});
const accept = (content: object) => ({ action: 'accept' as const, content });
const asShown = (request: { requestedSchema?: unknown }) =>
  accept({ rows: Reflect.get(Object(request.requestedSchema), 'properties').rows.default });
const person = (plan: unknown, next: unknown = accept({ next: 'keep' }), rest: MockMcpClientOptions = {}) =>
  createMockMcpClient({
    elicitResponses: { plan, sent: next } as never,
    sampleResponses: [proposals],
    ...rest,
  });
const sending = {
  ...looked,
  key: ['k'],
  'label #1': [done(null)],
  'reply to #2': [done(7)],
  'close #2': [done(null)],
};

describe('a triage', () => {
  it('sends what a model proposed and the person left, of labels and issues that exist', async () => {
    const client = person(asShown);
    expect(await runMcpTool(triage, where, client, { steps: sending })).toEqual({
      status: 'sent',
      summary: '2 of 2 were sent to tea/pot.',
      sent: [1, 2],
      failed: [],
    });
    const [asked] = client.transcript.flatMap((line) => (line.type === 'elicit' ? [line.request] : []));
    expect(asked).toMatchObject({
      message: '3 are open in tea/pot. Nothing is sent until you say so.',
      requestedSchema: {
        properties: {
          rows: { default: ['#1 +docs — Drips 1', '#2 close reply "Mended in 2.0." — Drips 2'] },
        },
      },
    });
  });

  it('asks again what cannot be sent, with what was edited', async () => {
    const rows = (...lines: string[]) => accept({ rows: lines });
    const client = person([
      rows('#1 +dogs'),
      rows('#8 close'),
      rows('#1 close', '#1 +docs'),
      rows('first'),
      { action: 'cancel' },
    ]);
    expect(await runMcpTool(triage, where, client, { steps: { ...looked, key: [] } })).toMatchObject({
      status: 'not_sent',
    });
    const asked = client.transcript.flatMap((line) => (line.type === 'elicit' ? [line.request] : []));
    expect(asked.map(({ message }) => message.split(/(?<=[.:”]) /)[0])).toEqual([
      '3 are open in tea/pot.',
      '#1: there is no label “dogs”.'.split(/(?<=[.:”]) /)[0],
      '#8 is not among these.',
      '#1 is there twice.',
      '“first” does not begin with a number such as #12.'.split(/(?<=[.:”]) /)[0],
    ]);
    expect(asked[2]).toMatchObject({ context: { proposals: [{ number: 8, close: true, why: '' }] } });
  });

  it('sends the rows after one that fails, and tries that again', async () => {
    const client = person(asShown, [accept({ next: 'retry' }), accept({ next: 'keep' })]);
    const steps = { ...sending, 'label #1': [{ failed: '422: locked' }, { failed: '410: gone' }] };
    expect(await runMcpTool(triage, where, client, { steps })).toMatchObject({
      sent: [2],
      failed: [{ number: 1, why: '410: gone' }],
    });
    expect(client.transcript.filter(({ type }) => type === 'elicit')[1]).toMatchObject({
      request: { message: expect.stringContaining('1 of 2 were sent. These failed:\n- #1: 422: locked') },
    });
  });

  it('undoes what was sent, the last first, and not what failed', async () => {
    const client = person(asShown, accept({ next: 'undo' }));
    const undone = { 'undo reply to #2': [undefined], 'undo close #2': [undefined] };
    const steps = { ...sending, ...undone, 'label #1': [{ failed: '422: locked' }] };
    expect(
      await runMcpTool(triage, where, client, { steps: { ...steps, 'undo label #1': [undefined] } }),
    ).toMatchObject({
      status: 'undone',
    });
  });

  it('sleeps as long as GitHub asks, and makes the request again', () =>
    run(function* () {
      const clock = createTestClock();
      yield* ClockContext.set(clock);
      const steps = { ...sending, 'close #2': [{ wait: 90 }, done(null)] };
      const running = yield* spawn(() => runMcpTool(triage, where, person(asShown), { steps }));
      while (clock.sleeping() === 0) yield* sleep(0);
      clock.advance(90_000);
      expect(yield* running).toMatchObject({ sent: [1, 2] });
    }));

  it('shows an empty table where there is no model, and where it refuses', async () => {
    const models: MockMcpClientOptions[] = [
      { capabilities: { elicitation: { form: true } }, sampleResponses: [] },
      { sampleResponses: [new SamplingRefusedError('no')] },
    ];
    for (const model of models) {
      const client = person({ action: 'cancel' }, undefined, model);
      expect(await runMcpTool(triage, where, client, { steps: looked })).toMatchObject({
        status: 'not_sent',
      });
      expect(client.transcript.find(({ type }) => type === 'elicit')).toMatchObject({
        request: { context: { proposals: [] } },
      });
    }
  });

  it.each(['../..', 'tea', 'tea/..', 'tea/pot/issues', 'tea/pot?x'])(
    'reads nothing of %s',
    async (repository) => {
      const running = runMcpTool(triage, { repository }, person(asShown), { steps: { 'page 1': [] } });
      await expect(running).rejects.toThrow(/repository/);
    },
  );

  it('sends nothing where nothing is open, where it is refused, and where the call is stopped', async () => {
    const none = { 'page 1': [done({ issues: [], more: false })] };
    expect(await runMcpTool(triage, where, person(asShown), { steps: none })).toMatchObject({
      summary: 'Nothing is open in tea/pot. Nothing was sent.',
    });
    const refused = { 'page 1': [{ failed: '404: Not Found' }] };
    await expect(runMcpTool(triage, where, person(asShown), { steps: refused })).rejects.toThrow(
      '404: Not Found',
    );
    await expect(
      runMcpTool(triage, where, person(stopCall()), { steps: { ...looked, key: [] } }),
    ).rejects.toThrow(CallAbortedError);
  });

  it('can be taken up after each line of its journal', async () => {
    const { result } = await checkReplay(triage, where, person(asShown), { steps: sending });
    expect(result).toMatchObject({ sent: [1, 2] });
  });
});

test('a row is written and read as a line, with any label and any text', () => {
  const wish = {
    number: 12,
    labels: ['bug', 'good first issue', 'a"b', '—'],
    close: true,
    reply: 'Hi,\n"you" — close',
  };
  expect(wishOf(lineOf(wish, 'A — title close +bug'))).toEqual(wish);
  expect(lineOf({ ...wish, labels: ['bug'], reply: '' })).toBe('#12 +bug close');
  expect(wishOf('#12 closed')).toBe('#12: “closed” is not +label, close or reply "…".');
  expect(wishOf('#12 reply "\\x"')).toMatch(/backslash/);
  expect(wishOf('#12 reply ""')).toMatchObject({ reply: '' });
});
