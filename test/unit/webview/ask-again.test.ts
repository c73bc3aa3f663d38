import { afterEach, expect, it, vi } from 'vitest';
import { snapshotOf } from '#src/panel/model/snapshot.ts';
import { initialState } from '#src/panel/model/state.ts';
import { snapshot, type ToHost, type ToPage } from '#src/panel-port/index.ts';
import { askAgain } from '#webview/page/ask-again.ts';
import { createPage } from '#webview/page/page.ts';

afterEach(() => vi.useRealTimers());

it('a page that shows nothing asks again, until it has something to show', () => {
  vi.useFakeTimers();
  const asked: ToHost[] = [];
  let tell: (message: ToPage) => void = () => {};
  const page = createPage(
    {
      post: (message) => asked.push(message),
      listen(listener) {
        tell = listener;
        return () => {};
      },
      memory: { get: () => undefined, set() {} },
    },
    undefined,
    'asked',
  );
  askAgain(page);
  vi.advanceTimersByTime(7_000);
  expect(asked.map(({ name }) => name)).toEqual(['ready', 'ready']);
  tell(snapshot(snapshotOf(initialState({ callId: '', toolName: 'a', title: 'A' }), 1, 0)));
  asked.length = 0;
  vi.advanceTimersByTime(60_000);
  expect(asked).toEqual([]);
});
