import { checkReplay, createMockMcpClient, type MockSampleResponse, runMcpTool } from 'parley-mcp/testing';
import { expect, test } from 'vitest';
import { ticTacToe } from '#examples/workspace/.parley/tools/tictactoe/tool.ts';

const move = (cell: string) => ({ action: 'accept' as const, content: { cell } });
const gameOver = { action: 'accept' as const, content: {} };

let ids = 0;
function plays(cell: string): MockSampleResponse {
  ids += 1;
  return {
    stopReason: 'toolUse',
    content: { type: 'tool_use', id: `move-${ids}`, name: 'play', input: { cell, remark: `I take ${cell}` } },
  };
}

test('user and model take turns until somebody has three in a row', async () => {
  const client = createMockMcpClient({
    elicitResponses: { makeMove: [move('a1'), move('b1'), move('c1')], gameOver },
    sampleResponses: [plays('a2'), plays('b2'), 'Well played!'],
  });
  expect(await runMcpTool(ticTacToe, {}, client)).toEqual({
    outcome: 'user_won',
    board: 'X X X\nO O -\n- - -',
    comment: 'Well played!',
  });
  const last = client.transcript.findLast((entry) => entry.type === 'elicit');
  expect(last).toMatchObject({ key: 'gameOver', request: { context: { outcome: 'user_won' } } });
});

test('the model is told the board and each move, as tool calls with their results', async () => {
  const client = createMockMcpClient({
    elicitResponses: { makeMove: [move('a1'), move('b1'), move('c1')], gameOver },
    sampleResponses: [plays('a2'), plays('b2'), 'Well played!'],
  });
  await runMcpTool(ticTacToe, {}, client);
  const samples = client.transcript.filter((entry) => entry.type === 'sample');
  const talk = samples[1]?.request.messages ?? [];
  expect(talk.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'user',
    'assistant',
    'user',
    'assistant',
    'user',
  ]);
  const board = ['X', '-', '-', 'O', '-', '-', '-', '-', '-'];
  expect(talk.at(-2)).toMatchObject({
    content: [{ type: 'text' }, { type: 'tool_use', name: 'makeMove', input: { board } }],
  });
  expect(talk.at(-1)).toMatchObject({
    content: [{ type: 'tool_result', structuredContent: { cell: 'b1' } }],
  });
});

test('a model that plays a taken cell is told so and asked again', async () => {
  const client = createMockMcpClient({
    elicitResponses: { makeMove: [move('a1'), { action: 'cancel' }] },
    sampleResponses: [plays('a1'), plays('b2')],
  });
  expect(await runMcpTool(ticTacToe, {}, client)).toEqual({
    outcome: 'abandoned',
    board: 'X - -\n- O -\n- - -',
  });
  const question = client.transcript.findLast((entry) => entry.type === 'elicit');
  expect(question).toMatchObject({ request: { context: { remark: 'I take b2' } } });
});

test('the model may begin, and a user who has had enough may leave', async () => {
  const client = createMockMcpClient({
    elicitResponses: { makeMove: { action: 'decline' } },
    sampleResponses: [plays('b2')],
  });
  expect(await runMcpTool(ticTacToe, { first: 'model' }, client)).toEqual({
    outcome: 'abandoned',
    board: '- - -\n- O -\n- - -',
  });
});

test('a game that is taken up after any line of its journal goes on at the same board', async () => {
  const client = createMockMcpClient({
    elicitResponses: { makeMove: [move('a1'), move('b1'), move('c1')], gameOver },
    sampleResponses: [plays('a2'), plays('b2'), 'Well played!'],
  });
  await checkReplay(ticTacToe, {}, client);
});
