import type { Client, SubscriptionFilter } from '@modelcontextprotocol/client';
import * as z from 'zod';
import { TASK_STATUS_2025 } from '../../tasks/wire-2025.ts';
import { TASK_STATUS_2026 } from '../../tasks/wire-2026.ts';
import type { Bell } from './bell.ts';

/** What a server says of one task without being asked. */
export interface HeardTask {
  /** Whether the server has taken it upon itself to tell, and does: it need not be asked often. */
  isTold(): boolean;
  close(): void;
}

type Ears = Map<string, Set<() => void>>;

/** A client has one handler for a method, whatever the number of its tasks. */
const clients = new WeakMap<Client, Ears>();

/**
 * Hears of a task until it is closed: in 2025-11-25 whatever its server likes to tell, in 2026-07-28 what it is asked to tell. A server
 * that knows nothing of that is asked how the task stands as before.
 *
 * @param bell rung with each news: how the task stands is asked then, so news that come late, twice or made up do no harm
 */
export function hearTask(client: Client, taskId: string, bell: Bell): HeardTask {
  const isAsked = client.getProtocolEra() === 'modern';
  let subscription: 'none' | 'asked' | 'open' = isAsked ? 'asked' : 'none';
  let heard = false;
  const stopHearing = listenFor(client, taskId, () => {
    // A server of 2026-07-28 may tell what it was asked to tell.
    if (isAsked && subscription === 'none') return;
    heard = true;
    bell.ring();
  });
  const stop = new AbortController();
  if (isAsked) {
    // The filter is open to extensions, the SDK's type of it is not.
    const filter: SubscriptionFilter & { readonly taskIds: readonly string[] } = { taskIds: [taskId] };
    client
      .listen(filter, { signal: stop.signal })
      .then(({ closed }) => {
        subscription = 'open';
        return closed;
      })
      .catch(() => {})
      .finally(() => {
        // What happened since it spoke last is told by nobody.
        if (subscription === 'open') bell.ring();
        subscription = 'none';
      });
  }
  return {
    isTold: () => subscription === 'open' && heard,
    close() {
      stopHearing();
      stop.abort(new Error('its task is not followed any more'));
    },
  };
}

function listenFor(client: Client, taskId: string, tell: () => void): () => void {
  const ears = clients.get(client) ?? makeEars(client);
  const of = ears.get(taskId) ?? new Set();
  ears.set(taskId, of);
  of.add(tell);
  return () => {
    of.delete(tell);
    if (of.size === 0 && ears.get(taskId) === of) ears.delete(taskId);
  };
}

function makeEars(client: Client): Ears {
  const ears: Ears = new Map();
  clients.set(client, ears);
  const params = z.looseObject({ taskId: z.string() });
  for (const method of [TASK_STATUS_2025, TASK_STATUS_2026]) {
    client.setNotificationHandler(method, { params }, ({ taskId }) => {
      for (const tell of [...(ears.get(taskId) ?? [])]) tell();
    });
  }
  return ears;
}
