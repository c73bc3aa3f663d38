import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'effection';
import { expect, onTestFinished, test } from 'vitest';
import { defined } from '#src/core/schema/defined.ts';
import { createFilesStore } from '#src/stores/index.ts';
import { newCall, storeContract } from '../contract/contract.ts';

let asked = 0;
const hurries: readonly [name: string, inHurry: (() => boolean) | undefined][] = [
  ['the files store', undefined],
  ['the files store in a hurry', () => true],
  // It begins to hurry, and ends to, in the middle of anything.
  ['the files store in a hurry every other time', () => asked++ % 2 === 0],
];

for (const [name, inHurry] of hurries) {
  storeContract(name, async ({ bounds, now }) => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-calls-'));
    const options = { folder, keys: [randomBytes(32)], now, ...defined({ bounds, inHurry }) };
    return {
      first: createFilesStore(options),
      second: createFilesStore(options),
      close: () => rm(folder, { recursive: true }),
    };
  });
}

test('who is in a hurry lists calls, claims them and reads their events within one turn of the event loop', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-calls-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const keys = [randomBytes(32)];
  const calls = Array.from({ length: 50 }, (_, n) => `call ${n}`);
  await run(function* () {
    const store = createFilesStore({ folder, keys });
    for (const callId of calls) {
      const claim = yield* store.begin(newCall(callId));
      yield* store.appendEvents(claim, { events: [callId] });
      yield* store.release(claim);
    }
  });

  const next = createFilesStore({ folder, keys, inHurry: () => true });
  let turns = 0;
  const turn = setInterval(() => turns++, 0);
  onTestFinished(() => clearInterval(turn));
  const found = await run(function* () {
    const events: unknown[] = [];
    for (const { name } of yield* next.list({ ended: false, likely: true })) {
      if ((yield* next.claim(name)).type === 'claimed') events.push(...(yield* next.readEvents(name)));
    }
    return { events, turns };
  });
  expect(new Set(found.events)).toEqual(new Set(calls));
  expect(found.turns).toBe(0);
});
