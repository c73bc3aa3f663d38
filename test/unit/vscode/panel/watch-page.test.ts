import { run } from 'effection';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchPage } from '#src/vscode/calls/panel/watch-page.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An event as VS Code has them. */
function createEvent() {
  const listeners = new Set<(value: unknown) => void>();
  return {
    event: (listener: (value: unknown) => void) => {
      listeners.add(listener);
      return { dispose: () => void listeners.delete(listener) };
    },
    fire: () => {
      for (const listener of [...listeners]) listener(undefined);
    },
  };
}

async function watched(body: (page: ReturnType<typeof createWatched>) => Promise<void>): Promise<void> {
  const page = createWatched();
  const task = run(function* () {
    yield* watchPage(page.watched);
  });
  try {
    await vi.advanceTimersByTimeAsync(0);
    await body(page);
  } finally {
    await task.halt();
  }
}

function createWatched() {
  const message = createEvent();
  const visible = createEvent();
  const state = { visible: true, loads: 0 };
  const show = (is: boolean) => {
    state.visible = is;
    visible.fire();
  };
  const watched = {
    get visible() {
      return state.visible;
    },
    onMessage: message.event,
    onVisible: visible.event,
    load: () => {
      state.loads += 1;
    },
  };
  return { state, watched, speak: message.fire, show };
}

test('a page in sight that says nothing is loaded again, a few times, each later than the last', async () => {
  await watched(async ({ state }) => {
    await vi.advanceTimersByTimeAsync(14_999);
    expect(state.loads).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(state.loads).toBe(1);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(state.loads).toBe(2);
    await vi.advanceTimersByTimeAsync(1_000_000);
    expect(state.loads).toBe(3);
  });
});

test('one that speaks is left alone; shown again, it is watched again', async () => {
  await watched(async ({ state, speak, show }) => {
    speak();
    await vi.advanceTimersByTimeAsync(1_000_000);
    expect(state.loads).toBe(0);
    show(false);
    await vi.advanceTimersByTimeAsync(1_000_000);
    expect(state.loads).toBe(0);
    show(true);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(state.loads).toBe(1);
    speak();
    await vi.advanceTimersByTimeAsync(1_000_000);
    expect(state.loads).toBe(1);
  });
});
