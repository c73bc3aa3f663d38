import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, sleep, spawn } from 'effection';
import { ClockContext } from 'parley-mcp';
import { createMockMcpClient, createTestClock, runMcpTool } from 'parley-mcp/testing';
import { describe, expect, test } from 'vitest';
import { pruneBranches } from '#examples/cookbook/.parley/tools/bulk-approval.ts';
import { announce } from '#examples/cookbook/.parley/tools/draft.ts';
import { deploy } from '#examples/cookbook/.parley/tools/guard.ts';
import { orderItems } from '#examples/cookbook/.parley/tools/line-items.ts';
import { planTrip } from '#examples/cookbook/.parley/tools/one-round.ts';
import { bookRoom } from '#examples/cookbook/.parley/tools/rules-across-fields.ts';
import { reportBug } from '#examples/cookbook/.parley/tools/screenshot.ts';
import { restartService } from '#examples/cookbook/.parley/tools/time-out.ts';
import { createDatabase } from '#examples/cookbook/.parley/tools/wizard.ts';

/* Each recipe of docs/cookbook.md does what the page says. */

const root = join(import.meta.dirname, '../../..');
const accept = (content: Record<string, unknown>) => ({ action: 'accept', content }) as never;
const answers = (...given: Record<string, unknown>[]) =>
  createMockMcpClient({ elicitResponses: given.map(accept) });

test('the cookbook tells of each of its tools, and of no other', () => {
  const page = readFileSync(join(root, 'docs/cookbook.md'), 'utf8');
  const told = [
    ...page.matchAll(/^\[`[\w-]+\.ts`\]\(\.\.\/examples\/cookbook\/\.parley\/tools\/([\w-]+\.ts)\)$/gm),
  ];
  const files = globSync('*.ts', { cwd: join(root, 'examples/cookbook/.parley/tools') });
  expect(told.map(([, file]) => file).sort()).toEqual(files.sort());
});

describe('the cookbook', () => {
  test('restarts when nobody objects in time, and not when somebody does', async () => {
    const late = run(function* () {
      const clock = createTestClock();
      yield* ClockContext.set(clock);
      const silent = createMockMcpClient({ elicitResponses: [() => new Promise(() => {})] });
      const running = yield* spawn(() => runMcpTool(restartService, { service: 'web' }, silent));
      while (clock.sleeping() === 0) yield* sleep(0);
      clock.advance(300_000);
      return yield* running;
    });
    expect(await late).toBe('web was restarted.');
    expect(await runMcpTool(restartService, { service: 'web' }, answers({ wait: true }))).toMatch(/left/);
  });

  test('deletes what was ticked, and goes on behind one that fails', async () => {
    const branches = ['old', 'main', 'new'].map((name) => ({ name, age: 100, log: 'a1 first' }));
    const result = await runMcpTool(pruneBranches, { branches }, answers({ choice: ['old', 'main'] }));
    expect(result).toEqual({ deleted: 1, failed: ['main'] });
  });

  test('has rows corrected, and asks again for one that cannot be', async () => {
    const rows = [{ what: 'pencil', amount: 2 }];
    const client = answers({ rows: [{ what: '', amount: 3 }] }, { rows: [{ what: 'pen', amount: 3 }] });
    expect(await runMcpTool(orderItems, { rows }, client)).toEqual([{ what: 'pen', amount: 3 }]);
  });

  test('hands what the person pasted to the agent, as it is', async () => {
    const picture = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' };
    const given = { what: 'It is blank.', pictures: [picture] };
    const text = { type: 'text', text: 'It is blank.' };
    expect(await runMcpTool(reportBug, {}, answers(given))).toEqual([text, picture]);
    expect(await runMcpTool(reportBug, {}, answers({ what: 'It is blank.' }))).toEqual([text]);
  });

  test('asks again where two fields do not go together', async () => {
    const client = answers(
      { from: '2030-05-02', to: '2030-05-01' },
      { from: '2030-05-02', to: '2030-05-03' },
    );
    expect(await runMcpTool(bookRoom, {}, client)).toBe('Booked from 2030-05-02 to 2030-05-03.');
    expect(client.transcript[1]).toMatchObject({ problem: expect.stringContaining('Leave after') });
  });

  test('goes back a page in any client, with what was said filled in', async () => {
    const client = answers(
      { region: 'us' },
      { size: 8, next: 'next' },
      { name: 'db', next: 'back' },
      { size: 16, next: 'next' },
      { name: 'db', next: 'next' },
    );
    expect(await runMcpTool(createDatabase, {}, client)).toEqual({ region: 'us', size: 16, name: 'db' });
    expect(client.transcript[3]).toMatchObject({
      request: { requestedSchema: { properties: { size: { default: 8 } } } },
    });
  });

  test('calls the guarded tool only after a yes', async () => {
    const calls = { 'ops/deploy': { content: [], structuredContent: { done: true } } };
    const run = (action: 'accept' | 'decline') =>
      runMcpTool(
        deploy,
        { version: '2.0.0', to: 'production' },
        createMockMcpClient({ elicitResponses: [{ action, content: {} } as never] }),
        { calls },
      );
    expect(await run('decline')).toMatch(/nothing was deployed/);
    expect(await run('accept')).toEqual(calls['ops/deploy']);
  });

  test('drafts with a model, and without one lets the person write', async () => {
    const client = createMockMcpClient({
      sampleResponses: ['It is out.'],
      elicitResponses: [accept({ text: 'It is out!' })],
    });
    expect(await runMcpTool(announce, { what: '2.0' }, client)).toBe('It is out!');
    const alone = createMockMcpClient({
      capabilities: { elicitation: { form: true } },
      elicitResponses: [accept({ text: 'Mine.' })],
    });
    expect(await runMcpTool(announce, { what: '2.0' }, alone)).toBe('Mine.');
  });

  test('asks two questions in one round', async () => {
    const client = createMockMcpClient({
      elicitResponses: [accept({ 'when.day': '2030-05-01', 'how.by': 'plane' })],
    });
    expect(await runMcpTool(planTrip, { city: 'Oslo' }, client)).toBe(
      'Oslo by plane on 2030-05-01, for 3 days',
    );
  });
});
