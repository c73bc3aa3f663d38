import type { RequestId, Transport } from '@modelcontextprotocol/client';
import { wrapListener } from '../wrap-listener.ts';

const CANCELLED = 'notifications/cancelled';

/** A code that is the implementation's, by JSON-RPC. */
const UNANSWERED = -32000;

const message = 'the server ended the stream of the answer without an answer';

/**
 * Fails a request whose stream ends, and is not gone on with, before its answer has come: a server that stops in good order ends its
 * streams so, and the SDK would wait for ever. Streams of subscriptions have no answer.
 */
export function failUnanswered(transport: Transport): void {
  const open = new Set<RequestId>();
  const send = transport.send.bind(transport);
  transport.send = async (sent, options) => {
    if (!('method' in sent)) return await send(sent, options);
    if (!('id' in sent)) {
      if (sent.method === CANCELLED) open.delete(sent.params?.requestId as RequestId);
      return await send(sent, options);
    }
    if (options?.onRequestStreamEnd) return await send(sent, options);
    const { id } = sent;
    open.add(id);
    const onRequestStreamEnd = () => {
      if (!open.has(id)) return;
      transport.onmessage?.({ jsonrpc: '2.0', id, error: { code: UNANSWERED, message } });
    };
    try {
      await send(sent, { ...options, onRequestStreamEnd });
    } catch (error) {
      open.delete(id);
      throw error;
    }
  };
  wrapListener(transport, (listener) => (came, extra) => {
    if (!('method' in came) && came.id !== undefined) open.delete(came.id);
    listener(came, extra);
  });
}
