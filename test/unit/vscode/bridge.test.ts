import { createScope, ensure, run, type Scope, sleep, spawn, suspend } from 'effection';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CancellationToken, Event } from 'vscode';
import {
  createEdge,
  fromThenable,
  HaltedError,
  nextOf,
  start,
  streamOf,
  untilCancelled,
  useBoundary,
  useCancellation,
  useDisposable,
  useListener,
} from '#src/vscode/bridge.ts';

/** VS Code's emitter, as far as its typings go. */
class Emitter<T> {
  readonly listeners = new Set<(value: T) => void>();
  readonly event: Event<T> = (listener) => {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  };
  fire(value: T): void {
    for (const listener of [...this.listeners]) listener(value);
  }
}

class TokenSource {
  readonly emitter = new Emitter<void>();
  disposed = false;
  readonly token: CancellationToken = {
    isCancellationRequested: false,
    onCancellationRequested: this.emitter
      .event as Event<unknown> as CancellationToken['onCancellationRequested'],
  };
  cancel(): void {
    this.token.isCancellationRequested = true;
    this.emitter.fire();
  }
  dispose(): void {
    this.disposed = true;
  }
}

let scope: Scope;
let destroy: () => PromiseLike<void>;
let reports: string[];
const report = (what: string, error: unknown) => {
  reports.push(`${what}: ${(error as Error).message}`);
};

beforeEach(() => {
  [scope, destroy] = createScope();
  reports = [];
});

afterEach(async () => {
  await destroy();
});

describe('disposables', () => {
  it('are disposed when their owner returns, fails or is halted', async () => {
    const disposed: string[] = [];
    const thing = (name: string) => () => ({ dispose: () => disposed.push(name) });
    await run(function* () {
      yield* useDisposable(thing('returned'));
    });
    await expect(
      run(function* () {
        yield* useDisposable(thing('failed'));
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    const task = run(function* () {
      yield* useDisposable(thing('halted'));
      yield* suspend();
    });
    expect(disposed).toEqual(['returned', 'failed']);
    await task.halt();
    expect(disposed).toEqual(['returned', 'failed', 'halted']);
  });

  it('are disposed in reverse order', async () => {
    const disposed: number[] = [];
    await run(function* () {
      for (const at of [1, 2, 3]) yield* useDisposable(() => ({ dispose: () => disposed.push(at) }));
    });
    expect(disposed).toEqual([3, 2, 1]);
  });
});

describe('events', () => {
  it('are listened to for as long as the owner lives', async () => {
    const emitter = new Emitter<number>();
    const heard: number[] = [];
    const task = run(function* () {
      yield* useListener(emitter.event, (value) => heard.push(value));
      yield* suspend();
    });
    emitter.fire(1);
    await task.halt();
    emitter.fire(2);
    expect(heard).toEqual([1]);
    expect(emitter.listeners.size).toBe(0);
  });

  it('give their next accepted value, and a throwing filter fails the wait', async () => {
    const emitter = new Emitter<number>();
    const even = run(() => nextOf(emitter.event, (value) => value % 2 === 0));
    emitter.fire(1);
    emitter.fire(2);
    expect(await even).toBe(2);
    const broken = run(() =>
      nextOf(emitter.event, () => {
        throw new Error('filter');
      }),
    );
    emitter.fire(3);
    await expect(broken).rejects.toThrow('filter');
    expect(emitter.listeners.size).toBe(0);
  });

  it('keep values for a subscriber that is busy', async () => {
    const emitter = new Emitter<number>();
    const task = run(function* () {
      const subscription = yield* streamOf(emitter.event);
      const seen: number[] = [];
      while (seen.length < 3) {
        const next = yield* subscription.next();
        if (!next.done) seen.push(next.value);
        yield* sleep(0);
      }
      return seen;
    });
    for (const value of [1, 2, 3]) emitter.fire(value);
    expect(await task).toEqual([1, 2, 3]);
    expect(emitter.listeners.size).toBe(0);
  });
});

describe('tokens', () => {
  it('are cancelled and disposed when their owner is halted', async () => {
    const sources: TokenSource[] = [];
    class Source extends TokenSource {
      constructor() {
        super();
        sources.push(this);
      }
    }
    const task = run(function* () {
      yield* useCancellation(Source as never);
      yield* suspend();
    });
    expect(sources[0]?.token.isCancellationRequested).toBe(false);
    await task.halt();
    expect(sources[0]?.token.isCancellationRequested).toBe(true);
    expect(sources[0]?.disposed).toBe(true);
  });

  it('wake those who wait for them, also when cancelled before', async () => {
    const source = new TokenSource();
    const waiting = run(() => untilCancelled(source.token));
    source.cancel();
    await waiting;
    await run(() => untilCancelled(source.token));
    expect(source.emitter.listeners.size).toBe(0);
  });
});

describe('thenables', () => {
  it('resolve to their value and throw their reason', async () => {
    // biome-ignore lint/suspicious/noThenProperty: a thenable that is no promise is what VS Code hands out.
    const thenable = { then: (ok: (value: number) => void) => void ok(7) } as unknown as PromiseLike<number>;
    expect(await run(() => fromThenable(thenable))).toBe(7);
    await expect(run(() => fromThenable(Promise.reject(new Error('late'))))).rejects.toThrow('late');
  });
});

describe('start', () => {
  it('keeps a failure in the outcome and leaves the owner alive', async () => {
    const owner = scope.run(function* () {
      yield* suspend();
    });
    const failing = start(scope, function* () {
      yield* spawn(function* () {
        throw new Error('child');
      });
      yield* suspend();
    });
    const outcome = await failing.outcome;
    expect(outcome.type).toBe('failed');
    const other = start(scope, function* () {
      return 'fine';
    });
    expect(await other.outcome).toEqual({ type: 'done', value: 'fine' });
    await owner.halt();
  });

  it('halts with cleanup awaited', async () => {
    let clean = false;
    const running = start(scope, function* () {
      yield* ensure(function* () {
        yield* sleep(1);
        clean = true;
      });
      yield* suspend();
    });
    await running.halt();
    expect(clean).toBe(true);
    expect(await running.outcome).toEqual({ type: 'halted' });
  });
});

describe('an edge', () => {
  it('reports a failure that nobody awaits', async () => {
    const edge = createEdge(scope, report);
    await edge.fork('a request that VS Code cancels, as it does when a window closes', function* () {
      throw Object.assign(new Error('Canceled'), { name: 'Canceled' });
    }).outcome;
    await edge.fork('reveal', function* () {
      throw new Error('gone');
    }).outcome;
    expect(reports).toEqual(['reveal: gone']);
  });

  it('does not report a halt', async () => {
    const edge = createEdge(scope, report);
    const running = edge.fork('wait', suspend);
    await destroy();
    expect(await running.outcome).toEqual({ type: 'halted' });
    expect(reports).toEqual([]);
  });

  it('halts the operation of a cancelled token and rejects as VS Code expects', async () => {
    const edge = createEdge(scope, report);
    const source = new TokenSource();
    let halted = false;
    const promise = edge.promise(function* () {
      try {
        yield* suspend();
      } finally {
        halted = true;
      }
    }, source.token);
    source.cancel();
    await expect(promise).rejects.toMatchObject({ name: 'Canceled' });
    expect(halted).toBe(true);
    expect(source.emitter.listeners.size).toBe(0);
    await expect(edge.promise(suspend, source.token)).rejects.toBeInstanceOf(HaltedError);
  });

  it('hands failures of a promise to its caller and to nobody else', async () => {
    const edge = createEdge(scope, report);
    await expect(
      edge.promise(function* () {
        throw new Error('mine');
      }),
    ).rejects.toThrow('mine');
    expect(reports).toEqual([]);
  });

  it('keeps a throwing listener away from the editor', () => {
    const edge = createEdge(scope, report);
    edge.guard('change', () => {
      throw new Error('listener');
    })();
    expect(reports).toEqual(['change: listener']);
  });
});

describe('a boundary', () => {
  it('lets the others live when one fails at once, later, or not at all', async () => {
    const failures: string[] = [];
    const log: string[] = [];
    let explode = () => {};
    const main = start(scope, function* () {
      const failed = (error: unknown) => void failures.push((error as Error).message);
      yield* useBoundary(function* () {
        throw new Error('at once');
      }, failed);
      yield* useBoundary(function* () {
        yield* useDisposable(() => ({ dispose: () => log.push('cleaned') }));
        yield* spawn(function* () {
          yield* fromThenable(new Promise<void>((_, reject) => (explode = () => reject(new Error('later')))));
        });
      }, failed);
      yield* useBoundary(function* () {
        yield* useDisposable(() => ({ dispose: () => log.push('last') }));
      }, failed);
      log.push('ready');
      yield* suspend();
    });
    expect(failures).toEqual(['at once']);
    expect(log).toEqual(['ready']);
    explode();
    await vi.waitFor(() => expect(failures).toEqual(['at once', 'later']));
    expect(log).toEqual(['ready', 'cleaned']);
    await main.halt();
    expect(log).toEqual(['ready', 'cleaned', 'last']);
  });
});
