import type { Operation } from 'effection';
import type { Ask } from '../session/ask.ts';
import { composeCapabilities } from '../session/capabilities.ts';
import type { Client } from '../session/client.ts';
import { observe } from './observe.ts';

/**
 * Several clients as one: each ask goes to the first that can answer it, logs and progress go to all. An external
 * client that cannot elicit or sample is completed this way by the editor.
 *
 * @example
 * const client = compose(mcpClient, panel, languageModel);
 */
export function compose(...clients: readonly Client[]): Client {
  const pick = (ask: Ask): Client | undefined => {
    const first = clients.find((client) => client.can(ask));
    return first?.pick ? first.pick(ask) : first;
  };
  function* tellAll(event: Parameters<typeof observe>[1]): Operation<void> {
    for (const client of clients) yield* observe(client, event);
  }
  return {
    name: clients.map(({ name }) => name).join(' + '),
    capabilities: () => composeCapabilities(clients.map((client) => client.capabilities())),
    can: (ask) => clients.some((client) => client.can(ask)),
    pick,
    ...(clients.some((client) => client.log) ? { log: tellAll } : {}),
    ...(clients.some((client) => client.notify) ? { notify: tellAll } : {}),
    ...(clients.some((client) => client.completed) ? { completed: tellAll } : {}),
  };
}
