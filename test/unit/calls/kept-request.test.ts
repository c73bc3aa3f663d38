import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { run, suspend } from 'effection';
import { expect, it } from 'vitest';
import type { CallBeginning } from '#src/calls/port.ts';
import { type CallRig, callRig, leg, plain } from './call-rig.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

it('a call that waits keeps what its rounds are bound to, and nothing of who began it', {
  timeout: 120_000,
}, async () => {
  const started = Promise.withResolvers<CallRig>();
  const life = run(function* () {
    started.resolve(yield* callRig());
    yield* suspend();
  });
  const rig = await started.promise;
  const beginning = await begun(rig);
  const deadline = Date.now() + 60_000;
  do {
    // A look keeps it for the rest of its turn: collecting has one of its own.
    await delay(1);
    collect();
    await delay(1);
  } while (beginning.deref() && Date.now() < deadline);
  expect(beginning.deref()).toBeUndefined();
  const [waits] = await run(() => rig.calls.list());
  expect(waits).toMatchObject({ status: 'waiting', pinned: true, round: expect.any(String) });
  await life.halt();
});

/** Begins one call, and gives who began it, whom nobody here holds from then on. */
async function begun({ calls, beginning }: CallRig): Promise<WeakRef<CallBeginning>> {
  const made = beginning(plain);
  await run(() => calls.start(made, leg('', {})));
  return new WeakRef(made);
}
