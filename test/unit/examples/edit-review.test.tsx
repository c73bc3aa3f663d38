// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { EditReview } from '#examples/workspace/.parley/tools/fix-problems/edit-review.view.tsx';
import type { HunkLine } from '#examples/workspace/.parley/tools/fix-problems/hunk.ts';

afterEach(cleanup);

const lines: readonly HunkLine[] = [
  { kind: 'same', line: 6, text: 'function total() {' },
  { kind: 'removed', line: 7, text: '  let sum = 0;' },
  { kind: 'added', line: 7, text: '  const sum = 0;' },
];

function open(index = 1, total = 3) {
  const onRespond = vi.fn();
  render(<EditReview file="src/a.ts" lines={lines} index={index} total={total} onRespond={onRespond} />);
  return { onRespond, user: userEvent.setup() };
}

test('reads as a diff, to the eye and to a screen reader', () => {
  open();
  const items = screen.getAllByRole('listitem');
  expect(items.map((item) => item.textContent)).toEqual([
    '6 function total() {',
    '7−removed:   let sum = 0;',
    '7+added:   const sum = 0;',
  ]);
  expect(screen.getByRole('list', { name: 'Changes in src/a.ts' })).toBeTruthy();
  expect(screen.getByText('Edit 1 of 3')).toBeTruthy();
});

test.each([
  ['Accept', 'accept'],
  ['Skip', 'skip'],
  ['Accept All 3', 'accept_rest'],
  ['Skip the Rest', 'skip_rest'],
])('%s answers %s', async (name, decision) => {
  const { onRespond, user } = open();
  await user.click(screen.getByRole('button', { name }));
  expect(onRespond.mock.calls).toEqual([[decision]]);
});

test('Accept is the first to have the keyboard', async () => {
  const { onRespond, user } = open();
  await user.tab();
  await user.keyboard('{Enter}');
  expect(onRespond.mock.calls).toEqual([['accept']]);
});

test('the last one has no rest', () => {
  open(3);
  expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual(['Accept', 'Skip']);
});
