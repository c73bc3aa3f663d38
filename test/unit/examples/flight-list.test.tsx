// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { Flight } from '#examples/workspace/.parley/tools/book-flight/flight.ts';
import { FlightList } from '#examples/workspace/.parley/tools/book-flight/flight-list.view.tsx';

afterEach(cleanup);

const early: Flight = {
  number: 'TN 330',
  airline: 'Tern Air',
  airlineCode: 'TN',
  departs: '07:30',
  arrives: '11:35',
  dayChange: 0,
  duration: 305,
  stops: ['Istanbul'],
  price: 100,
};
const late: Flight = {
  ...early,
  number: 'HC 323',
  airline: 'Halcyon',
  airlineCode: 'HC',
  departs: '23:30',
  arrives: '01:25',
  dayChange: 1,
  duration: 175,
  stops: [],
  price: 192,
};

function open() {
  const onRespond = vi.fn();
  render(<FlightList from="Amsterdam" to="Lisbon" flights={[early, late]} onRespond={onRespond} />);
  return { onRespond, user: userEvent.setup() };
}

test('each flight is a radio button whose name says all there is on its card', () => {
  open();
  expect(screen.getByRole('radiogroup', { name: 'Amsterdam to Lisbon' })).toBeTruthy();
  expect(screen.getAllByRole('radio').map((radio) => radio.getAttribute('aria-label'))).toEqual([
    'Tern Air TN 330, 07:30 to 11:35, 5 h 5 min, via Istanbul, €100, cheapest',
    'Halcyon HC 323, 23:30 to 01:25 (+1 day), 2 h 55 min, direct, €192, fastest',
  ]);
});

test('a click picks, and nothing is sent before the button is pressed', async () => {
  const { onRespond, user } = open();
  await user.click(screen.getByText('Halcyon'));
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /HC 323/ }).checked).toBe(true);
  expect(onRespond).not.toHaveBeenCalled();

  await user.click(screen.getByRole('button', { name: 'Choose HC 323' }));
  expect(onRespond.mock.calls).toEqual([['HC 323']]);
});

test('the keyboard alone is enough: Tab, Space, arrows, Enter', async () => {
  const { onRespond, user } = open();
  await user.tab();
  await user.keyboard(' ');
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /TN 330/ }).checked).toBe(true);
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(screen.getByRole('radio', { name: /HC 323/ }));
  await user.keyboard('{Enter}');
  expect(onRespond.mock.calls).toEqual([['HC 323']]);
});

test('as long as nothing is picked there is nothing to send', async () => {
  const { onRespond, user } = open();
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Choose a flight' });
  expect(button.disabled).toBe(true);
  await user.tab();
  await user.keyboard('{Enter}');
  expect(onRespond).not.toHaveBeenCalled();
});

test('a flight is the fastest where no other is as fast', () => {
  const { container } = render(
    <FlightList from="A" to="B" flights={[early, late, { ...late, number: 'HC 325' }]} onRespond={vi.fn()} />,
  );
  expect(container.textContent?.match(/Cheapest/g)).toHaveLength(1);
  expect(container.textContent).not.toContain('Fastest');
});
