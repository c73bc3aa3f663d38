import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { wrapListener } from './wrap-listener.ts';

/** Told of each message as it goes over the wire: one that was sent, or one that came. */
export type HearMessage = (direction: 'sent' | 'received', message: JSONRPCMessage) => void;

/** Tells of all that goes over a transport, before anything else looks at it. */
export function overhear(transport: Transport, hear: HearMessage): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    hear('sent', message);
    return send(message, options);
  };
  wrapListener(transport, (listener) => (message, extra) => {
    hear('received', message);
    listener(message, extra);
  });
}
