// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { ChangedFile } from '#src/tools/commit-changes/changed-file.ts';
import { FilePicker } from '#src/tools/commit-changes/file-picker.view.tsx';

afterEach(cleanup);

const files: readonly ChangedFile[] = [
  { number: 1, path: 'src/shop.ts', kind: 'modified', staged: true },
  { number: 2, path: 'docs/new.md', from: 'docs/old.md', kind: 'renamed', staged: false },
  { number: 3, path: 'notes.txt', kind: 'untracked', staged: false },
];

function open(suggested = [1]) {
  const onRespond = vi.fn();
  render(<FilePicker files={files} suggested={suggested} onRespond={onRespond} />);
  const box = (name: RegExp) => screen.getByRole<HTMLInputElement>('checkbox', { name });
  return { onRespond, box, user: userEvent.setup() };
}

test('each file is a box whose name says all there is in its row, in its group', () => {
  open();
  expect(screen.getAllByRole('checkbox').map((box) => box.getAttribute('aria-label'))).toEqual([
    'src/shop.ts, modified, staged',
    'docs/new.md, renamed from docs/old.md',
    'notes.txt, untracked',
  ]);
  expect(screen.getAllByRole('group').map((group) => group.querySelector('legend')?.textContent)).toEqual([
    'Staged 1',
    'Changes 2',
  ]);
});

test('the keyboard alone is enough: arrows walk, Space ticks, Enter goes on', async () => {
  const { onRespond, box, user } = open();
  await user.tab();
  expect(document.activeElement).toBe(box(/shop/));
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown} ');
  expect(document.activeElement).toBe(box(/notes/));
  await user.keyboard('{Home} {End}{Enter}');
  expect(onRespond.mock.calls).toEqual([[[3]]]);
});

test('is one stop for Tab', async () => {
  const { user } = open();
  await user.tab();
  await user.keyboard('{ArrowDown}');
  await user.tab();
  expect(document.activeElement?.textContent).toBe('Continue with 1 of 3 files');
  await user.tab({ shift: true });
  expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^docs/);
});

test('answers in the order of the files, with all or none by one button', async () => {
  const { onRespond, user } = open([3]);
  await user.click(screen.getByRole('button', { name: 'Select All' }));
  await user.click(screen.getByRole('button', { name: 'Continue with 3 of 3 files' }));
  expect(onRespond.mock.calls).toEqual([[[1, 2, 3]]]);
  await user.click(screen.getByRole('button', { name: 'Select None' }));
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Choose files' }).disabled).toBe(true);
});
