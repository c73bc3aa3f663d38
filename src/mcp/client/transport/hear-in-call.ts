import type { Transport } from '@modelcontextprotocol/client';
import type { CallInFlight, CallsInFlight } from '../calls/in-flight.ts';
import { wrapListener } from './wrap-listener.ts';

/**
 * Lets an answer that asks be heard within the call that it is for. In 2026-07-28 a question is the answer to a call, and the SDK asks it
 * right where it hears it: over stdio that is where the output of the server is read, which is of no call.
 */
export function hearInCall(transport: Transport, calls: CallsInFlight): void {
  const sentBy = new Map<unknown, CallInFlight>();
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if (!('method' in message)) return send(message, options);
    const call = 'id' in message ? calls.current : undefined;
    if (call && 'id' in message) sentBy.set(message.id, call);
    // One that is cancelled may never be answered.
    if (message.method === 'notifications/cancelled') sentBy.delete(message.params?.requestId);
    return send(message, options);
  };
  wrapListener(transport, (listener) => (message, extra) => {
    if ('method' in message) return listener(message, extra);
    const call = sentBy.get(message.id);
    sentBy.delete(message.id);
    if (!call || !('result' in message) || message.result.resultType !== 'input_required')
      return listener(message, extra);
    calls.within(call, () => listener(message, extra));
  });
}
