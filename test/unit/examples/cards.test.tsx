// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { CardFace, CardTable } from '#examples/workspace/.parley/tools/pick-card/cards.view.tsx';

afterEach(cleanup);

test('a card is picked with the keyboard and turned over with Enter', async () => {
  const onRespond = vi.fn();
  const user = userEvent.setup();
  render(<CardTable count={5} onRespond={onRespond} />);
  await user.tab();
  await user.keyboard(' {ArrowRight}');
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Card 2' }).checked).toBe(true);
  expect(onRespond).not.toHaveBeenCalled();
  await user.keyboard('{Enter}');
  expect(onRespond.mock.calls).toEqual([[2]]);
});

test('a card face up is an image with its name', () => {
  render(<CardFace card={{ rank: 'Q', suit: 'hearts' }} />);
  expect(screen.getByRole('img', { name: 'queen of hearts' })).toBeTruthy();
});
