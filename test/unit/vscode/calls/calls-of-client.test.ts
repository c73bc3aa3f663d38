import { describe, expect, it } from 'vitest';
import type { Session } from '#src/runtime/session/session.ts';
import type { Origin } from '#src/vscode/calls/asker.ts';
import type { CallEntry } from '#src/vscode/calls/call-entry.ts';
import { callPerClient, callsOfSameClient } from '#src/vscode/calls/calls-of-client.ts';

function call(id: string, origin: Origin, principal: string, ended = false): CallEntry {
  const store = { get: () => ({ end: ended ? {} : undefined }) };
  const session = { principal } as Session;
  return {
    id,
    asker: { kind: origin, name: principal },
    session: () => session,
    waiting: () => undefined,
    panel: { store },
  } as unknown as CallEntry;
}

const mine = call('mine', 'person', '');
const calls = [
  mine,
  call('a1', 'client', 'external 1'),
  call('a2', 'client', 'external 1'),
  call('b', 'client', 'external 2'),
  call('over', 'client', 'external 1', true),
  call('copilot', 'agent', 'copilot'),
];
const ids = (found: readonly CallEntry[]) => found.map(({ id }) => id);

describe('the calls of a client', () => {
  it('are those that run for the same principal, and nobody else loses one', () => {
    expect(ids(callsOfSameClient(calls, calls[1] as CallEntry))).toEqual(['a1', 'a2']);
    expect(ids(callsOfSameClient(calls, mine))).toEqual(['mine']);
  });

  it('are offered once for each client, never for the person', () => {
    expect(ids(callPerClient(calls))).toEqual(['a2', 'b', 'copilot']);
  });
});
