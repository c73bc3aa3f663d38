import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { startServer } from '../mcp/kit/in-process.ts';
import { testTools } from '../mcp/kit/tools.ts';
import { ask, type Message, openSession, type Reply, type Session2025 } from '../mcp/kit/wire.ts';
import { figures, scaled } from './kit/scale.ts';

const isQuestion = ({ method }: Message) => method === 'elicitation/create';
const isAnswer = ({ result, error }: Message) => result !== undefined || error !== undefined;
const row = (number: number) => ({ action: 'accept', content: { row: number } });

async function start() {
  const { tools, witness } = testTools();
  const limits = { maxWaiting: 5_000, share: { maxWaiting: 5_000 } };
  const running = await startServer({ tools, limits }, { limits: { resumeGrace: 100 } });
  return { url: running.url, witness };
}

/** The numbers below `count`, in an order that the seed says. */
function shuffled(count: number): readonly number[] {
  const all = Array.from({ length: count }, (_, at) => at);
  return fc.sample(fc.shuffledSubarray(all, { minLength: count, maxLength: count }), 1)[0] ?? all;
}

describe('questions that are answered in any order', () => {
  it('come to the calls that asked them, in the 2025 era', async () => {
    const { url } = await start();
    const session = await openSession(url);
    const count = scaled(50);
    const open: { call: Reply; question: Message; flight: string }[] = [];
    for (let at = 0; at < count; at++) {
      const flight = `F${at}`;
      const call = await session.request(`call-${at}`, 'tools/call', {
        name: 'ask_seat',
        arguments: { flight },
      });
      open.push({ call, flight, question: await call.until(isQuestion) });
    }
    let wrong = 0;
    for (const at of shuffled(count)) {
      const { call, question, flight } = open[at] as (typeof open)[number];
      await session.answer(question.id ?? '', row(1 + (at % 30)));
      const { result } = await call.until(isAnswer);
      if (result?.content[0].text !== `row ${1 + (at % 30)} on ${flight}`) wrong += 1;
    }
    expect(wrong).toBe(0);
    figures('answers in random order, 2025', { calls: count, wrong });
  }, 600_000);

  it('come to the calls that asked them, in the 2026 era', async () => {
    const { url } = await start();
    const count = scaled(50);
    const params = (at: number) => ({ name: 'ask_seat', arguments: { flight: `F${at}` } });
    const states: string[] = [];
    for (let at = 0; at < count; at++) {
      states.push((await ask(url, 'tools/call', params(at))).result.requestState);
    }
    let wrong = 0;
    for (const at of shuffled(count)) {
      const inputResponses = { seat: row(1 + (at % 30)) };
      const again = { ...params(at), requestState: states[at], inputResponses };
      const { result } = await ask(url, 'tools/call', again);
      if (result?.content[0].text !== `row ${1 + (at % 30)} on F${at}`) wrong += 1;
    }
    expect(wrong).toBe(0);
    figures('answers in random order, 2026', { calls: count, wrong });
  }, 600_000);
});

it('calls whose clients vanish in the middle of a question all end, and run their cleanup', async () => {
  const { url, witness } = await start();
  const count = scaled(50);
  const sessions: Session2025[] = await Promise.all(Array.from({ length: 10 }, () => openSession(url)));
  const session = (at: number) => sessions[at % sessions.length] as Session2025;
  for (let at = 0; at < count; at++) {
    const call = await session(at).request(`call-${at}`, 'tools/call', { name: 'ask_seat', arguments: {} });
    await call.until(isQuestion);
    call.drop();
  }
  await vi.waitFor(() => expect(witness).toEqual({ started: count, ended: count }), { timeout: 60_000 });
  figures('abandoned calls', { calls: count, left: witness.started - witness.ended });
}, 600_000);

it('a flood of answers and cancellations of nothing leaves nothing behind', async () => {
  const { url, witness } = await start();
  const session = await openSession(url);
  const count = scaled(200);
  for (let sent = 0; sent < count; sent++) {
    await session.answer(1_000 + sent, row(1));
    await session.notify('notifications/cancelled', { requestId: `none-${sent}` });
  }
  const echo = await session.request(1, 'tools/call', { name: 'echo', arguments: { text: 'alive' } });
  expect((await echo.until(isAnswer)).result.content[0].text).toBe('alive');
  expect(witness).toEqual({ started: 0, ended: 0 });
  figures('floods of nothing', { messages: 2 * count });
}, 600_000);
