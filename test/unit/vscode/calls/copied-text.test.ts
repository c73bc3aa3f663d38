import { expect, it } from 'vitest';
import { initialState } from '#src/panel/model/state.ts';
import { createPanelStore } from '#src/panel/panel-store.ts';
import { endText, mcpCallText, transcriptJson } from '#src/vscode/calls/copied-text.ts';

function panelOf() {
  const store = createPanelStore(initialState({ callId: 'c', toolName: 't', title: 'T' }));
  return { store };
}

it('a call is copied as the request that an MCP client makes', () => {
  expect(JSON.parse(mcpCallText('count_words', { text: 'a "b"' }))).toEqual({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'count_words', arguments: { text: 'a "b"' } },
  });
});

it('a result is copied as text, and is no error', () => {
  const panel = panelOf();
  expect(endText({ panel }, 'result')).toBeUndefined();
  panel.store.dispatch({ type: 'event', event: { at: 1, time: 1, type: 'result', value: { words: 3 } } });
  expect(endText({ panel }, 'result')).toBe('{\n  "words": 3\n}');
  expect(endText({ panel }, 'error')).toBeUndefined();
});

it('of a result that is not kept there is nothing to copy', () => {
  const panel = panelOf();
  const event = { at: 1, time: 1, type: 'result', value: null, notKept: true } as const;
  panel.store.dispatch({ type: 'event', event });
  expect(endText({ panel }, 'result')).toBeUndefined();
});

it('an error is copied with its causes', () => {
  const panel = panelOf();
  const trace = [
    { title: 'Error: no seat', own: [], internal: ['at x (a.ts:1:2)'] },
    { title: 'Error: full', own: [], internal: [] },
  ];
  panel.store.dispatch({
    type: 'event',
    event: { at: 1, time: 1, type: 'error', error: { name: 'Error', message: 'no seat' } },
    ending: { trace },
  });
  expect(endText({ panel }, 'error')).toBe('Error: no seat\n    at x (a.ts:1:2)\ncaused by: Error: full');
});

const call = { id: 'c1', principal: 'me', startedAt: 0 };

it('all that happened is copied as JSON, without secrets', () => {
  const record = {
    ...call,
    toolName: 'log_in',
    params: { user: 'ada', password: 'open sesame' },
    events: () => [
      { at: 1, time: 5, type: 'log', level: 'info', message: 'said open sesame', depth: 0 } as const,
      { at: 2, time: 9, type: 'result', value: { big: 10n } } as never,
      { at: 3, time: 9, type: 'result', value: 'in' } as const,
    ],
  };
  const text = transcriptJson('Log in', record);
  expect(text).not.toContain('sesame');
  expect(JSON.parse(text)).toMatchObject({
    title: 'Log in',
    tool: 'log_in',
    call: 'c1',
    started: '1970-01-01T00:00:00.000Z',
    params: { user: 'ada' },
    events: [{ message: 'said ***' }, { value: 'in' }],
  });
});

it('what happens in a call of this window is copied from its session', () => {
  const session = {
    ...call,
    toolName: 't',
    params: {},
    log: [{ at: 1, time: 5, type: 'result', value: 'in' } as const],
    events() {
      return this.log;
    },
  };
  expect(JSON.parse(transcriptJson('T', session)).events).toEqual(session.log);
});

it('parameters that are no JSON do not keep the rest of a call from being copied', () => {
  const record = { ...call, toolName: 't', params: { big: 10n }, events: () => [] };
  expect(JSON.parse(transcriptJson('T', record))).toMatchObject({ tool: 't', params: null });
});

it('a secret that is one of our own words leaves an event what it is', () => {
  const end = { at: 1, time: 5, type: 'result', value: 'the result' } as const;
  const record = { ...call, toolName: 't', params: { password: 'result' }, events: () => [end] };
  expect(JSON.parse(transcriptJson('T', record)).events).toEqual([{ ...end, value: 'the ***' }]);
});
