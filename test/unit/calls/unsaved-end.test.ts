import { run } from 'effection';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { StoreUnavailableError } from '#src/core/errors/store-errors.ts';
import { createMcpTool } from '#src/core/index.ts';
import type { CallStore } from '#src/runtime/journal/call-store.ts';
import { createMemoryStore } from '#src/stores/index.ts';
import { callRig, leg } from './call-rig.ts';

const steps = createMcpTool('steps')
  .description('Does one thing')
  .parameters(z.object({}))
  .durable()
  .elicits({})
  .execute(function* (_, ctx) {
    return yield* ctx.step('once', function* () {
      return 'done';
    });
  });

/** Keeps all of a call but its end. */
function withoutEnds(): CallStore {
  const kept = createMemoryStore();
  return new Proxy(kept, {
    get(target, name: keyof CallStore) {
      if (name !== 'append') return target[name]?.bind(target);
      return function* (...[claim, what]: Parameters<CallStore['append']>) {
        if (what.ended) throw new StoreUnavailableError({ where: 'the store', problem: 'it is away.' });
        yield* kept.append(claim, what);
      };
    },
  });
}

it('a client without rounds hears how its call ended, also where that cannot be saved', async () => {
  await run(function* () {
    const told: string[] = [];
    const { calls, beginning } = yield* callRig({ store: withoutEnds(), report: (said) => told.push(said) });
    const ended = yield* calls.start(beginning(steps), { digest: '' });
    expect(ended).toMatchObject({ status: 'ended', end: { type: 'result', value: 'done' } });
    expect(told).toContain('the end of a call could not be saved');
  });
});

it('a client with rounds is refused where the end of its call cannot be saved: it comes back', async () => {
  await run(function* () {
    const { calls, beginning } = yield* callRig({ store: withoutEnds() });
    let refused: unknown;
    try {
      yield* calls.start(beginning(steps), leg('', {}));
    } catch (error) {
      refused = error;
    }
    expect(refused).toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });
});
