import { all, type Operation } from 'effection';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keepAlive } from '#src/mcp/request/heartbeat.ts';
import type { Ask } from '#src/runtime/session/ask.ts';
import { eventLoopTurn } from '#src/runtime/time/event-loop.ts';
import { advance, type Ctx, row, said, tool, withManager } from '../runtime/session-kit.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

it(
  'a client hears that a call lives, what it waits for, and nothing while the tool reports',
  withManager(function* ({ manager, clock }) {
    const code = tool(function* (ctx: Ctx) {
      const question: Operation<unknown> = ctx.elicit('seat', { message: '?' });
      yield* all([ctx.sample({ prompt: '?' }), question]);
      for (;;) {
        yield* ctx.sleep(60_000);
        yield* ctx.notify('still at it');
      }
    });
    const session = yield* manager.create({ tool: code, params: {} });
    yield* eventLoopTurn();
    expect(session.openAsks()).toHaveLength(2);
    const heard: unknown[] = [];
    const beat = (ask?: Ask) => void heard.push(ask?.kind);
    const stop = keepAlive(session, { every: 1_000, tellsAtOnce: () => false, beat });
    for (const answered of ['elicit-1', 'sample-1', undefined]) {
      vi.advanceTimersByTime(1_000);
      if (answered) session.respond(answered, answered === 'sample-1' ? said('yes') : row(1));
      yield* eventLoopTurn();
    }
    expect(heard).toEqual(['elicit', 'sample', undefined]);
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
