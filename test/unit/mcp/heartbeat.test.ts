import { all, type Operation } from 'effection';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keepAlive } from '#src/mcp/request/heartbeat.ts';
import { eventLoopTurn } from '#src/runtime/time/event-loop.ts';
import { advance, type Ctx, row, said, tool, withManager } from '../runtime/session-kit.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

it(
  'a client hears that a call lives, whether anything is asked, and nothing while the tool reports',
  withManager(function* ({ manager, clock }) {
    const code = tool(function* (ctx: Ctx) {
      const question: Operation<unknown> = ctx.elicit('seat', { message: '?' });
      yield* all([question, ctx.sample({ prompt: '?' })]);
      for (;;) {
        yield* ctx.sleep(60_000);
        yield* ctx.notify('still at it');
      }
    });
    const session = yield* manager.create({ tool: code, params: {} });
    yield* eventLoopTurn();
    expect(session.openAsks()).toHaveLength(2);
    const heard: boolean[] = [];
    const beat = (waits: boolean) => void heard.push(waits);
    const stop = keepAlive(session, { every: 1_000, tellsAtOnce: () => false, beat });
    for (const answered of ['sample-1', 'elicit-1', undefined]) {
      vi.advanceTimersByTime(1_000);
      if (answered) session.respond(answered, answered === 'sample-1' ? said('yes') : row(1));
      yield* eventLoopTurn();
    }
    expect(heard).toEqual([true, true, false]);
    for (let reported = 0; reported < 3; reported++) {
      vi.advanceTimersByTime(900);
      yield* advance(clock, 60_000);
    }
    expect(heard).toHaveLength(3);
    stop();
    vi.advanceTimersByTime(5_000);
    expect(heard).toHaveLength(3);
    yield* session.abort();
  }),
);
