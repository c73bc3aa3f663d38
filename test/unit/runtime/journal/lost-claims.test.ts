import { run, spawn } from 'effection';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { asJson } from '#src/mcp/wire/as-json.ts';
import type { CallName } from '#src/runtime/journal/call-store.ts';
import type { JournalHeader } from '#src/runtime/journal/lines.ts';
import { ClaimedCall } from '#src/runtime/manager/claimed-call.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import { RELEASED } from '#src/runtime/session/events.ts';
import { createMemoryStore } from '#src/stores/index.ts';
import { settle } from '../session-kit.ts';
import { type Ctx, durable } from './journal-kit.ts';

const asks = durable(function* (ctx: Ctx) {
  return yield* ctx.elicit.strict('seat', { message: 'Which row?' });
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it.each(['', 'the third chat'])(
  'the copy of who lost its claim is halted, in the conversation %j',
  async (conversation) => {
    const store = createMemoryStore();
    const session = { principal: 'ann', conversation, callId: 'a' };
    // A store may know it by less than the manager does.
    for (const kept of [session, { ...session, conversation: '' }]) {
      await run(function* () {
        const manager = yield* createSessionManager();
        let held: ClaimedCall | undefined;
        const call = yield* manager.create({
          ...session,
          tool: asks,
          params: {},
          *keep(header: JournalHeader) {
            const name: CallName = kept;
            held = new ClaimedCall(store, yield* store.begin({ name, header: asJson(header) }), 0);
            return held.sink;
          },
        });
        while (!(yield* store.read(kept))?.lineCount) yield* settle();
        if (!held) throw new Error('it is not kept');
        const renewing = yield* spawn(held.renewing.bind(held, { manager, session, report() {} }));
        yield* store.forget(kept);
        yield* settle();
        vi.advanceTimersByTime(10_000);
        yield* renewing;
        expect(call.ended()).toMatchObject({ type: 'aborted', reason: RELEASED });
      });
    }
  },
);
