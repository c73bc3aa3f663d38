import { describe, expect, it } from 'vitest';
import type { PanelInput } from '#src/panel/model/reduce.ts';
import { reduce } from '#src/panel/model/reduce.ts';
import { initialState, type PanelState } from '#src/panel/model/state.ts';
import type { SessionEvent } from '#src/runtime/session/events.ts';
import { type SeenEnd, tellsOfEnd, tellsOfFailure } from '#src/vscode/calls/notices/tells-of-end.ts';

type Event = SessionEvent extends infer One ? (One extends SessionEvent ? Omit<One, 'at'> : never) : never;

const done = (seconds: number): Event => ({ type: 'result', value: 1, time: seconds * 1000 });
const failed = (seconds: number): Event => ({
  type: 'error',
  error: { name: 'Error', message: 'Broken' },
  time: seconds * 1000,
});
const stopped = (seconds: number): Event => ({ type: 'aborted', reason: 'no', time: seconds * 1000 });
const asked = (from: number, to: number): Event[] => [
  {
    type: 'elicit_request',
    time: from * 1000,
    ask: {
      kind: 'elicit',
      id: 'e1',
      wireKey: 'name#1',
      depth: 0,
      ref: { toolName: 't', key: 'name', callId: 'c1', seq: 1 },
      attempt: 1,
      declared: true,
      request: { message: 'Your name?', requestedSchema: { type: 'object', properties: {} } },
    },
  },
  { type: 'ask_closed', id: 'e1', how: 'answered', answer: { action: 'decline' }, time: to * 1000 },
];

function callWith(...events: readonly Event[]): PanelState {
  const inputs: PanelInput[] = [
    { type: 'started', callId: 'c1', time: 0, params: undefined },
    ...events.map((event, at): PanelInput => ({ type: 'event', event: { ...event, at } as SessionEvent })),
  ];
  return inputs.reduce(reduce, initialState({ callId: 'c1', toolName: 't', title: 'T' }));
}

const tells = (state: PanelState, facts: Partial<SeenEnd> = {}) =>
  tellsOfEnd({ asker: 'person', seen: false, after: 10, told: false, state, ...facts });

describe('the end of a call', () => {
  it('is told of when the call worked for long and nobody sees it', () => {
    expect(tells(callWith(done(10)))).toBe(true);
    expect(tells(callWith(done(9.9)))).toBe(false);
    expect(tells(callWith(done(10)), { seen: true })).toBe(false);
    expect(tells(callWith(done(10)), { told: true })).toBe(false);
    expect(tells(callWith(done(10_000)), { after: 0 })).toBe(false);
  });

  it('does not count what the person took: it goes by the last answer', () => {
    expect(tells(callWith(...asked(1, 60), done(61)))).toBe(false);
    expect(tells(callWith(...asked(1, 60), done(70)))).toBe(true);
  });

  it('of what somebody else runs is told only where it asked the person', () => {
    for (const asker of ['agent', 'chat', 'client'] as const) {
      expect(tells(callWith(done(100)), { asker })).toBe(false);
      expect(tells(callWith(...asked(1, 2), done(100)), { asker })).toBe(true);
      expect(tells(callWith(...asked(1, 2), failed(100)), { asker })).toBe(true);
    }
  });

  it('is not told of where the call was stopped, nor a second time where it failed', () => {
    expect(tells(callWith(stopped(100)))).toBe(false);
    expect(tells(callWith(...asked(1, 2), stopped(100)), { asker: 'agent' })).toBe(false);
    expect(tells(callWith(failed(100)))).toBe(false);
  });

  it('of a call of the person that failed unseen is told at once, unless all of this is turned off', () => {
    expect(tellsOfFailure({ seen: false, after: 10 })).toBe(true);
    expect(tellsOfFailure({ seen: true, after: 10 })).toBe(false);
    expect(tellsOfFailure({ seen: false, after: 0 })).toBe(false);
  });
});
