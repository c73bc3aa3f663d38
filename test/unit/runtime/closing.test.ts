import { run } from 'effection';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import { eventLoopTurn } from '#src/runtime/time/event-loop.ts';
import { tool } from './session-kit.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('a manager that is closed while calls wait that are kept for their callers leaves no timer', async () => {
  const asks = tool((ctx) => ctx.elicit('seat', { message: 'Which row?' }));
  const closed = run(function* () {
    const manager = yield* createSessionManager();
    const session = yield* manager.create({ tool: asks, params: {}, retain: true });
    while (session.openAsks().length === 0) yield* eventLoopTurn();
    return session;
  });
  // Long enough for what is only put off.
  await vi.advanceTimersByTimeAsync(60_000);
  expect((await closed).ended()).toMatchObject({ type: 'aborted' });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(vi.getTimerCount()).toBe(0);
});
