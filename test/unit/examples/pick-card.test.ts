import { checkReplay, createMockMcpClient, runMcpTool } from 'parley-mcp/testing';
import { expect, test } from 'vitest';
import { deal, nameOf } from '#examples/workspace/.parley/tools/pick-card/deck.ts';
import { pickCard } from '#examples/workspace/.parley/tools/pick-card/tool.ts';

const second = { pickCard: { action: 'accept' as const, content: { position: 2 } } };

test('the first teller to answer wins, and nobody waits for the other', async () => {
  const client = createMockMcpClient({
    elicitResponses: second,
    // The optimist, who is asked first, never answers.
    sampleResponses: [() => new Promise(() => {}), 'It is a piece of cardboard.'],
  });
  const [, card] = deal(5, 'call-7');
  expect(await runMcpTool(pickCard, {}, client, { callId: 'call-7' })).toEqual({
    card: card && nameOf(card),
    teller: 'The skeptic',
    fortune: 'It is a piece of cardboard.',
  });
  const samples = client.transcript.filter((entry) => entry.type === 'sample');
  expect(samples.map(({ depth, response }) => [depth, response !== undefined])).toEqual([
    [1, false],
    [1, true],
  ]);
});

test('a teller that fails takes the other one with it: a race is won by a result, not by an error', async () => {
  const client = createMockMcpClient({
    elicitResponses: second,
    sampleResponses: [new Error('the model is tired'), () => new Promise(() => {})],
  });
  await expect(runMcpTool(pickCard, {}, client)).rejects.toThrow('the model is tired');
});

test('nobody tells a fortune to a user who picks no card', async () => {
  const client = createMockMcpClient({ elicitResponses: { pickCard: { action: 'decline' } } });
  expect(await runMcpTool(pickCard, {}, client)).toEqual({ card: 'none' });
  expect(client.transcript.map(({ type }) => type)).toEqual(['elicit']);
});

test('a deal has no card twice, and is the same for the same call', () => {
  const cards = deal(52, 'x');
  expect(new Set(cards.map(nameOf)).size).toBe(52);
  expect(deal(9, 'x')).toEqual(cards.slice(0, 9));
});

test('a call that is taken up after any line of its journal has the same cards and the same fortune', async () => {
  const client = createMockMcpClient({
    elicitResponses: second,
    sampleResponses: ['It is a sunny card.', 'It is a piece of cardboard.'],
  });
  await checkReplay(pickCard, {}, client);
});
