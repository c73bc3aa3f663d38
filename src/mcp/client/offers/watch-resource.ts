import type { Client } from '@modelcontextprotocol/client';
import { action, ensure, type Operation, race, scoped, sleep, suspend, until } from 'effection';
import type { ServerConnection } from '../server-connection.ts';

/** Between a subscription that the server has ended and the next one. Milliseconds. */
const PAUSE = 5_000;

/**
 * Is subscribed to a resource of a server for as long as the caller lives, through all lives of its connection. After each gap `changed`
 * is called: nobody has said what changed meanwhile. Never connects by itself.
 *
 * @throws what a server says that refuses the first subscription
 */
export function* watchResource(
  connection: ServerConnection,
  uri: string,
  changed: () => void,
): Operation<never> {
  yield* ensure(
    connection.onUpdated((updated) => {
      if (updated === uri) changed();
    }),
  );
  let was = false;
  const begun = () => {
    if (was) changed();
    was = true;
  };
  for (;;) {
    yield* when(connection, () => connection.connected() !== undefined);
    const client = connection.connected();
    if (!client) continue;
    const isOver = () => connection.connected() !== client;
    try {
      yield* race([scoped(() => subscribed(client, uri, begun)), when(connection, isOver)]);
    } catch (error) {
      if (!(was || isOver())) throw error;
    }
    if (!isOver()) yield* race([sleep(PAUSE), when(connection, isOver)]);
  }
}

/** Subscribes once, until the server ends it. Nothing waits for the end to be heard: the server may be gone. */
function* subscribed(client: Client, uri: string, begun: () => void): Operation<void> {
  if (client.getServerCapabilities()?.resources?.subscribe !== true) return yield* suspend();
  if (client.getProtocolEra() !== 'modern') {
    yield* ensure(() => void client.unsubscribeResource({ uri }).catch(() => {}));
    yield* until(client.subscribeResource({ uri }));
    begun();
    return yield* suspend();
  }
  const listening = client.listen({ resourceSubscriptions: [uri] });
  yield* ensure(
    () =>
      void listening.then(
        (subscription) => subscription.close().catch(() => {}),
        () => {},
      ),
  );
  const subscription = yield* until(listening);
  begun();
  yield* until(subscription.closed);
}

/** Waits until this holds. */
function when(connection: Pick<ServerConnection, 'subscribe'>, holds: () => boolean): Operation<void> {
  return action((resolve) => {
    const look = () => {
      if (holds()) resolve();
    };
    const stop = connection.subscribe(look);
    look();
    return stop;
  });
}
