import { all, type Operation, run, spawn } from 'effection';
import { describe, expect, it } from 'vitest';
import { eventLoopTurn } from '#src/runtime/time/event-loop.ts';
import type { Run } from '#src/vscode/bridge.ts';
import { OneRun } from '#src/vscode/servers/one-run.ts';

/** Servers that take their time to end. */
function slowServers() {
  const alive = new Set<string>();
  const begun: string[] = [];
  let most = 0;
  const endings: (() => void)[] = [];
  const begin = (name: string) => (): Run<unknown> => {
    begun.push(name);
    alive.add(name);
    most = Math.max(most, alive.size);
    const { promise, resolve } = Promise.withResolvers<void>();
    return {
      outcome: new Promise(() => {}),
      async halt() {
        endings.push(resolve);
        await promise;
        alive.delete(name);
      },
    };
  };
  const letEnd = () => {
    for (const end of endings.splice(0)) end();
  };
  return { alive, begun, begin, letEnd, most: () => most };
}

function* turns(): Operation<void> {
  for (let turn = 0; turn < 5; turn++) yield* eventLoopTurn();
}

describe('a server of a window', () => {
  it('is started once by two who start it at the same time', () =>
    run(function* () {
      const { begin, begun } = slowServers();
      const one = new OneRun();
      yield* all([one.start('a', begin('first')), one.start('a', begin('second'))]);
      expect(begun).toEqual(['first']);
    }));

  it('that is moved while it runs never runs twice, though two look at once and it is slow to end', () =>
    run(function* () {
      const { alive, begin, begun, letEnd, most } = slowServers();
      const one = new OneRun();
      yield* one.start('in the file', begin('old'));
      const both = [
        yield* spawn(() => one.start('in the setting', begin('new'))),
        yield* spawn(() => one.start('in the setting', begin('new again'))),
      ];
      yield* turns();
      expect([[...alive], begun]).toEqual([['old'], ['old']]);
      letEnd();
      for (const task of both) yield* task;
      yield* turns();
      expect([[...alive], begun, most()]).toEqual([['new'], ['old', 'new'], 1]);
    }));

  it('that is stopped, or closed for good, while it waits to start does not start', () =>
    run(function* () {
      const { alive, begin, letEnd } = slowServers();
      for (const stop of [(one: OneRun) => one.end(), (one: OneRun) => one.close()]) {
        const one = new OneRun();
        yield* one.start('a', begin('old'));
        const starting = yield* spawn(() => one.start('b', begin('new')));
        yield* turns();
        const stopping = yield* spawn(() => stop(one));
        yield* turns();
        letEnd();
        yield* starting;
        yield* stopping;
        expect([[...alive], one.key]).toEqual([[], undefined]);
      }
    }));

  it('that is closed is not started by who is late', () =>
    run(function* () {
      const { alive, begin } = slowServers();
      const one = new OneRun();
      yield* one.close();
      yield* one.start('a', begin('late'));
      expect([...alive]).toEqual([]);
    }));

  it('can be started again where whoever waited to start it was halted', () =>
    run(function* () {
      const { alive, begin, letEnd } = slowServers();
      const one = new OneRun();
      yield* one.start('a', begin('old'));
      const starting = yield* spawn(() => one.start('b', begin('never')));
      yield* turns();
      yield* starting.halt();
      expect(one.key).toBeUndefined();
      letEnd();
      yield* one.start('b', begin('new'));
      expect([...alive]).toEqual(['new']);
    }));
});
