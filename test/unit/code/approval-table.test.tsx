// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { ApprovalTable } from '#src/code/approval/approval-table.view.tsx';
import type { ApprovalRow } from '#src/code/approval/questions.ts';
import { readTexts } from '#webview/parts/l10n.ts';
import german from '../../../l10n/bundle.l10n.de.json' with { type: 'json' };

afterEach(cleanup);

const row = (id: number, more: Partial<ApprovalRow> = {}): ApprovalRow => ({
  id: String(id),
  tool: 'close_issue',
  title: 'Close Issue',
  arguments: JSON.stringify({ number: id }, undefined, 2),
  ticked: true,
  destructive: false,
  ...more,
});

const CODE = 'for (const n of [1, 2])\n  await tools.close_issue({ number: n }); // \u202Eseen';

function open(rows: readonly ApprovalRow[], offerRest?: number) {
  const onRespond = vi.fn();
  render(<ApprovalTable rows={rows} code={CODE} offerRest={offerRest} onRespond={onRespond} />);
  const user = userEvent.setup();
  const boxes = () => screen.getAllByRole<HTMLInputElement>('checkbox');
  const press = (name: RegExp) => user.click(screen.getByRole('button', { name }));
  return { onRespond, user, boxes, press };
}

const focused = () => document.activeElement?.getAttribute('aria-label');

test('each call is a row whose box says what it is and what it is given; the button says how many run', () => {
  const { boxes } = open([
    row(1),
    row(2, { tool: 'open', title: 'Open Issue', arguments: '{}', destructive: true }),
  ]);
  expect(boxes().map((box) => box.getAttribute('aria-label'))).toEqual([
    'Close Issue number: 1',
    'Open Issue no arguments',
  ]);
  expect(screen.getByText('destructive')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Run All 2' })).toBeTruthy();
});

test('the code that makes the calls can be read, all of it, with nothing in it unseen', async () => {
  const { user } = open([row(1)]);
  const code = screen.getByText(/^for \(const n of/);
  expect(code.closest('details')?.open).toBe(false);
  await user.click(screen.getByText('The code'));
  expect(code.closest('details')?.open).toBe(true);
  expect(code.textContent).toBe(CODE.replace('\u202E', '\\u202e'));
});

test('it speaks the language of the editor', async () => {
  readTexts(JSON.stringify(german));
  try {
    const { press } = open([row(1), row(2, { destructive: true })], 100);
    expect(screen.getByRole('button', { name: 'Alle 2 ausführen' })).toBeTruthy();
    expect(screen.getByText('destruktiv')).toBeTruthy();
    await press(/^Alle abwählen$/);
    expect(screen.getByRole('button', { name: 'Aufrufe auswählen' })).toBeTruthy();
    const said = document.body.textContent ?? '';
    expect(said.match(/\b(Tick|Untick|Run|Runs|Call|Calls|Edit|more|rest)\b/g)).toBeNull();
  } finally {
    readTexts(undefined);
  }
});

test('40 rows by keyboard alone: arrows walk, Space unticks, F2 edits, Escape goes back, Enter answers', async () => {
  const { onRespond, user } = open(Array.from({ length: 40 }, (_, at) => row(at + 1)));
  await user.tab(); // Clear All Calls
  await user.tab();
  expect(focused()).toBe('Close Issue number: 1');
  await user.keyboard('{ArrowDown} {ArrowDown} {ArrowDown} {ArrowDown}{F2}');
  const text = screen.getByRole<HTMLTextAreaElement>('textbox', {
    name: 'Arguments of Close Issue as JSON',
  });
  expect(document.activeElement).toBe(text);
  await user.clear(text);
  await user.paste('{ "number": 50 }');
  await user.keyboard('{Escape}');
  expect(focused()).toBe('Close Issue number: 50');
  await user.keyboard('{End}{F2}');
  await user.clear(screen.getByRole('textbox'));
  await user.paste('{ "number": 51 }');
  await user.keyboard('{Escape}{Enter}');
  expect(onRespond).toHaveBeenCalledOnce();
  const [{ run, edits }] = onRespond.mock.calls[0] as [{ run: string[]; edits: string }];
  expect(run).toHaveLength(37);
  expect(run).not.toContain('2');
  expect(JSON.parse(edits)).toEqual({ 5: { number: 50 }, 40: { number: 51 } });
});

test('what is no JSON, or no object, is said and cannot be answered with; an edit can be undone', async () => {
  const { onRespond, user, press } = open([row(1)]);
  await press(/^Edit/);
  const text = screen.getByRole('textbox');
  await user.clear(text);
  await user.paste('{ "number": }');
  expect(screen.getByRole('alert').textContent).toContain('This is not JSON');
  expect(text.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Run' }).disabled).toBe(true);
  await user.clear(text);
  await user.paste('[1]');
  expect(screen.getByRole('alert').textContent).toContain('an object');
  await press(/^Undo/);
  expect(screen.queryByRole('alert')).toBeNull();
  await press(/^Run$/);
  expect(onRespond).toHaveBeenCalledWith({ run: ['1'] });
});

test('none at all is for Decline to say; what did not fit is asked again with its word', async () => {
  const { boxes, press } = open([row(1, { problem: 'number: too small' }), row(2, { ticked: false })]);
  expect(screen.getByRole('alert').textContent).toBe('number: too small');
  expect(boxes().map(({ checked }) => checked)).toEqual([true, false]);
  await press(/Select All Calls/);
  await press(/Clear All Calls/);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Select Calls to Run' }).disabled).toBe(true);
});

test('the rest of a loop can be let go on, up to a number', async () => {
  const { onRespond, user, press } = open([row(1)], 100);
  await press(/^Run$/);
  expect(onRespond).toHaveBeenLastCalledWith({ run: ['1'] });
  await user.click(screen.getByRole('checkbox', { name: 'Allow similar calls, up to' }));
  await user.clear(screen.getByRole('spinbutton'));
  await user.type(screen.getByRole('spinbutton'), '38');
  await press(/^Run$/);
  expect(onRespond).toHaveBeenLastCalledWith({ run: ['1'], rest: 38 });
});

test('long arguments are there to the last character', () => {
  const long = { text: 'x'.repeat(5000) };
  open([row(1, { arguments: JSON.stringify(long, undefined, 2) })]);
  expect(document.querySelector('details')?.textContent).toContain('x'.repeat(5000));
});
