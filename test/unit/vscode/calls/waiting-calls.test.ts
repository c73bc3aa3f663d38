import { expect, it } from 'vitest';
import type { CallEntry } from '#src/vscode/calls/call-entry.ts';
import { callsOfSameClient } from '#src/vscode/calls/calls-of-client.ts';
import { waitingCalls, waitingNext } from '#src/vscode/calls/notices/waiting-calls.ts';

/** A call that asks; of another program where it has a folder. */
function asking(id: string, folder?: string): CallEntry {
  const place = folder === undefined ? undefined : { folder, since: 1, isOfWindow: folder === '/here' };
  return {
    id,
    asker: { kind: 'client', name: 'agent' },
    session: () => undefined,
    waiting: () => (place ? { place } : undefined),
    panel: { visible: false, store: { get: () => ({ question: {} }) } },
  } as unknown as CallEntry;
}

const ids = (entries: readonly CallEntry[]) => entries.map(({ id }) => id);

it('questions of other programs count where they are asked in a folder of this window', () => {
  // Lists have the newest first.
  const calls = { list: () => [asking('far', '/there'), asking('near', '/here'), asking('own')] };
  expect(ids(waitingCalls(calls))).toEqual(['own', 'near']);
  expect(ids(waitingNext(calls))).toEqual(['own', 'near']);
});

it('stopping the calls of a client elsewhere stops none of another folder, and none of this window', () => {
  const calls = [asking('a', '/here'), asking('b', '/there'), asking('c', '/here'), asking('own')];
  expect(ids(callsOfSameClient(calls, calls[0] as CallEntry))).toEqual(['a', 'c']);
});
