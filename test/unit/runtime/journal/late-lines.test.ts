import { run, until } from 'effection';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Append, CallStore } from '#src/runtime/journal/call-store.ts';
import type { JournalLine } from '#src/runtime/journal/lines.ts';
import { ClaimedCall } from '#src/runtime/manager/claimed-call.ts';
import { createMemoryStore } from '#src/stores/index.ts';

const name = { principal: 'ann', conversation: '', callId: 'a' };
const answer = (id: string): JournalLine => ({ t: 'answer', id, answer: 'yes', ms: 0 });
const step: JournalLine = { t: 'step', id: 'step-1', name: 'pay', depth: 0, attempt: 1, ms: 0 };
const first = { notes: { opened: true } };

let store: CallStore;
let appends: Append[];
let fails: boolean;
let held: ClaimedCall;
/** What a release waits for. */
let release: Promise<void> | undefined;

beforeEach(async () => {
  const kept = createMemoryStore();
  appends = [];
  fails = false;
  release = undefined;
  store = new Proxy(kept, {
    get(target, operation: keyof CallStore) {
      if (operation !== 'append') return target[operation]?.bind(target);
      return function* (...given: Parameters<CallStore['append']>) {
        if (fails) throw new Error('it is away');
        appends.push(given[1]);
        if (given[1].release && release) yield* until(release);
        yield* target.append(...given);
      };
    },
  });
  const claim = await run(() => store.begin({ name, header: {} }));
  held = new ClaimedCall(store, claim, 0, { late: true, first });
});

const kept = () => run(() => store.read(name));
const defer = (line: JournalLine) => held.sink.defer?.(line);

test('lines of a call of which nobody sees anything yet are written with what gives it back', async () => {
  expect([defer(answer('elicit-1')), defer(answer('elicit-2'))]).toEqual([true, true]);
  expect(appends).toEqual([]);
  await run(() => held.leave({ notes: { ticket: 1 } }));
  expect(appends).toHaveLength(1);
  expect(await kept()).toMatchObject({ lineCount: 2, notes: { ticket: 1 }, held: false });
});

test('a step is written before it runs, behind all that came before', async () => {
  defer(answer('elicit-1'));
  expect(defer(step)).toBe(false);
  await run(() => held.sink.append([step], 1));
  expect(await kept()).toMatchObject({ lines: [answer('elicit-1'), step], notes: first.notes, held: true });
  defer(answer('elicit-2'));
  await run(() => held.leave({}));
  expect((await kept())?.lines).toEqual([answer('elicit-1'), step, answer('elicit-2')]);
});

test('what could not be written is not written by others, but what waited before it is', async () => {
  defer(answer('elicit-1'));
  fails = true;
  await expect(run(() => held.sink.append([step], 1))).rejects.toThrow('it is away');
  fails = false;
  await run(() => held.append({ notes: { seen: true } }));
  expect((await kept())?.lines).toEqual([answer('elicit-1')]);
  await run(() => held.sink.append([step], 1));
  expect((await kept())?.lines).toEqual([answer('elicit-1'), step]);
});

test('where the call goes on for long they wait no longer, and from there on none do', async () => {
  defer(answer('elicit-1'));
  const manager = {
    *release() {
      return true;
    },
  };
  const stop = held.keepUp({ manager, report() {}, run });
  try {
    await expect.poll(kept, { timeout: 60_000 }).toMatchObject({ lineCount: 1, held: true });
    expect(defer(answer('elicit-2'))).toBe(false);
  } finally {
    stop();
  }
});

test('a call that is being left is not kept up: what was written first would count again', async () => {
  defer(answer('elicit-1'));
  const { promise, resolve: go } = Promise.withResolvers<void>();
  release = promise;
  const released = vi.fn(function* () {
    return true;
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const stop = held.keepUp({ manager: { release: released }, report() {}, run });
  const left = run(() => held.leave({ notes: { ticket: 1 } }));
  // Longer than lines wait at most.
  await vi.advanceTimersByTimeAsync(1_000);
  go();
  await left;
  stop();
  expect(appends).toHaveLength(1);
  expect(released).not.toHaveBeenCalled();
  expect(await kept()).toMatchObject({ lineCount: 1, notes: { ticket: 1 }, held: false });
});
