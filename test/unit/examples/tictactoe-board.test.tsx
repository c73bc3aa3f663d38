// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { Board } from '#examples/workspace/.parley/tools/tictactoe/board.ts';
import { BoardView } from '#examples/workspace/.parley/tools/tictactoe/board.view.tsx';

afterEach(cleanup);

const board: Board = ['X', '-', 'O', '-', 'X', '-', '-', '-', '-'];
const focused = () => document.activeElement?.getAttribute('aria-label');

test('a click on an empty cell is the move', async () => {
  const onRespond = vi.fn();
  render(<BoardView board={board} remark="Your turn" onRespond={onRespond} />);
  await userEvent.click(screen.getByRole('button', { name: 'b1, empty' }));
  expect(onRespond.mock.calls).toEqual([['b1']]);
  expect(screen.getByText('“Your turn”')).toBeTruthy();
});

test('arrow keys walk over the board and not around its edge, Enter moves', async () => {
  const onRespond = vi.fn();
  const user = userEvent.setup();
  render(<BoardView board={board} onRespond={onRespond} />);
  await user.tab();
  expect(focused()).toBe('b1, empty');
  await user.keyboard('{ArrowRight}{ArrowRight}');
  expect(focused()).toBe('c1, O');
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
  expect(focused()).toBe('c3, empty');
  await user.keyboard('{ArrowLeft}{Enter}');
  expect(onRespond.mock.calls).toEqual([['b3']]);
});

test('a taken cell is no move', async () => {
  const onRespond = vi.fn();
  render(<BoardView board={board} onRespond={onRespond} />);
  await userEvent.click(screen.getByRole('button', { name: 'c1, O' }));
  expect(onRespond).not.toHaveBeenCalled();
});

test('when the game is over, the board says how and takes no more moves', async () => {
  const onRespond = vi.fn();
  const won: Board = ['X', 'O', 'O', '-', 'X', '-', '-', '-', 'X'];
  render(<BoardView board={won} outcome="user_won" onRespond={onRespond} />);
  await userEvent.click(screen.getByRole('button', { name: 'a2, empty' }));
  expect(onRespond).not.toHaveBeenCalled();
  expect(screen.getByText('You won')).toBeTruthy();
});
