import { scoped } from 'effection';
import { expect, it } from 'vitest';
import { type Ctx, clientOf, tool, waits, withManager } from './session-kit.ts';

it(
  'a client that is attached counts until the scope ends that it is attached in',
  withManager(function* ({ manager }) {
    const code = tool((ctx: Ctx) => ctx.elicit('seat', { message: '?' }));
    const session = yield* manager.create({ tool: code, params: {} });
    const [ask] = session.openAsks();
    if (!ask) throw new Error('nothing is asked');
    const within = yield* scoped(function* () {
      const lease = yield* session.attach(clientOf({ elicit: waits }));
      return [session.canAnswer(ask), lease.claim(ask.id)];
    });
    expect(within).toEqual([true, true]);
    expect(session.canAnswer(ask)).toBe(false);
    yield* session.abort();
  }),
);
