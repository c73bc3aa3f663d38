import { run, sleep, spawn } from 'effection';
import { expect, it, vi } from 'vitest';
import { saved } from '#src/vscode/calls/editor/saved.ts';

const never = () => ({ dispose() {} });

it.each([
  ['that this call has saved is saved', true, false, true],
  ['that the editor had saved by itself is saved, though there was nothing left to save', false, false, true],
])('a document %s', async (_what, answer, isDirty, expected) => {
  const document = { isDirty, save: async () => answer };
  expect(await run(() => saved(document, never))).toBe(expected);
});

it('a document that could not be saved is not, some time after', async () => {
  vi.useFakeTimers();
  try {
    const ended = run(() => saved({ isDirty: true, save: async () => false }, never));
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await ended).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});

it('a document that the editor is about to save by itself is saved once that has happened, and not when another is', () =>
  run(function* () {
    const document = { isDirty: true, save: async () => false };
    const listeners = new Set<(one: typeof document) => void>();
    const tell = (one: typeof document) => {
      for (const listener of [...listeners]) listener(one);
    };
    const saving = yield* spawn(() =>
      saved(document, (listener) => {
        listeners.add(listener);
        return { dispose: () => listeners.delete(listener) };
      }),
    );
    // By then the editor has answered.
    yield* sleep(0);
    tell({ ...document });
    document.isDirty = false;
    tell(document);
    expect(yield* saving).toBe(true);
    expect(listeners.size).toBe(0);
  }));
