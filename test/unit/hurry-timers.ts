import { afterEach, beforeEach, vi } from 'vitest';

/** Has each timer of a test go off as soon as nothing else is left to do: who sleeps, wakes at once, and in order. */
export function hurryTimers(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
    vi.setTimerTickMode('nextTimerAsync');
  });
  afterEach(() => void vi.useRealTimers());
}
