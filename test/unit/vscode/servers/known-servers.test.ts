import { all, type Operation, run, spawn, withResolvers } from 'effection';
import { describe, expect, it } from 'vitest';
import { eventLoopTurn } from '#src/runtime/time/event-loop.ts';
import { type KnownServer, useKnownServers } from '#src/vscode/servers/sources/known-servers.ts';
import type { FoundServer } from '#src/vscode/servers/sources/read-sources.ts';

interface Unit extends KnownServer {
  readonly name: string;
}

/** What is written somewhere can change while it is read, and reading takes as long as the test says. */
function servers() {
  let written: readonly string[] = [];
  const readings: { end(): void; fail(error: Error): void }[] = [];
  const open = new Set<string>();
  const settled: string[] = [];
  const found = (name: string): FoundServer => ({
    name,
    place: 'setting',
    owner: 'w',
    folder: '/w',
    file: undefined,
    inputs: [],
    written: undefined,
  });
  return {
    open,
    settled,
    readings,
    write: (...names: string[]) => {
      written = names;
    },
    parts: {
      *read(): Operation<readonly FoundServer[]> {
        const now = written.map(found);
        const { operation, resolve, reject } = withResolvers<void>();
        readings.push({ end: resolve, fail: reject });
        yield* operation;
        return now;
      },
      make(one: FoundServer): Unit {
        open.add(one.name);
        return {
          found: one,
          name: one.name,
          *close() {
            open.delete(one.name);
          },
        };
      },
      changed() {},
      *settle({ name }: Unit): Operation<void> {
        settled.push(name);
      },
    },
  };
}

function* turns(): Operation<void> {
  for (let turn = 0; turn < 5; turn++) yield* eventLoopTurn();
}

describe('the servers that a window knows', () => {
  it('are those that were written last, though an older reading takes longer', () =>
    run(function* () {
      const { parts, write, readings, open } = servers();
      const known = yield* useKnownServers(parts);
      write('old');
      const first = yield* spawn(known.look);
      yield* turns();
      write('new');
      const second = yield* spawn(known.look);
      yield* turns();
      // The younger one is as quick as it can be; the older one takes its time.
      readings[1]?.end();
      yield* turns();
      readings[0]?.end();
      yield* turns();
      readings[1]?.end();
      yield* all([first, second]);
      expect([...known.units.keys()]).toEqual(['new']);
      expect([...open]).toEqual(['new']);
    }));

  it('are read once more for all who ask while they are read', () =>
    run(function* () {
      const { parts, write, readings, settled } = servers();
      const known = yield* useKnownServers(parts);
      write('one');
      const first = yield* spawn(known.look);
      yield* turns();
      const others = [];
      for (let many = 0; many < 100; many++) others.push(yield* spawn(known.look));
      yield* turns();
      readings[0]?.end();
      yield* first;
      yield* turns();
      readings[1]?.end();
      yield* all(others);
      expect(readings).toHaveLength(2);
      expect(settled).toEqual(['one', 'one']);
    }));

  it('stay as they are when they cannot be read, and the next reading goes on', () =>
    run(function* () {
      const { parts, write, readings } = servers();
      const known = yield* useKnownServers(parts);
      write('one');
      const first = yield* spawn(known.look);
      yield* turns();
      readings[0]?.end();
      yield* first;
      const failing = yield* spawn(function* () {
        try {
          yield* known.look();
          return 'read';
        } catch (error) {
          return (error as Error).message;
        }
      });
      yield* turns();
      readings[1]?.fail(new Error('the disk is gone'));
      expect(yield* failing).toBe('the disk is gone');
      expect([...known.units.keys()]).toEqual(['one']);
      write('two');
      const next = yield* spawn(known.look);
      yield* turns();
      readings[2]?.end();
      yield* next;
      expect([...known.units.keys()]).toEqual(['two']);
    }));

  it('are closed with it, also while they are read', () =>
    run(function* () {
      const { parts, write, readings, open } = servers();
      write('one', 'two');
      const window = yield* spawn(function* () {
        const known = yield* useKnownServers(parts);
        yield* spawn(known.look);
        yield* turns();
        readings[0]?.end();
        yield* turns();
        yield* known.look();
      });
      while (readings.length < 2) yield* turns();
      expect([...open]).toEqual(['one', 'two']);
      yield* window.halt();
      expect([...open]).toEqual([]);
    }));

  it('are read on for others when one who asked is halted', () =>
    run(function* () {
      const { parts, write, readings } = servers();
      const known = yield* useKnownServers(parts);
      write('one');
      const impatient = yield* spawn(known.look);
      yield* turns();
      yield* impatient.halt();
      const patient = yield* spawn(known.look);
      yield* turns();
      readings[0]?.end();
      yield* turns();
      readings[1]?.end();
      yield* patient;
      expect([...known.units.keys()]).toEqual(['one']);
    }));
});
