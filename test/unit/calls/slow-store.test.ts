import { run, sleep, until, useScope } from 'effection';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpTool } from '#src/core/index.ts';
import type { CallStore } from '#src/runtime/journal/call-store.ts';
import { ClaimedCall } from '#src/runtime/manager/claimed-call.ts';
import { eventLoopTurn } from '#src/runtime/time/event-loop.ts';
import { createMemoryStore } from '#src/stores/index.ts';
import { accept, callRig, leg } from './call-rig.ts';

const day = z.object({ text: z.string() });

/** Asks again just when what came in so far is written. */
const late = createMcpTool('late')
  .description('Asks twice')
  .parameters(z.object({}))
  .durable()
  .elicits({ first: day, second: day })
  .execute(function* (_, ctx) {
    yield* sleep(220);
    yield* ctx.elicit.strict('first', { message: 'First?' });
    yield* sleep(50);
    return (yield* ctx.elicit.strict('second', { message: 'Second?' })).text;
  });

it('a call that waits while its store is still about to keep it is begun there once', async () => {
  const kept = createMemoryStore();
  const store: CallStore = new Proxy(kept, {
    get(target, name: keyof CallStore) {
      if (name !== 'begin') return target[name]?.bind(target);
      return function* (call: Parameters<CallStore['begin']>[0]) {
        const claim = yield* kept.begin(call);
        yield* sleep(200);
        return claim;
      };
    },
  });
  await run(function* () {
    const { calls, beginning } = yield* callRig({ store });
    const answers = { first: accept({ text: 'a' }) };
    const waits = yield* calls.start(beginning(late), leg('', answers));
    expect(waits).toMatchObject({ status: 'waiting', asks: [{ wireKey: 'second' }] });
    expect(yield* kept.list()).toMatchObject([{ held: false, lineCount: 3 }]);
  });
});

it('a call that several write to before its store has it is begun there once', async () => {
  const kept = createMemoryStore();
  let begun = 0;
  const store: CallStore = new Proxy(kept, {
    get(target, name: keyof CallStore) {
      if (name !== 'begin') return target[name]?.bind(target);
      return function* (call: Parameters<CallStore['begin']>[0]) {
        begun += 1;
        yield* eventLoopTurn();
        return yield* kept.begin(call);
      };
    },
  });
  const name = { principal: 'ann', conversation: '', callId: 'one' };
  const held = new ClaimedCall(store, { name, header: { callId: 'one' } }, 0);
  await run(function* () {
    const scope = yield* useScope();
    // Requests have no task: each goes on in the turn in which what it waits for is there.
    const writes = ['a', 'b', 'c'].map((key) => scope.run(() => held.append({ notes: { [key]: key } })));
    yield* until(Promise.all(writes));
    expect(begun).toBe(1);
    expect(yield* kept.read(name)).toMatchObject({ notes: { a: 'a', b: 'b', c: 'c' } });
  });
});
