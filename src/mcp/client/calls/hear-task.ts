import type { SubscriptionFilter } from '@modelcontextprotocol/client';
import { ensure, type Operation, resource, spawn, until, useAbortSignal } from 'effection';
import type { Bell } from './bell.ts';
import type { ForeignLine } from './line.ts';

/** What a server says of one task without being asked. */
export interface HeardTask {
  /** Whether the server has taken it upon itself to tell, and does: it need not be asked often. */
  isTold(): boolean;
}

/**
 * Hears of a task for as long as the caller lives: in 2025-11-25 whatever its server likes to tell, in 2026-07-28 what it is asked to
 * tell. A server that knows nothing of that is asked how the task stands as before.
 *
 * @param bell rung with each news: how the task stands is asked then, so news that come late, twice or made up do no harm
 */
export function hearTask({ client, calls }: ForeignLine, taskId: string, bell: Bell): Operation<HeardTask> {
  return resource(function* (provide) {
    const isAsked = client.getProtocolEra() === 'modern';
    let subscription: 'none' | 'asked' | 'open' = isAsked ? 'asked' : 'none';
    let heard = false;
    yield* ensure(
      calls.onTask((told) => {
        // A server of 2026-07-28 may tell what it was asked to tell.
        if (told !== taskId || (isAsked && subscription === 'none')) return;
        heard = true;
        bell.ring();
      }),
    );
    if (isAsked) {
      yield* spawn(function* () {
        // The filter is open to extensions, the SDK's type of it is not.
        const filter: SubscriptionFilter & { readonly taskIds: readonly string[] } = { taskIds: [taskId] };
        try {
          const { closed } = yield* until(client.listen(filter, { signal: yield* useAbortSignal() }));
          subscription = 'open';
          yield* until(closed);
        } catch {
          // It tells nothing.
        }
        // What happened since it spoke last is told by nobody.
        if (subscription === 'open') bell.ring();
        subscription = 'none';
      });
    }
    yield* provide({ isTold: () => subscription === 'open' && heard });
  });
}
