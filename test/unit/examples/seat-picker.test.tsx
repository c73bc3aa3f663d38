// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { Cabin } from '#examples/workspace/.parley/tools/book-flight/cabin.ts';
import { SeatPicker } from '#examples/workspace/.parley/tools/book-flight/seat-picker.view.tsx';

afterEach(cleanup);

const cabin: Cabin = {
  rows: 12,
  left: ['A', 'B', 'C'],
  right: ['D', 'E', 'F'],
  exitRows: [7],
  taken: ['1A', '2B'],
};
const flight = {
  number: 'HC 323',
  airline: 'Halcyon',
  airlineCode: 'HC',
  departs: '11:30',
  arrives: '13:25',
  dayChange: 0,
  duration: 175,
  stops: [],
  price: 192,
};

function open() {
  const onRespond = vi.fn();
  render(<SeatPicker flight={flight} cabin={cabin} onRespond={onRespond} />);
  return { onRespond, user: userEvent.setup() };
}

const seat = (name: string) => screen.getByRole('button', { name });
const focused = () => document.activeElement?.getAttribute('aria-label');

test('every seat says where it is and whether it can be had', () => {
  open();
  const grid = screen.getByRole('grid', { name: 'Seats of HC 323' });
  expect(within(grid).getAllByRole('button')).toHaveLength(72);
  expect(seat('1A, window, taken').getAttribute('aria-disabled')).toBe('true');
  expect(seat('12F, window, available').getAttribute('aria-disabled')).toBe('false');
  expect(seat('3E, middle, available')).toBeTruthy();
  expect(seat('7C, aisle, exit row, available')).toBeTruthy();
});

test('the grid is one stop of the Tab key, and begins at the first free seat', async () => {
  const { user } = open();
  await user.tab();
  expect(focused()).toBe('1B, middle, available');
  await user.tab();
  expect(screen.getByRole('grid').contains(document.activeElement)).toBe(false);
});

test('arrow keys walk over taken seats and across the aisle, and stop at the walls', async () => {
  const { user } = open();
  await user.tab();
  await user.keyboard('{ArrowLeft}');
  expect(focused()).toBe('1A, window, taken');
  await user.keyboard('{ArrowLeft}{ArrowUp}');
  expect(focused()).toBe('1A, window, taken');
  await user.keyboard('{ArrowRight>3/}');
  expect(focused()).toBe('1D, aisle, available');
  await user.keyboard('{End}{PageDown}');
  expect(focused()).toBe('6F, window, available');
  await user.keyboard('{Control>}{End}{/Control}');
  expect(focused()).toBe('12F, window, available');
  await user.keyboard('{Home}');
  expect(focused()).toBe('12A, window, available');
});

test('Enter picks a seat and does not send it; another pick takes its place', async () => {
  const { onRespond, user } = open();
  await user.tab();
  await user.keyboard('{Enter}');
  expect(seat('1B, middle, selected').getAttribute('aria-pressed')).toBe('true');
  await user.click(seat('12A, window, available'));
  expect(screen.queryByRole('button', { name: '1B, middle, selected' })).toBeNull();
  expect(onRespond).not.toHaveBeenCalled();

  await user.click(screen.getByRole('button', { name: 'Choose seat 12A' }));
  expect(onRespond.mock.calls).toEqual([['12A']]);
});

test('a taken seat cannot be picked, by click or by key', async () => {
  const { user } = open();
  await user.click(seat('2B, middle, taken'));
  await user.keyboard('{Enter}');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Choose a seat' }).disabled).toBe(true);
});
