import { run, spawn } from 'effection';
import { createTestClock, createTestIds } from 'parley-mcp/testing';
import { describe, expect, it } from 'vitest';

describe('the test clock', () => {
  it('wakes sleepers in order of time, and only when it is moved', async () => {
    const clock = createTestClock(1_000);
    const woken: [string, number][] = [];
    const all = run(function* () {
      for (const [name, after] of Object.entries({ late: 30, early: 10, same: 10 })) {
        yield* spawn(function* () {
          yield* clock.sleep(after);
          woken.push([name, clock.now()]);
          if (name === 'early') {
            yield* clock.sleep(5);
            woken.push(['again', clock.now()]);
          }
        });
      }
      yield* clock.sleep(40);
    });
    expect(clock.sleeping()).toBe(4);
    expect(woken).toEqual([]);
    clock.advance(40);
    await all;
    expect(woken).toEqual([
      ['early', 1_010],
      ['same', 1_010],
      ['again', 1_015],
      ['late', 1_030],
    ]);
    expect(clock.now()).toBe(1_040);
  });

  it('forgets a sleeper that is halted', async () => {
    const clock = createTestClock();
    const task = run(() => clock.sleep(10));
    expect(clock.sleeping()).toBe(1);
    await task.halt();
    expect(clock.sleeping()).toBe(0);
  });
});

describe('test ids', () => {
  it('count for each prefix', () => {
    const ids = createTestIds();
    expect([ids.next('call'), ids.next('call'), ids.next('form')]).toEqual(['call_1', 'call_2', 'form_1']);
  });
});
