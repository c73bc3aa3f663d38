import { spawn } from 'effection';
import { expect, it } from 'vitest';
import { disconnect } from '#src/mcp/request/disconnect.ts';
import { eventLoopTurn } from '#src/runtime/time/event-loop.ts';
import { advance, type Ctx, endOf, tool, waits, withManager } from '../runtime/session-kit.ts';

/** Settles what it has begun when nobody answers, which takes so long. */
const settles = (milliseconds: number) =>
  tool(function* (ctx: Ctx) {
    try {
      yield* ctx.elicit('seat', { message: '?' });
    } catch (error) {
      yield* ctx.sleep(milliseconds);
      return (error as { code: string }).code;
    }
    return 'answered';
  });

it(
  'a call whose client is gone has time to settle what it has begun',
  withManager(function* ({ manager, clock }) {
    const session = yield* manager.create({ tool: settles(4_000), params: {} });
    const gone = yield* spawn(() => disconnect(session, 'Cursor', 'the client is gone'));
    yield* advance(clock, 4_001);
    yield* gone;
    expect(yield* endOf(session)).toMatchObject({ type: 'result', value: 'DISCONNECTED' });
  }),
);

it(
  'one that takes too long for that is aborted, and one that waits for nothing at once',
  withManager(function* ({ manager, clock }) {
    const slow = yield* manager.create({ tool: settles(60_000), params: {} });
    const gone = yield* spawn(() => disconnect(slow, 'Cursor', 'the client is gone'));
    yield* advance(clock, 4_999);
    expect(slow.ended()).toBeUndefined();
    yield* advance(clock, 2);
    yield* gone;
    expect(slow.ended()).toMatchObject({ type: 'aborted', reason: 'the client is gone' });
    const busy = yield* manager.create({ tool: tool(waits), params: {} });
    yield* eventLoopTurn();
    yield* disconnect(busy, 'Cursor', 'the client is gone');
    expect(busy.ended()).toMatchObject({ type: 'aborted' });
  }),
);
