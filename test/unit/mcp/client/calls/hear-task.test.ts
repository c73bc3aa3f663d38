import type { Client } from '@modelcontextprotocol/client';
import { run, scoped, sleep, spawn } from 'effection';
import { describe, expect, it } from 'vitest';
import { Bell } from '#src/mcp/client/calls/bell.ts';
import { hearTask } from '#src/mcp/client/calls/hear-task.ts';
import { CallInFlight, CallsInFlight } from '#src/mcp/client/calls/in-flight.ts';
import { ForeignLine } from '#src/mcp/client/calls/line.ts';

/** A bell, and how often it rang. */
function* counted() {
  const bell = new Bell();
  const rings = { count: 0 };
  yield* spawn(function* () {
    for (;;) {
      yield* bell.rung();
      rings.count += 1;
      bell.heed();
    }
  });
  return { bell, rings };
}

describe('a task of 2025-11-25', () => {
  it('rings with what its server says of it by itself, until nobody hears any more', () =>
    run(function* () {
      const calls = new CallsInFlight();
      const client = { getProtocolEra: () => 'legacy' } as Client;
      const line = new ForeignLine(client, new CallInFlight(), calls);
      const [mine, same, other] = [yield* counted(), yield* counted(), yield* counted()];
      yield* hearTask(line, 'mine', same.bell);
      yield* hearTask(line, 'other', other.bell);
      yield* scoped(function* () {
        const news = yield* hearTask(line, 'mine', mine.bell);
        yield* sleep(0);
        calls.hearOfTask('mine');
        yield* sleep(0);
        expect([mine, same, other].map(({ rings }) => rings.count)).toEqual([1, 1, 0]);
        // It is asked as often as ever: no server of this generation has said that it tells everything.
        expect(news.isTold()).toBe(false);
      });
      for (const told of ['mine', 7, '__proto__']) calls.hearOfTask(told);
      yield* sleep(0);
      expect([mine, same, other].map(({ rings }) => rings.count)).toEqual([1, 2, 0]);
    }));
});

describe('a bell', () => {
  it('that rang while nobody waited rings for the next one, until it is heeded', () =>
    run(function* () {
      const bell = new Bell();
      const rung: string[] = [];
      const waits = (name: string) =>
        spawn(function* () {
          yield* bell.rung();
          rung.push(name);
        });
      bell.ring();
      yield* yield* waits('first');
      bell.heed();
      const second = yield* waits('second');
      yield* sleep(0);
      expect(rung).toEqual(['first']);
      bell.ring();
      yield* second;
      expect(rung).toEqual(['first', 'second']);
    }));
});
