import type { Operation } from 'effection';
import { compose } from '../runtime/drive/compose.ts';
import type { Client } from '../runtime/session/client.ts';
import type { SessionEvent } from '../runtime/session/events.ts';
import type { ChatEvent } from './events.ts';
import { chatEventOf } from './follow.ts';
import { modelClient } from './model-client.ts';
import type { ChatEngineOptions } from './options.ts';

/**
 * The chat as the client of a call. Where the turn stays open, others answer all. Else it leaves every question to the person open: the
 * turn ends with it, and a later one brings the answer; everything else it answers, and it reports what the tool says.
 */
export function clientOf(
  callId: string,
  { waiting, model }: Pick<ChatEngineOptions, 'waiting' | 'model'>,
  emit: (event: ChatEvent) => Operation<void>,
): Client {
  if (waiting.mode === 'stay') return { name: 'the chat', capabilities: () => ({}), can: () => true };
  const own = modelClient(model);
  const client = waiting.client ? compose(waiting.client, own) : own;
  const { elicit: _laterOn, ...rest } = client;
  function* report(event: SessionEvent): Operation<void> {
    const shown = chatEventOf({ id: callId, toolName: '' }, event);
    if (shown) yield* emit(shown);
  }
  return {
    ...rest,
    name: `${client.name} (chat)`,
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
