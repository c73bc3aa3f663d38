import { action, type Operation, race } from 'effection';
import { McpDisconnectError } from '../../core/errors/call-errors.ts';
import { ClockContext } from '../../core/world/clock.ts';
import { isEnd } from '../../runtime/session/events.ts';
import type { Session } from '../../runtime/session/session.ts';

/** How long a call may go on without its client, milliseconds. */
const GRACE = 5_000;

/**
 * Ends a call whose client is gone. What it waits for fails with `McpDisconnectError`, so that its code can settle what
 * it has begun; a call that waits for nothing, or goes on for too long, is aborted.
 */
export function* disconnect(session: Session, client: string, reason: string): Operation<void> {
  const asks = session.openAsks();
  for (const { id } of asks) {
    // The one before may have taken it along.
    if (session.openAsks().some((open) => open.id === id))
      session.fail(id, new McpDisconnectError({ client }));
  }
  if (asks.length > 0) {
    const clock = yield* ClockContext.expect();
    yield* race([ended(session), clock.sleep(GRACE)]);
  }
  if (!session.ended()) yield* session.abort(reason);
}

/** Waits for the end of a call. */
export function ended(session: Session): Operation<void> {
  return action<void>((resolve) => {
    const stop = session.subscribe((event) => {
      if (isEnd(event)) resolve();
    });
    if (session.ended()) resolve();
    return stop;
  }, 'the end of a call');
}
