import * as z from 'zod';

/** The nine cells: columns a to c from the left, rows 1 to 3 from the top. */
export const CELLS = ['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'b3', 'c3'] as const;

/** One of the nine cells. */
export type Cell = (typeof CELLS)[number];

/** What is on each cell, in the order of {@link CELLS}; `-` where nothing is. The user plays X. */
export const boardSchema = z.array(z.enum(['X', 'O', '-'])).length(9);

/** A position. */
export type Board = z.infer<typeof boardSchema>;

/** How a game ended. */
export const outcomeSchema = z.enum(['user_won', 'model_won', 'draw']);

/** How a game ended. */
export type Outcome = z.infer<typeof outcomeSchema>;

/** Where a game begins. */
export const EMPTY: Board = CELLS.map(() => '-');

const LINES: readonly (readonly Cell[])[] = [
  ['a1', 'b1', 'c1'],
  ['a2', 'b2', 'c2'],
  ['a3', 'b3', 'c3'],
  ['a1', 'a2', 'a3'],
  ['b1', 'b2', 'b3'],
  ['c1', 'c2', 'c3'],
  ['a1', 'b2', 'c3'],
  ['c1', 'b2', 'a3'],
];

/** What is on a cell. */
export function at(board: Board, cell: Cell): Board[number] {
  return board[CELLS.indexOf(cell)] ?? '-';
}

/** The position after a move. */
export function play(board: Board, cell: Cell, mark: 'X' | 'O'): Board {
  return board.with(CELLS.indexOf(cell), mark);
}

/** The cells where nothing is yet. */
export function freeCells(board: Board): Cell[] {
  return CELLS.filter((cell) => at(board, cell) === '-');
}

/** The three in a row, if there are three. */
export function winningLine(board: Board): readonly Cell[] | undefined {
  return LINES.find((line) => ['XXX', 'OOO'].includes(line.map((cell) => at(board, cell)).join('')));
}

/** How the game ended; `undefined` while it goes on. */
export function outcomeOf(board: Board): Outcome | undefined {
  const [first] = winningLine(board) ?? [];
  if (first) return at(board, first) === 'X' ? 'user_won' : 'model_won';
  return freeCells(board).length === 0 ? 'draw' : undefined;
}

/** A position as three lines of text. */
export function drawn(board: Board): string {
  return [0, 3, 6].map((start) => board.slice(start, start + 3).join(' ')).join('\n');
}
