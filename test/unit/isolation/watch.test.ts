import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RealmWatch } from '#src/isolation/host-side/watch.ts';

const TICK = 1_000;

/** A watch that notes what it does; `answers` says whether the realm lets a ping have its turn. */
function watched(answers: () => boolean, silence = 5 * TICK) {
  const seen: string[] = [];
  const watch: RealmWatch = new RealmWatch({
    limits: { interval: TICK, silence: () => silence, loading: TICK, grace: 3 * TICK, idle: 60 * TICK },
    ping: () => {
      seen.push('ping');
      if (answers()) watch.heard();
    },
    stuck: () => seen.push('stuck'),
    idle: () => seen.push('idle'),
  });
  return { watch, seen };
}

describe('the watch over a realm', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('asks nothing of work that is soon over', () => {
    const { watch, seen } = watched(() => true);
    for (let call = 0; call < 10; call++) {
      const done = watch.begin();
      vi.advanceTimersByTime(TICK - 1);
      done();
    }
    expect(seen).toEqual([]);
  });

  test('asks work that lasts for a sign of life, at each tick', () => {
    const { watch, seen } = watched(() => true);
    watch.begin();
    vi.advanceTimersByTime(20 * TICK);
    expect(seen).toEqual(Array(20).fill('ping'));
  });

  test('says that a realm is stuck when it has given no sign for so long, from its first work on', () => {
    const { watch, seen } = watched(() => false);
    watch.begin();
    vi.advanceTimersByTime(5 * TICK - 1);
    expect(seen).not.toContain('stuck');
    vi.advanceTimersByTime(1);
    expect(seen).toEqual(['ping', 'ping', 'ping', 'ping', 'stuck']);
  });

  test('says so only when it has asked', () => {
    const { watch, seen } = watched(() => false, 1);
    watch.begin();
    vi.advanceTimersByTime(TICK);
    expect(seen).toEqual(['ping']);
    vi.advanceTimersByTime(TICK);
    expect(seen).toEqual(['ping', 'stuck']);
  });

  test('counts from the last sign, whatever that was', () => {
    const { watch, seen } = watched(() => false);
    watch.begin();
    vi.advanceTimersByTime(4 * TICK);
    watch.heard();
    vi.advanceTimersByTime(5 * TICK);
    expect(seen).not.toContain('stuck');
    vi.advanceTimersByTime(TICK);
    expect(seen).toContain('stuck');
  });

  test('looks no more when the work is over, and says when nothing has been going on for a while', () => {
    const { watch, seen } = watched(() => false);
    const done = watch.begin();
    vi.advanceTimersByTime(TICK);
    done();
    vi.advanceTimersByTime(60 * TICK);
    expect(seen).toEqual(['ping', 'idle']);
  });
});
