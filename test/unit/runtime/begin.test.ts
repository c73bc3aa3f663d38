import { type Operation, run, sleep, spawn, suspend, useScope } from 'effection';
import { describe, expect, it } from 'vitest';
import { begin } from '#src/runtime/taskless/begin.ts';

describe('beginning an operation', () => {
  it('runs it to its end when that comes before the first effect', () => {
    const log: string[] = [];
    const begun = begin(function* () {
      log.push('ran');
      return 5;
    });
    expect(begun).toEqual({ done: true, result: { ok: true, value: 5 } });
    expect(log).toEqual(['ran']);
  });

  it('tells what it throws, also before its first line', () => {
    const boom = new Error('boom');
    const throwing = begin(function* () {
      throw boom;
    });
    const broken = begin((): Operation<void> => {
      throw boom;
    });
    for (const begun of [throwing, broken]) {
      expect(begun).toMatchObject({ done: true, result: { ok: false, error: boom } });
    }
  });

  it('leaves the rest as an operation: values, errors and scopes are those of whoever runs it', async () => {
    const log: string[] = [];
    const begun = begin(function* () {
      log.push('first');
      const scope = yield* useScope();
      try {
        yield* sleep(0);
        log.push('second');
        throw new Error('inside');
      } catch (error) {
        log.push((error as Error).message);
      }
      return scope;
    });
    if (begun.done) throw new Error('it has effects');
    expect(log).toEqual(['first']);
    expect(begun.taken()).toBe(false);
    const [same, inner] = await run(function* () {
      const task = yield* spawn(function* () {
        const outer = yield* useScope();
        return [outer, yield* begun.rest];
      });
      return yield* task;
    });
    expect(same).toBe(inner);
    expect(begun.taken()).toBe(true);
    expect(log).toEqual(['first', 'second', 'inside']);
  });

  it('can be halted where it stands, and where it has come to', async () => {
    for (const turns of [0, 2]) {
      const log: string[] = [];
      const begun = begin(function* () {
        try {
          for (let turn = 0; turn < turns; turn++) yield* sleep(0);
          yield* suspend();
        } finally {
          log.push('cleaned up');
        }
      });
      if (begun.done) throw new Error('it has effects');
      const task = run(() => begun.rest);
      task.catch(() => {});
      for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
      await task.halt();
      expect(log).toEqual(['cleaned up']);
    }
  });

  it('can be closed when nobody takes the rest up, with cleanup that takes its time', async () => {
    const log: string[] = [];
    const begun = begin(function* () {
      try {
        yield* suspend();
        log.push('went on');
      } finally {
        log.push('closing');
        yield* sleep(0);
        log.push('closed');
      }
    });
    if (begun.done) throw new Error('it has effects');
    await run(() => begun.close);
    expect(begun.taken()).toBe(true);
    expect(log).toEqual(['closing', 'closed']);
  });
});
