import { expect, it } from 'vitest';
import { initialState } from '#src/panel/model/state.ts';
import { createPanelStore } from '#src/panel/panel-store.ts';
import { endText, mcpCallText } from '#src/vscode/calls/copied-text.ts';

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
