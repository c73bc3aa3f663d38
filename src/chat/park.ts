import type { Operation } from 'effection';
import type { Client } from '../runtime/session/client.ts';
import type { SessionEvent } from '../runtime/session/events.ts';
import type { ChatEvent } from './events.ts';
import { chatEventOf } from './follow.ts';

/**
 * A client that leaves every question to the person open: the turn ends with it, and a later turn brings the answer.
 * Everything else it answers as `client` does, and reports what the tool says.
 */
export function parkableClient(
  client: Client,
  callId = '',
  emit?: (event: ChatEvent) => Operation<void>,
): Client {
  const { elicit: _parked, ...rest } = client;
  function* report(event: SessionEvent): Operation<void> {
    const shown = chatEventOf({ id: callId, toolName: '' }, event);
    if (emit && shown) yield* emit(shown);
  }
  return {
    ...rest,
    name: `${client.name} (parking)`,
    capabilities: () => ({ ...client.capabilities(), elicitation: { form: true, url: true } }),
    // A question is taken elsewhere: it can be answered, and no verb here does it.
    can: (ask) => ask.kind === 'elicit' || client.can(ask),
    pick: (ask) => (ask.kind === 'elicit' ? undefined : client.pick ? client.pick(ask) : client),
    *log(event) {
      yield* report(event);
      if (client.log) yield* client.log(event);
    },
    *notify(event) {
      yield* report(event);
      if (client.notify) yield* client.notify(event);
    },
  };
}
