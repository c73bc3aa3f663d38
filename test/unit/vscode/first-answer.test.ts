import { run, sleep, spawn, withResolvers } from 'effection';
import { expect, test } from 'vitest';
import { createFirstAnswer } from '#src/vscode/calls/list/first-answer.ts';

const NEVER = 1_000_000;

test('a first answer waits until it is known what there is, however often it is asked for, and no later one does', async () => {
  await run(function* () {
    const known = withResolvers<void>();
    const first = createFirstAnswer(() => known.operation, NEVER);
    expect(first.isAwaited).toBe(false);
    let answered = 0;
    const asked = [];
    for (let n = 0; n < 2; n++) {
      asked.push(
        yield* spawn(function* () {
          yield* first.ready();
          answered += 1;
        }),
      );
    }
    yield* sleep(0);
    expect(first.isAwaited).toBe(true);
    expect(answered).toBe(0);

    known.resolve();
    for (const one of asked) yield* one;
    expect(first.isAwaited).toBe(false);
    expect(answered).toBe(2);
    yield* first.ready();
    expect(first.isAwaited).toBe(false);
  });
});

test('a first answer waits no longer than it may, and is over when nobody waits for it any more', async () => {
  await run(function* () {
    const { operation: never } = withResolvers<void>();
    const patient = createFirstAnswer(() => never, 1);
    yield* patient.ready();
    expect(patient.isAwaited).toBe(false);

    const left = createFirstAnswer(() => never, NEVER);
    const task = yield* spawn(left.ready);
    yield* sleep(0);
    yield* task.halt();
    expect(left.isAwaited).toBe(false);
  });
});
