import type { Server } from '@modelcontextprotocol/server';
import { isObject } from '../../core/schema/is-object.ts';
import { stopReasons } from '../../panel-port/index.ts';
import { serveConnection } from '../apps/serve-connection.ts';
import type { Caller } from '../caller.ts';
import { notifying } from '../changes.ts';
import type { ServerParts } from '../host.ts';
import type { RequestEnding } from '../request/wire-request.ts';
import type { MessageTransport } from '../stdio/line-transport.ts';
import { ListeningOnChannel } from '../tasks/telling/listening-on-channel.ts';
import { isRequest, isResponse, type RpcId, type RpcMessage } from '../wire/rpc/json-rpc.ts';
import { shortRefusal } from '../wire/rpc/short-refusal.ts';
import { subscribedUris } from './http/http-2026.ts';
import type { ServerCalls } from './serve-call.ts';
import { createServer2026, type Sdk2026 } from './server.ts';

/** Serves the 2026 era on one channel without headers, until that closes. */
export function serve2026(
  sdk: Sdk2026,
  host: ServerParts,
  calls: ServerCalls,
  caller: Caller,
  channel: MessageTransport,
): void {
  const servers = new Set<Server>();
  const pages = serveConnection(host, caller);
  let ending: RequestEnding = { why: stopReasons.byClient };
  const watched = new Map<RpcId, readonly (() => void)[]>();

  const stop = host.changes.follow({
    listChanged(name) {
      for (const server of servers) notifying(server).listChanged(name);
    },
    resourceUpdated(uri) {
      for (const server of servers) notifying(server).resourceUpdated(uri);
    },
  });

  const release = (id: RpcId) => {
    for (const one of watched.get(id) ?? []) one();
    watched.delete(id);
  };

  /** Resources are watched while a subscription names them; the SDK does not say which those are. */
  const look = (message: RpcMessage) => {
    if (!('method' in message)) return;
    if (isRequest(message) && message.method === 'subscriptions/listen') {
      const kept = subscribedUris(message).flatMap((uri) => host.watchers.retain(uri, caller.name) ?? []);
      // One with the id of another takes its place.
      release(message.id);
      if (kept.length > 0) watched.set(message.id, kept);
    } else if (message.method === 'notifications/cancelled' && isObject(message.params)) {
      release(message.params.requestId as RpcId);
    }
  };

  sdk.serveStdio(
    () => {
      const server = createServer2026(sdk, { host, calls, caller, ending: () => ending, pages });
      servers.add(server);
      return server;
    },
    {
      legacy: 'reject',
      transport: channel as NonNullable<Parameters<typeof sdk.serveStdio>[1]>['transport'] & MessageTransport,
      onerror: (error) => host.report('a message could not be handled', error),
    },
  );

  const { onmessage, onclose } = channel;
  const send = channel.send.bind(channel);
  channel.send = (message) => {
    // It was refused, or has ended.
    if (isResponse(message) && message.id !== undefined) release(message.id);
    return send(shortRefusal(message));
  };
  const listening = new ListeningOnChannel(host, caller, channel);
  channel.onmessage = (message) => {
    look(message);
    listening.take(message, () => onmessage?.(message));
  };
  channel.onclose = () => {
    stop();
    listening.close();
    pages?.close();
    ending = { why: 'the client is gone', gone: 'client' };
    for (const id of [...watched.keys()]) release(id);
    onclose?.();
  };
}
