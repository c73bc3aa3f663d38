import { ensure, run } from 'effection';
import { describe, expect, it } from 'vitest';
import { asJson } from '#src/mcp/wire/as-json.ts';
import { ClaimedCall } from '#src/runtime/manager/claimed-call.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import { createMemoryStore } from '#src/stores/index.ts';
import { LONG } from '#test/long.ts';
import { accept, settle } from '../session-kit.ts';
import { type Ctx, durable } from './journal-kit.ts';

const TIMES = LONG ? 1_000 : 100;
const name = { principal: '', conversation: '', callId: 'patient' };

describe('a call that is put away and taken up again, over and over', () => {
  it(`does its steps once and cleans up each time: ${TIMES} times`, async () => {
    const world: string[] = [];
    let open = 0;
    let cleanups = 0;
    const tool = durable(function* (ctx: Ctx) {
      open += 1;
      yield* ensure(function* () {
        open -= 1;
        cleanups += 1;
      });
      yield* ctx.step('book', () => void world.push('book'), { undo: () => void world.push('unbook') });
      const { row } = yield* ctx.elicit.strict('seat', { message: 'Which row?' });
      yield* ctx.step('pay', () => void world.push(`pay ${row}`));
      return row;
    });
    const store = createMemoryStore();
    await run(function* () {
      const manager = yield* createSessionManager();
      const begun = yield* manager.create({
        tool,
        params: {},
        callId: name.callId,
        *keep(header) {
          return new ClaimedCall(store, yield* store.begin({ name, header: asJson(header) }), 0).sink;
        },
      });
      while (begun.openAsks().length === 0) yield* settle();
      for (let time = 0; time < TIMES; time++) {
        expect(yield* manager.release(name)).toBe(true);
        expect([open, cleanups]).toEqual([0, time + 1]);
        // As another process does whose predecessor is dead.
        const kept = yield* store.read(name);
        if (!kept) throw new Error('the call is gone');
        yield* store.release({ name, fence: time + 1 });
        const outcome = yield* store.claim(name);
        if (outcome.type !== 'claimed') throw new Error(outcome.type);
        const { sink } = new ClaimedCall(store, outcome.claim, kept.lineCount);
        const { header, lines } = kept;
        const session = yield* manager.resume({ tool, journal: { header, lines }, sink });
        expect(session.openAsks()).toMatchObject([{ id: 'elicit-1', request: { message: 'Which row?' } }]);
      }
      // The journal says no more than it did at first: nothing is written for being put away.
      expect((yield* store.read(name))?.lineCount).toBeLessThan(10);
      const [session] = manager.listActive();
      if (!session) throw new Error('the call is gone');
      session.respond('elicit-1', accept({ row: 4 }));
      while (!session.ended()) yield* settle();
    });
    expect(world).toEqual(['book', 'pay 4']);
    expect(cleanups).toBe(TIMES + 1);
  }, 120_000);
});
