import { expect, test } from 'vitest';
import {
  type Board,
  CELLS,
  type Cell,
  drawn,
  EMPTY,
  freeCells,
  outcomeOf,
  play,
  winningLine,
} from '#examples/workspace/.parley/tools/tictactoe/board.ts';

function after(...moves: Cell[]): Board {
  return moves.reduce((board, cell, index) => play(board, cell, index % 2 === 0 ? 'X' : 'O'), EMPTY);
}

test('a game goes on while nobody has three in a row and there is room', () => {
  expect(outcomeOf(EMPTY)).toBeUndefined();
  expect(outcomeOf(after('a1', 'b2', 'c3'))).toBeUndefined();
});

test.each([
  [['a1', 'a2', 'b1', 'b2', 'c1'], ['a1', 'b1', 'c1'], 'user_won'],
  [['a1', 'c1', 'b1', 'b2', 'a2', 'a3'], ['c1', 'b2', 'a3'], 'model_won'],
  [['b1', 'a1', 'b2', 'a2', 'c2', 'a3'], ['a1', 'a2', 'a3'], 'model_won'],
] as const)('three in a row win: %j', (moves, line, outcome) => {
  const board = after(...moves);
  expect(winningLine(board)).toEqual(line);
  expect(outcomeOf(board)).toBe(outcome);
});

test('a full board without three in a row is a draw', () => {
  const board = after('a1', 'b1', 'c1', 'b2', 'a2', 'c2', 'b3', 'a3', 'c3');
  expect(outcomeOf(board)).toBe('draw');
  expect(freeCells(board)).toEqual([]);
});

test('a move leaves the board before it as it was, and is drawn where it was made', () => {
  const board = play(EMPTY, 'b1', 'X');
  expect(freeCells(EMPTY)).toEqual(CELLS);
  expect(drawn(board)).toBe('- X -\n- - -\n- - -');
});
