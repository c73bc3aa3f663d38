import { run, sleep, spawn } from 'effection';
import { expect, test, vi } from 'vitest';
import { initialState } from '#src/panel/model/state.ts';
import { createPanelStore } from '#src/panel/panel-store.ts';
import type { ProgressEvent } from '#src/runtime/session/events.ts';
import type { CallEntry } from '#src/vscode/calls/call-entry.ts';
import { createCallList } from '#src/vscode/calls/call-list.ts';
import { followProgress, progressText } from '#src/vscode/calls/list/call-progress.ts';
import type { CallPanel } from '#src/vscode/calls/panel/call-panel.ts';

function call(id: string) {
  const store = createPanelStore(initialState({ callId: id, toolName: 't', title: id }));
  const panel = { store, subscribe: () => () => {} } as unknown as CallPanel;
  const entry = { id, panel } as CallEntry;
  store.dispatch({ type: 'started', callId: id, time: 1, params: undefined });
  let at = 0;
  const progress = (event: Partial<Pick<ProgressEvent, 'message' | 'value' | 'total'>>) =>
    store.dispatch({
      type: 'event',
      event: { at: ++at, time: 1, type: 'progress', depth: 0, message: '', ...event },
    });
  const end = () => store.dispatch({ type: 'event', event: { at: ++at, time: 1, type: 'result', value: 1 } });
  return { entry, progress, end, text: () => progressText(store.get()) };
}

test.each([
  [{ value: 3, total: 10 }, '3/10'],
  [{ value: 1 / 3, total: 1 }, '0.33/1'],
  [{ value: 0.4 }, '40 %'],
  [{ message: 'Packing\nboxes', value: 3, total: 10 }, 'Packing boxes'],
  [{ message: 'Looking' }, 'Looking'],
])('progress %j reads “%s” while the call runs', (event, text) => {
  const one = call('a');
  expect(one.text()).toBeUndefined();
  one.progress(event);
  expect(one.text()).toBe(text);
  one.end();
  expect(one.text()).toBeUndefined();
});

test('ten thousand notifications are a few changes of the list, and the last one counts', async () => {
  const list = createCallList();
  const [busy, quiet] = [call('busy'), call('quiet')];
  for (const { entry } of [busy, quiet]) list.add(entry);
  const structure = vi.fn();
  list.subscribe(structure);
  const shown: string[] = [];
  await run(function* () {
    const following = yield* spawn(() =>
      followProgress(
        list,
        (entries) => {
          for (const { id, panel } of entries) shown.push(`${id} ${progressText(panel.store.get())}`);
        },
        1,
      ),
    );
    // Sooner or later, on any machine: nothing here is about how soon.
    const until = function* (text: string) {
      while (!shown.includes(text)) yield* sleep(1);
    };
    yield* sleep(0);
    for (let value = 1; value <= 10_000; value++) busy.progress({ value, total: 10_000 });
    yield* until('busy 10000/10000');
    expect(shown).toEqual(['busy 10000/10000']);
    quiet.progress({ message: 'Begun' });
    yield* until('quiet Begun');
    // What reads the same is no news.
    quiet.progress({ message: 'Begun' });
    busy.progress({ message: 'Done soon' });
    yield* until('busy Done soon');
    expect(shown).toEqual(['busy 10000/10000', 'quiet Begun', 'busy Done soon']);
    yield* following.halt();
  });
  expect(structure).not.toHaveBeenCalled();
  const { length } = shown;
  busy.progress({ message: 'Unheard' });
  expect(shown).toHaveLength(length);
});
