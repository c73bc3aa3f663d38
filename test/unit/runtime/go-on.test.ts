import { createContext, createScope, type Operation, sleep, spawn, suspend, useScope } from 'effection';
import { describe, expect, it } from 'vitest';
import { begin } from '#src/runtime/taskless/begin.ts';
import { goOn } from '#src/runtime/taskless/go-on.ts';
import { runIn } from '#src/runtime/taskless/run-in.ts';
import { contextHere, here, wait, waitFor } from '#src/runtime/taskless/wait.ts';

/** A wait that is ended by hand. */
function gate<T = void>() {
  let give: ((value: T) => void) | undefined;
  let fail: ((error: Error) => void) | undefined;
  const log: string[] = [];
  return {
    log,
    give: (value: T) => give?.(value),
    fail: (error: Error) => fail?.(error),
    *wait(): Operation<T> {
      return yield* wait<T>((resolve, reject) => {
        give = resolve;
        fail = reject;
        log.push('waits');
        return () => log.push('waits no more');
      }, 'gate');
    },
  };
}

/** Goes on with an operation, and writes down what becomes of it. */
function walk<T>(op: () => Operation<T>) {
  const [scope] = createScope();
  const log: unknown[] = [];
  const begun = begin(op);
  if (begun.done) throw new Error('it has no effects');
  const going = goOn(begun, {
    scope,
    over: (result) => log.push(result.ok ? ['over', result.value] : ['failed', result.error]),
    needsTask: () => log.push('needs a task'),
    halted: (cleanup) => log.push(cleanup ? 'halted, with cleanup' : 'halted'),
  });
  return { scope, log, halt: () => going.halt() };
}

const microtasks = () => new Promise((resolve) => setImmediate(resolve));

describe('an operation that only waits', () => {
  it('goes on without a task, and never on the stack of who gave it what it waited for', async () => {
    const at = gate<number>();
    const { log } = walk(function* () {
      return (yield* at.wait()) + (yield* at.wait());
    });
    at.give(1);
    expect(at.log).toEqual(['waits', 'waits no more']);
    await microtasks();
    expect(at.log).toHaveLength(3);
    at.give(2);
    at.give(40);
    expect(log).toEqual([]);
    await microtasks();
    expect(log).toEqual([['over', 3]]);
  });

  it('is thrown what fails, as it was, and may catch it', async () => {
    const at = gate();
    const boom = new Error('boom');
    const { log } = walk(function* () {
      try {
        yield* at.wait();
      } catch (error) {
        expect(error).toBe(boom);
      }
      yield* waitFor(Promise.reject('no error at all'));
    });
    at.fail(boom);
    await microtasks();
    await microtasks();
    expect(log).toEqual([['failed', 'no error at all']]);
  });

  it('takes what is there at once, and what throws as it begins to wait', async () => {
    const boom = new Error('boom');
    const { log } = walk(function* () {
      const first = yield* wait<number>((resolve) => {
        resolve(1);
        return () => {};
      }, 'at once');
      yield* wait(() => {
        throw boom;
      }, `after ${first}`);
    });
    await microtasks();
    expect(log).toEqual([['failed', boom]]);
  });

  it('is halted where it stands: the wait ends, its cleanup runs, and what comes late is dropped', async () => {
    for (const given of [false, true]) {
      const at = gate();
      const cleaned: string[] = [];
      const { log, halt } = walk(function* () {
        try {
          yield* at.wait();
          cleaned.push('went on');
        } finally {
          cleaned.push('cleaned up');
        }
      });
      if (given) at.give();
      halt();
      halt();
      at.give();
      await microtasks();
      expect(at.log).toEqual(['waits', 'waits no more']);
      expect(cleaned).toEqual(['cleaned up']);
      expect(log).toEqual(['halted']);
    }
  });

  it('that halts itself ends at its next wait, not on its own stack', async () => {
    const at = gate();
    const steps: string[] = [];
    let halt = () => {};
    const walked = walk(function* () {
      try {
        yield* at.wait();
        halt();
        steps.push('still here');
        yield* at.wait();
        steps.push('never');
      } finally {
        steps.push('cleaned up');
      }
    });
    halt = walked.halt;
    at.give();
    await microtasks();
    expect(steps).toEqual(['still here', 'cleaned up']);
    expect(walked.log).toEqual(['halted']);
  });

  it('sees the scope that it goes on in, which is not its own', async () => {
    const at = gate();
    const { scope, log } = walk(function* () {
      yield* at.wait();
      return yield* here();
    });
    at.give();
    await microtasks();
    expect(log).toEqual([['over', { scope, own: false }]]);
  });

  it('reads contexts as they are where it runs, over those of the scope that it goes on in', async () => {
    const [mine, theirs] = [createContext<string>('mine'), createContext<string>('theirs')];
    const [scope] = createScope();
    scope.set(mine, 'of the scope');
    scope.set(theirs, 'of the scope');
    function* read(): Operation<unknown> {
      return [yield* contextHere(mine), yield* contextHere(theirs)];
    }
    const without = await new Promise((resolve) => {
      const begun = begin(read);
      if (begun.done) throw new Error('it has no effects');
      goOn(begun, {
        scope,
        contexts: (into) => into.set(mine, 'of the call'),
        over: (result) => resolve(result.ok && result.value),
        needsTask: () => resolve('needs a task'),
        halted: () => resolve('halted'),
      });
    });
    expect(without).toEqual(['of the call', 'of the scope']);
    expect(await scope.run(read)).toEqual(['of the scope', 'of the scope']);
  });

  it('needs a task from the first effect on that is of another kind', async () => {
    const at = gate();
    const { log } = walk(function* () {
      yield* at.wait();
      yield* sleep(0);
    });
    expect(log).toEqual([]);
    at.give();
    await microtasks();
    expect(log).toEqual(['needs a task']);
  });

  it('ends a wait that halts it as it begins', async () => {
    const log: string[] = [];
    let halt = () => {};
    const at = gate();
    const walked = walk(function* () {
      yield* at.wait();
      yield* wait(() => {
        halt();
        return () => log.push('waits no more');
      }, 'halts');
    });
    halt = walked.halt;
    at.give();
    await microtasks();
    expect(log).toEqual(['waits no more']);
    expect(walked.log).toEqual(['halted']);
  });

  it('takes a hundred thousand answers that are there at once, on a stack that does not grow', async () => {
    const { log } = walk(function* () {
      let sum = 0;
      for (let turn = 0; turn < 100_000; turn++) {
        sum += yield* wait<number>((resolve) => {
          resolve(1);
          return () => {};
        }, 'at once');
        yield* here();
      }
      return sum;
    });
    await microtasks();
    expect(log).toEqual([['over', 100_000]]);
  });

  it('says what is left to do where its cleanup takes its time', () => {
    const at = gate();
    const { log, halt } = walk(function* () {
      try {
        yield* at.wait();
      } finally {
        yield* sleep(0);
      }
    });
    halt();
    expect(log).toEqual(['halted, with cleanup']);
  });
});

describe('running an operation in a scope', () => {
  it('gives its result and its error, with a task and without', async () => {
    const [scope, destroy] = createScope();
    const result = runIn(scope, function* () {
      yield* waitFor(Promise.resolve());
      const inner = yield* useScope();
      expect(inner).not.toBe(scope);
      expect(yield* here()).toEqual({ scope: inner, own: true });
      const child = yield* spawn(function* () {
        yield* waitFor(Promise.resolve());
        return 5;
      });
      return yield* child;
    });
    expect(await result).toBe(5);
    const error = runIn(scope, function* () {
      yield* waitFor(Promise.reject(new Error('boom')));
    });
    await expect(error).rejects.toThrow('boom');
    await destroy();
  });

  it('halts it when the scope ends, and waits for its cleanup', async () => {
    const [scope, destroy] = createScope();
    const log: string[] = [];
    const waiting = runIn(scope, function* () {
      try {
        yield* wait(() => () => log.push('waits no more'), 'for ever');
      } finally {
        log.push('cleaning');
        yield* sleep(0);
        log.push('clean');
      }
    });
    const tasked = runIn(scope, suspend);
    waiting.catch(() => {});
    tasked.catch(() => {});
    await destroy();
    expect(log).toEqual(['waits no more', 'cleaning', 'clean']);
    await expect(waiting).rejects.toThrow('halted');
    await expect(tasked).rejects.toThrow('halted');
  });

  it('halts one whose own code ends the scope, and waits for its cleanup', async () => {
    const [scope, destroy] = createScope();
    const log: string[] = [];
    let ended: Promise<void> | undefined;
    for (const first of [here, () => waitFor(Promise.resolve())]) {
      const running = runIn(scope, function* () {
        try {
          yield* first();
          ended ??= Promise.resolve(destroy());
          yield* waitFor(new Promise<void>(() => {}));
        } finally {
          yield* sleep(0);
          log.push('clean');
        }
      });
      running.catch(() => {});
    }
    await ended;
    expect(log).toEqual(['clean', 'clean']);
  });

  it('runs every cleanup, also behind one that fails, and tells of that', async () => {
    const [scope, destroy] = createScope();
    const log: string[] = [];
    for (const name of ['first', 'second', 'third']) {
      const running = runIn(scope, function* () {
        try {
          yield* waitFor(new Promise<void>(() => {}));
        } finally {
          yield* sleep(0);
          log.push(name);
          // biome-ignore lint/correctness/noUnsafeFinally: what a careless tool does
          if (name !== 'second') throw new Error(`${name} cannot close`);
        }
      });
      running.catch(() => {});
    }
    await expect(destroy()).rejects.toThrow('first cannot close');
    expect(log).toEqual(['first', 'second', 'third']);
  });
});
