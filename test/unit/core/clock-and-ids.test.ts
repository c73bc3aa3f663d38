import { createScope, run, spawn, suspend } from 'effection';
import { describe, expect, it, vi } from 'vitest';
import { ClockContext, IdsContext, nextId, useClock } from '#src/core/index.ts';

describe('the clock', () => {
  it('is the machine’s own unless a test sets another', async () => {
    vi.spyOn(Date, 'now').mockReturnValue(7);
    const now = await run(function* () {
      return (yield* useClock()).now();
    });
    vi.restoreAllMocks();
    expect(now).toBe(7);
    const still = { now: () => 42, sleep: () => suspend(), startTimer: () => () => {} };
    const [scope, destroy] = createScope();
    scope.set(ClockContext, still);
    expect(await scope.run(useClock)).toBe(still);
    await destroy();
  });

  it('waits for longer than a timer can', async () => {
    vi.useFakeTimers();
    try {
      const month = 31 * 24 * 3600 * 1000;
      let woken = false;
      const task = run(function* () {
        yield* (yield* useClock()).sleep(month);
        woken = true;
      });
      await vi.advanceTimersByTimeAsync(month - 1);
      expect(woken).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      await task;
      expect(woken).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  it('leaves no timer when it is halted', async () => {
    vi.useFakeTimers();
    try {
      const task = run(function* () {
        const { sleep } = yield* useClock();
        yield* spawn(() => sleep(Number.POSITIVE_INFINITY));
        yield* spawn(() => sleep(1e12));
        yield* suspend();
      });
      await vi.advanceTimersByTimeAsync(1);
      expect(vi.getTimerCount()).toBe(1);
      await task.halt();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('ids', () => {
  it('begin with their prefix and never repeat', async () => {
    const ids = await run(function* () {
      return [yield* nextId('call'), yield* nextId('call')];
    });
    expect(ids[0]).toMatch(/^call_[0-9a-f]{32}$/);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('come from what a test sets', async () => {
    let n = 0;
    const id = await run(function* () {
      return yield* IdsContext.with({ next: (prefix) => `${prefix}-${++n}` }, () => nextId('call'));
    });
    expect(id).toBe('call-1');
  });
});
