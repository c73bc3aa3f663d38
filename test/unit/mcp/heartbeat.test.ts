import { all, type Operation } from 'effection';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keepAlive } from '#src/mcp/request/heartbeat.ts';
import { eventLoopTurn } from '#src/runtime/time/event-loop.ts';
import { type Ctx, row, said, tool, withManager } from '../runtime/session-kit.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

it(
  'a client hears that a call lives while anything is asked, and no longer',
  withManager(function* ({ manager }) {
    const code = tool(function* (ctx: Ctx) {
      const question: Operation<unknown> = ctx.elicit('seat', { message: '?' });
      yield* all([question, ctx.sample({ prompt: '?' })]);
      yield* ctx.sleep(60_000);
    });
    const session = yield* manager.create({ tool: code, params: {} });
    yield* eventLoopTurn();
    expect(session.openAsks()).toHaveLength(2);
    let beats = 0;
    const stop = keepAlive(session, { every: 1_000, tellsAtOnce: () => false, beat: () => void beats++ });
    const heard: number[] = [];
    for (const answered of ['sample-1', 'elicit-1', undefined]) {
      vi.advanceTimersByTime(1_000);
      heard.push(beats);
      if (answered) session.respond(answered, answered === 'sample-1' ? said('yes') : row(1));
      yield* eventLoopTurn();
    }
    expect(heard).toEqual([1, 2, 2]);
    stop();
    yield* session.abort();
  }),
);
