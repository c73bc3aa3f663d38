import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createScope, run, type Scope, sleep } from 'effection';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { useClock } from '#src/core/world/clock.ts';
import { Expiring } from '#src/runtime/manager/expiring.ts';
import { MachineClock } from '#src/runtime/time/machine-clock.ts';
import { Timers } from '#src/runtime/time/timers.ts';
import { untilDue } from '#src/runtime/time/until-due.ts';
import { createTestClock } from '#src/testing/index.ts';

function createTimers() {
  const clock = createTestClock();
  const [scope, destroy] = createScope();
  return { clock, timers: new Timers(scope, clock), scope, destroy };
}

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

describe('timers', () => {
  it('that are stopped hold what they would have called no longer, also while others run; those fire all the same', async () => {
    const { clock, timers, destroy } = createTimers();
    const fired: number[] = [];
    const held: WeakRef<object>[] = [];
    for (let n = 0; n < 1_000; n++) {
      const call = { n };
      held.push(new WeakRef(call));
      const stop = timers.startTimer(1_000 + (n % 7), () => void fired.push(call.n));
      if (n % 100 !== 0) stop();
    }
    await turn();
    gc();
    expect(held.filter((one) => one.deref()).length).toBeLessThan(200);
    clock.advance(2_000);
    await turn();
    expect(fired.sort((a, b) => a - b)).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900]);
    await destroy();
  });

  it('fire in order of time, however they were set and stopped', async () => {
    const { clock, timers, destroy } = createTimers();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ after: fc.integer({ min: 0, max: 50 }), stop: fc.boolean() }), {
          maxLength: 40,
        }),
        async (all) => {
          const fired: number[] = [];
          const started = clock.now();
          const stops = all.map(({ after }, index) => timers.startTimer(after, () => void fired.push(index)));
          all.forEach(({ stop }, index) => {
            if (stop) stops[index]?.();
          });
          await turn();
          expect(clock.sleeping()).toBe(all.filter(({ stop }) => !stop).length);
          for (let n = 0; n <= 50; n++) {
            clock.advance(1);
            await turn();
          }
          const expected = all
            .map(({ after, stop }, index) => ({ after, stop, index }))
            .filter(({ stop }) => !stop)
            .sort((a, b) => a.after - b.after || a.index - b.index);
          expect(fired).toEqual(expected.map(({ index }) => index));
          expect(clock.sleeping()).toBe(0);
          expect(clock.now()).toBe(started + 51);
        },
      ),
      { numRuns: 20 },
    );
    await destroy();
  });

  it('may set and stop others when they fire', async () => {
    const { clock, timers, destroy } = createTimers();
    const log: string[] = [];
    const stop = timers.startTimer(20, () => void log.push('stopped too late'));
    timers.startTimer(10, () => {
      log.push('first');
      stop();
      timers.startTimer(5, () => void log.push('second'));
    });
    await turn();
    clock.advance(10);
    await turn();
    clock.advance(5);
    await turn();
    clock.advance(100);
    expect(log).toEqual(['first', 'second']);
    expect(clock.sleeping()).toBe(0);
    await destroy();
  });
});

describe('a machine clock', () => {
  it('counts what it ran, and fires when that reaches the limit', async () => {
    const { clock, timers, destroy } = createTimers();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ run: fc.integer({ min: 1, max: 20 }), pause: fc.integer({ min: 0, max: 90 }) })),
        async (spells) => {
          let fired = 0;
          const machine = new MachineClock(timers, 60, () => {
            fired += 1;
          });
          let ran = 0;
          for (const { run, pause } of spells) {
            await turn();
            clock.advance(run);
            ran += run;
            await turn();
            machine.pause();
            machine.pause();
            clock.advance(pause);
            machine.resume();
            await turn();
            machine.resume();
            expect(machine.elapsed()).toBe(Math.min(ran, 60));
            expect(fired).toBe(ran >= 60 ? 1 : 0);
          }
          machine.close();
          machine.close();
          expect(clock.sleeping()).toBe(0);
        },
      ),
      { numRuns: 30 },
    );
    await destroy();
  });
});

describe('what waits', () => {
  it('lets each wait for the same time, and sets no timer for what is fetched at once', async () => {
    const { clock, timers, destroy } = createTimers();
    const expired: string[] = [];
    const expiring = new Expiring<string>(timers, 100, (item) => void expired.push(item));
    expiring.set('quick', true);
    expiring.set('quick', false);
    await turn();
    expect(clock.sleeping()).toBe(0);
    expiring.set('a', true);
    await turn();
    clock.advance(60);
    expiring.set('b', true);
    expiring.set('a', true);
    expiring.set('c', true);
    expiring.set('c', false);
    expect(expiring.size).toBe(2);
    await turn();
    clock.advance(40);
    await turn();
    expect(expired).toEqual(['a']);
    clock.advance(60);
    await turn();
    expect(expired).toEqual(['a', 'b']);
    await turn();
    expect(clock.sleeping()).toBe(0);
    await destroy();
  });
});

describe('a timer that is stopped in the turn in which it was set', () => {
  it('leaves nothing behind, however often that happens', async () => {
    const { clock, timers, scope, destroy } = createTimers();
    // In an operation, where what is begun waits for its turn.
    await scope.run(function* () {
      for (let n = 0; n < 50; n++) timers.startTimer(10, () => {})();
      yield* sleep(0);
    });
    await turn();
    expect(clock.sleeping()).toBe(0);
    expect(childrenOf(scope)).toBe(1);
    await destroy();
  });

  it('is followed by one that goes off', async () => {
    const { clock, timers, scope, destroy } = createTimers();
    const fired: string[] = [];
    await scope.run(function* () {
      timers.startTimer(10, () => void fired.push('stopped'))();
      timers.startTimer(5, () => void fired.push('second'));
      yield* sleep(0);
    });
    await turn();
    clock.advance(5);
    await turn();
    expect(fired).toEqual(['second']);
    await destroy();
    expect(clock.sleeping()).toBe(0);
  });
});

describe('timers on the clock of the machine', () => {
  it('fire in order of time, and take one task however many there are', async () => {
    const [scope, destroy] = createScope();
    const timers = new Timers(scope, await scope.run(useClock));
    const fired: number[] = [];
    const due: { readonly after: number; readonly at: number }[] = [];
    for (const after of [30, 1, 20, 10]) {
      due.push({ after, at: timers.now() + after });
      timers.startTimer(after, () => void fired.push(after));
      timers.startTimer(after, () => void fired.push(-after))();
      await turn();
    }
    expect(childrenOf(scope)).toBe(1);
    // A turn may take longer than a timer where others use the machine.
    const inOrder = due.toSorted((one, other) => one.at - other.at).map(({ after }) => after);
    await expect.poll(() => fired).toEqual(inOrder);
    expect(childrenOf(scope)).toBe(1);
    await destroy();
  });

  it.each([Number.POSITIVE_INFINITY, 2 ** 31 + 10])(
    'wait for %s milliseconds and do not fire at once',
    async (long) => {
      const [scope, destroy] = createScope();
      const timers = new Timers(scope, await scope.run(useClock));
      const fired: string[] = [];
      timers.startTimer(long, () => void fired.push('long'));
      await turn();
      timers.startTimer(10, () => void fired.push('short'));
      await expect.poll(() => fired).toEqual(['short']);
      await destroy();
      expect(fired).toEqual(['short']);
    },
  );

  it('end with their scope', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const [scope, destroy] = createScope();
    const timers = new Timers(scope, await scope.run(useClock));
    const fired: string[] = [];
    timers.startTimer(10, () => void fired.push('late'));
    await turn();
    expect(vi.getTimerCount()).toBe(1);
    await destroy();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(100);
    expect(fired).toEqual([]);
  });
});

/** How many scopes a scope has below it: Effection has no word for that. */
function childrenOf(scope: Scope): number {
  const { contexts } = scope as Scope & { contexts: Record<string, ReadonlySet<unknown> | undefined> };
  return contexts['@effection/scope.children']?.size ?? 0;
}

async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe('when the time of the system is set', () => {
  const HOUR = 3_600_000;

  /** Timers on the machine's own clock, whose time of day jumps. */
  async function machine() {
    const [scope, destroy] = createScope();
    const clock = await scope.run(useClock);
    let by = 0;
    const now = Date.now.bind(Date);
    vi.spyOn(Date, 'now').mockImplementation(() => now() + by);
    onTestFinished(async () => {
      vi.restoreAllMocks();
      await destroy();
    });
    const jump = (milliseconds: number) => {
      by += milliseconds;
    };
    return { timers: new Timers(scope, clock), jump };
  }

  it('back, a timer fires in its time all the same', async () => {
    const { timers, jump } = await machine();
    const fired = new Promise<void>((resolve) => timers.startTimer(20, resolve));
    await turn();
    jump(-HOUR);
    await fired;
  });

  it('back, what waits for somebody waits no longer for that', async () => {
    const { timers, jump } = await machine();
    const ended = new Promise<string>((resolve) => {
      const expiring = new Expiring<string>(timers, 20, resolve);
      expiring.set('call', true);
    });
    await turn();
    jump(-HOUR);
    expect(await ended).toBe('call');
  });

  it('ahead, as after the machine has slept, a call has used none of its time for that', async () => {
    const { timers, jump } = await machine();
    const clock = new MachineClock(timers, HOUR / 2, () => {
      throw new Error('it has used its time up');
    });
    onTestFinished(() => clock.close());
    jump(HOUR);
    // Another timer has all of them looked at.
    await new Promise<void>((resolve) => timers.startTimer(5, resolve));
    expect(clock.elapsed()).toBeLessThan(HOUR / 2);
    clock.pause();
    jump(HOUR);
    clock.resume();
    expect(clock.elapsed()).toBeLessThan(HOUR / 2);
  });

  it('ahead, a sleep is over when the clock is looked at next', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { timers, jump } = await machine();
    const slept = run(() => untilDue(timers, timers.now() + 8 * HOUR));
    await turn();
    jump(8 * HOUR);
    vi.advanceTimersByTime(60_000);
    await slept;
  });

  it('back, a sleep takes as long as it would have', async () => {
    const { timers, jump } = await machine();
    const slept = run(() => untilDue(timers, timers.now() + 20));
    await turn();
    jump(-HOUR);
    await slept;
  });
});
