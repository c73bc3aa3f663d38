import { run, spawn } from 'effection';
import { expect, it } from 'vitest';
import { Mailbox } from '#src/mcp/apps/mailbox.ts';

it('gives what came since, in order, and again until it is asked for what follows', () =>
  run(function* () {
    const box = new Mailbox();
    box.post({ n: 1 });
    box.post({ n: 2 });
    expect(yield* box.poll(0, 0)).toEqual({ state: 'open', messages: [{ n: 1 }, { n: 2 }], at: 2 });
    // The answer was lost on its way.
    expect(yield* box.poll(0, 0)).toEqual({ state: 'open', messages: [{ n: 1 }, { n: 2 }], at: 2 });
    box.post({ n: 3 });
    expect(yield* box.poll(2, 0)).toEqual({ state: 'open', messages: [{ n: 3 }], at: 3 });
  }));

it('waits for the next message, and no longer than it may', () =>
  run(function* () {
    const box = new Mailbox();
    const polled = yield* spawn(() => box.poll(0, 60_000));
    box.post({ n: 1 });
    expect(yield* polled).toMatchObject({ messages: [{ n: 1 }] });
    expect(yield* box.poll(1, 1)).toEqual({ state: 'open', messages: [], at: 1 });
  }));

it('knows who asks for what it has forgotten', () =>
  run(function* () {
    const box = new Mailbox();
    box.post({ n: 1 });
    yield* box.poll(0, 0);
    expect(box.isBehind(0)).toBe(false);
    yield* box.poll(1, 0);
    expect([box.isBehind(0), box.isBehind(1)]).toEqual([true, false]);
  }));

it('says that it has ended, with the last messages', () =>
  run(function* () {
    const box = new Mailbox();
    box.post({ n: 1 });
    box.end();
    expect(yield* box.poll(0, 60_000)).toEqual({ state: 'ended', messages: [{ n: 1 }], at: 1 });
  }));

it('keeps a bounded number of messages for a page that does not ask', () =>
  run(function* () {
    const box = new Mailbox();
    const taken = Array.from({ length: 1_001 }, (_, n) => box.post({ n }));
    expect(taken.lastIndexOf(true)).toBe(999);
    expect(taken.at(-1)).toBe(false);
    expect(yield* box.poll(0, 0)).toMatchObject({ messages: [], at: 1_000 });
  }));

it('takes any cursor that a page may send', () =>
  run(function* () {
    const box = new Mailbox();
    box.post({ n: 1 });
    expect(yield* box.poll(99, 0)).toEqual({ state: 'open', messages: [], at: 1 });
    expect(yield* box.poll(0, 0)).toEqual({ state: 'open', messages: [], at: 1 });
  }));
