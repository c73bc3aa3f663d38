import {
  createContext,
  createScope,
  ensure,
  type Operation,
  sleep,
  spawn,
  suspend,
  useScope,
} from 'effection';
import { describe, expect, it } from 'vitest';
import { inOwnScope } from '#src/runtime/taskless/own-scope.ts';
import { startIn } from '#src/runtime/taskless/run-in.ts';
import { contextHere, here, putContexts, wait, waitFor } from '#src/runtime/taskless/wait.ts';

const Mine = createContext<string>('test.mine');

/** Starts an operation; `ended` is what it came to. */
function start<T>(op: () => Operation<T>) {
  const [scope, destroy] = createScope();
  scope.set(Mine, 'of the scope');
  const { promise: ended, resolve } = Promise.withResolvers<unknown>();
  const going = startIn(
    {
      scope,
      contexts: (into) => into.set(Mine, 'of the place'),
      ended: (result) => resolve(result ? (result.ok ? result.value : result.error) : 'halted'),
    },
    op,
  );
  return { scope, destroy, going, ended };
}

const later = () => waitFor(Promise.resolve('later'));

describe('an operation in a scope of its own', () => {
  it('has none for as long as it only waits', async () => {
    const { scope, ended } = start(() =>
      inOwnScope(function* () {
        const first = yield* later();
        return [first, (yield* here()).scope, yield* contextHere(Mine)];
      }),
    );
    expect(await ended).toEqual(['later', scope, 'of the place']);
  });

  it('has one from the first effect on that needs it, and has cleaned it up when it is over', async () => {
    const log: string[] = [];
    const { ended } = start(function* () {
      const given = yield* inOwnScope(function* () {
        yield* later();
        yield* ensure(function* () {
          yield* sleep(0);
          log.push('clean');
        });
        yield* spawn(suspend);
        return yield* contextHere(Mine);
      });
      log.push('over');
      return given;
    });
    expect(await ended).toBe('of the place');
    expect(log).toEqual(['clean', 'over']);
  });

  it('is thrown what fails, and may catch it', async () => {
    const boom = new Error('boom');
    const { ended } = start(() =>
      inOwnScope(function* () {
        try {
          yield* waitFor(Promise.reject(boom));
        } catch (error) {
          expect(error).toBe(boom);
        }
        yield* later();
        throw new Error('its own');
      }),
    );
    expect(await ended).toEqual(new Error('its own'));
    const early = start(() =>
      inOwnScope(function* () {
        throw boom;
      }),
    );
    expect(await early.ended).toBe(boom);
  });

  it('is halted where it stands, and its cleanup is waited for', async () => {
    const log: string[] = [];
    const { going, ended } = start(() =>
      inOwnScope(function* () {
        try {
          yield* wait(() => () => log.push('waits no more'), 'for ever');
        } finally {
          yield* sleep(0);
          log.push(`clean in what is ${yield* contextHere(Mine)}`);
        }
      }),
    );
    going.halt();
    going.halt();
    expect(await ended).toBe('halted');
    expect(log).toEqual(['waits no more', 'clean in what is of the place']);
  });
});

describe('an operation that was started', () => {
  it('gives what it comes to at once, where it does', async () => {
    const { ended, going } = start(function* () {
      return 5;
    });
    going.halt();
    expect(await ended).toBe(5);
  });

  it.each(['once it is a task', 'while it only waits'])(
    'is halted %s, and says what went wrong with its cleanup',
    async (where) => {
      const standing = Promise.withResolvers<void>();
      const { going, ended } = start(function* () {
        if (where === 'once it is a task') yield* sleep(0);
        try {
          queueMicrotask(standing.resolve);
          yield* wait(() => () => {}, 'for ever');
        } finally {
          yield* sleep(0);
          // biome-ignore lint/correctness/noUnsafeFinally: what a careless tool does
          throw new Error('cannot close');
        }
      });
      await standing.promise;
      going.halt();
      expect(await ended).toEqual(new Error('cannot close'));
    },
  );

  it('is halted with its scope, with what it left to clean up', async () => {
    const log: string[] = [];
    const { destroy, ended } = start(function* () {
      try {
        yield* wait(() => () => {}, 'for ever');
      } finally {
        yield* sleep(0);
        log.push('clean');
      }
    });
    await destroy();
    expect(await ended).toBe('halted');
    expect(log).toEqual(['clean']);
  });
});

describe('a wait that takes its time to end', () => {
  /** Waits for what comes to rest when `rest` is called. */
  function slow(log: string[]) {
    const rested = Promise.withResolvers<void>();
    const waits = Promise.withResolvers<void>();
    function* op(): Operation<void> {
      try {
        yield* wait(() => {
          waits.resolve();
          return () => rested.promise.then(() => log.push('rests'));
        }, 'for ever');
        log.push('went on');
      } finally {
        log.push('left');
      }
      log.push('went on');
    }
    return { op, waits: waits.promise, rest: rested.resolve };
  }

  it.each(['without a task', 'in a task'])('is waited for, %s, and nobody goes on', async (where) => {
    const log: string[] = [];
    const { op, waits, rest } = slow(log);
    const { going, ended } = start(function* () {
      if (where === 'in a task') yield* sleep(0);
      yield* inOwnScope(op);
      log.push('went on');
    });
    await waits;
    going.halt();
    await Promise.resolve();
    expect(log).toEqual([]);
    rest();
    expect(await ended).toBe('halted');
    expect(log).toEqual(['rests', 'left']);
  });

  it('is waited for where its scope ends', async () => {
    const log: string[] = [];
    const { op, rest } = slow(log);
    const { destroy, ended } = start(op);
    const destroyed = destroy();
    setImmediate(rest);
    await destroyed;
    expect(log).toEqual(['rests', 'left']);
    expect(await ended).toBe('halted');
  });

  it.each(['without a task', 'in a task'])(
    'is waited for when it was given something, too: %s',
    async (where) => {
      const log: string[] = [];
      const { ended } = start(function* () {
        if (where === 'in a task') yield* sleep(0);
        yield* wait<void>((resolve) => {
          queueMicrotask(resolve);
          return () => new Promise<void>((rests) => setImmediate(rests)).then(() => log.push('rests'));
        }, 'a moment');
        log.push('went on');
      });
      await ended;
      expect(log).toEqual(['rests', 'went on']);
    },
  );
});

describe('contexts that an operation puts in', () => {
  function* read(): Operation<unknown> {
    return yield* contextHere(Mine);
  }

  it('stand over those of its place, also where it becomes a task', async () => {
    const { scope, ended } = start(function* () {
      const before = yield* read();
      yield* putContexts((into) => into.set(Mine, 'its own'));
      const waiting = [yield* read(), (yield* here()).contexts !== undefined];
      yield* sleep(0);
      const inner = yield* useScope();
      return [before, ...waiting, yield* read(), inner.get(Mine)];
    });
    expect(await ended).toEqual(['of the place', 'its own', true, 'its own', 'its own']);
    expect(scope.get(Mine)).toBe('of the scope');
  });

  it('are there for its cleanup', async () => {
    const log: unknown[] = [];
    const { going, ended } = start(function* () {
      yield* putContexts((into) => into.set(Mine, 'its own'));
      try {
        yield* wait(() => () => {}, 'for ever');
      } finally {
        yield* sleep(0);
        log.push(yield* Mine.get());
      }
    });
    going.halt();
    await ended;
    expect(log).toEqual(['its own']);
  });

  it('are set as always in a task', async () => {
    const [scope] = createScope();
    const set = await scope.run(function* () {
      yield* putContexts((into) => into.set(Mine, 'its own'));
      return yield* Mine.get();
    });
    expect([set, scope.get(Mine)]).toEqual(['its own', undefined]);
  });
});
