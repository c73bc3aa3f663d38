// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { partsOf } from '#src/tools/review-plan/parts.ts';
import { PlanReview } from '#src/tools/review-plan/plan-review.view.tsx';

afterEach(cleanup);

const nothing = { comments: [], edits: [], accepted: [], general: '' };

function open() {
  const onRespond = vi.fn();
  render(<PlanReview parts={partsOf('# Plan\n\n- one\n- two')} onRespond={onRespond} />);
  return { onRespond, user: userEvent.setup() };
}

test('is approved with one press where there is nothing to say', async () => {
  const { onRespond, user } = open();
  await user.click(screen.getByRole('button', { name: 'Approve' }));
  expect(onRespond.mock.calls).toEqual([[{ decision: 'approve', ...nothing }]]);
});

test('is walked over, commented on, edited and accepted by the keyboard alone', async () => {
  const { onRespond, user } = open();
  await user.tab();
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Line 1: # Plan');
  await user.keyboard('a{ArrowDown}c');
  await user.keyboard('too early{Control>}{Enter}{/Control}');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Line 3: - one, comment: too early');
  await user.keyboard('{End}e');
  await user.keyboard('{Control>}a{/Control}- 2{Control>}{Enter}{/Control}');
  await user.keyboard('{Home}c');
  await user.keyboard('never kept{Escape}');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Line 1: # Plan, accepted');
  await user.click(screen.getByRole('button', { name: 'Send Back with 2 Remarks' }));
  expect(onRespond.mock.calls).toEqual([
    [{ decision: 'revise', comments: [[3, 'too early']], edits: [[4, '- 2']], accepted: [1], general: '' }],
  ]);
});

test('takes back a comment that was emptied, and an edit that is the text again', async () => {
  const { user } = open();
  await user.click(screen.getByRole('button', { name: /^Comment.*line 3$/ }));
  await user.keyboard('x');
  await user.click(screen.getByRole('button', { name: 'Keep' }));
  await user.click(screen.getByRole('button', { name: 'x' }));
  await user.clear(screen.getByLabelText('Your comment on line 3'));
  await user.click(screen.getByRole('button', { name: 'Keep' }));
  await user.click(screen.getByRole('button', { name: /^Edit.*line 4$/ }));
  await user.click(screen.getByRole('button', { name: 'Keep' }));
  expect(screen.getByRole('button', { name: 'Approve' })).toBeTruthy();
});

test('can be approved with remarks, and sent back with words about the whole', async () => {
  const { onRespond, user } = open();
  await user.type(screen.getByLabelText('Anything else'), 'Nice');
  await user.click(screen.getByRole('button', { name: 'Approve, with 1 Remark' }));
  await user.click(screen.getByRole('button', { name: 'Send Back with 1 Remark' }));
  expect(onRespond.mock.calls.map(([{ decision, general }]) => [decision, general])).toEqual([
    ['approve', 'Nice'],
    ['revise', 'Nice'],
  ]);
});
