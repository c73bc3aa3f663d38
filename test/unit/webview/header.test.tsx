// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { shownAsker } from '#src/vscode/calls/asker.ts';
import { aSnapshot, openPanel } from './panel.tsx';

const running = { kind: 'running' } as const;
const { call } = aSnapshot(running).head;

it.each([
  ['agent', 'sparkle'],
  ['chat', 'comment-discussion'],
  ['client', 'plug'],
] as const)(
  'the panel of a call says who asked for it: by name, with the icon of the %s, and what it says of itself',
  async (kind, icon) => {
    const panel = await openPanel();
    const asker = shownAsker({ kind, name: 'Somebody', says: 'anything 1.0' });
    await panel.show(running, { call: { ...call, ...(asker ? { asker } : {}) } });
    const line = screen.getByText('Started by Somebody').closest('.header-asker');
    expect(line?.querySelector(`.codicon-${icon}`)).not.toBeNull();
    expect(line?.textContent).toContain('(it says: anything 1.0)');
  },
);

it('the panel of a call of the person at the keyboard names nobody', async () => {
  const panel = await openPanel();
  expect(shownAsker({ kind: 'person' })).toBeUndefined();
  await panel.show(running);
  expect(document.querySelector('.header-asker')).toBeNull();
});

it('the panel of another server’s tool says whose it is, whatever its title is', async () => {
  const panel = await openPanel();
  await panel.show(running, { call: { ...call, title: 'Commit Changes', server: 'many' } });
  expect(screen.getByText('Tool of the MCP server “many”').closest('.header-asker')).not.toBeNull();
});

it('a call that is done with a no of the person has no green tick', async () => {
  const panel = await openPanel();
  const result = { kind: 'result', value: { status: 'not_booked' } } as const;
  await panel.show(result, { call: { ...call, status: 'completed', refused: true } });
  expect(document.querySelector('.status-completed, .codicon-pass-filled')).toBeNull();
  expect(document.querySelector('.status')?.textContent).toMatch(/^Done in/);
});

it('a call that stands still says why, and not that it works', async () => {
  const panel = await openPanel();
  const pause = { message: 'Paused in the debugger' };
  await panel.show(running, { call: { ...call, status: 'waiting' }, pause });
  expect(screen.getByText('Paused in the debugger')).toBeTruthy();
  expect(document.querySelector('.stage-running')?.textContent).not.toContain('Working');
  expect(screen.queryByRole('progressbar')).toBeNull();
  await panel.show(running, { call: { ...call, status: 'running' }, pause });
  expect(screen.queryByRole('progressbar')).not.toBeNull();
});

it('a call that was stopped says how long it was there, the person’s time too', async () => {
  const panel = await openPanel();
  const clock = { now: 90_000, machine: { total: 81 }, human: { total: 0 } };
  const aborted = { kind: 'aborted', reason: 'Its window was closed.' } as const;
  await panel.show(aborted, { call: { ...call, status: 'aborted', startedAt: 0, endedAt: 90_000 }, clock });
  expect(document.querySelector('.status')?.textContent).toBe('Stopped1 min 30 s');
});
