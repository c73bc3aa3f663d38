import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { isObject } from '../../../core/schema/is-object.ts';
import { RPC } from '../../wire/rpc/rpc-error.ts';
import type { ForeignLog } from '../calls/in-flight.ts';
import { carryTask } from '../calls/task-result.ts';
import { DEPTH, isDeep } from './is-deep.ts';
import { LateTasks } from './late-tasks.ts';
import { ListBounds } from './list-bounds.ts';
import type { KeepItems } from './whole-items.ts';
import { wrapListener } from './wrap-listener.ts';

/** Notifications a second that are taken of one server. */
const RATE = 500;

/** Requests that one server may have open with us. */
const MAX_REQUESTS = 64;

const CANCELLED = 'notifications/cancelled';

/** What stands for a message that is nested too deep: whoever asked must not wait for an answer that cannot be used. */
function tooDeep(message: JSONRPCMessage): JSONRPCMessage {
  if ('method' in message) return { ...message, params: {} };
  const error = { code: RPC.invalidParams, message: `the answer is nested deeper than ${DEPTH} levels` };
  return { jsonrpc: '2.0', id: message.id as string, error };
}

/** Lines a second that one server may have in its log, whatever they come from. */
const LINES = 200;

/** A log that takes so many lines a second of what a server causes; the rest of that second is dropped, and said. */
export function gateLines(log: (line: ForeignLog) => void, now = Date.now): (line: ForeignLog) => void {
  let second = 0;
  let taken = 0;
  return (line) => {
    const current = Math.floor(now() / 1000);
    if (current !== second) {
      second = current;
      taken = 0;
    }
    taken += 1;
    if (taken < LINES) log(line);
    else if (taken === LINES) log({ level: 'warning', message: TOO_MANY });
  };
}

const TOO_MANY = `it causes more than ${LINES} lines of log a second: the rest is dropped`;

/**
 * Keeps a server from flooding whoever listens: beyond so many notifications in a second the rest of that second is dropped, and
 * said once. Cancellations always pass. A request counts as open until its answer is sent, and one with the id of an open one is none.
 * Wraps the transport's `onmessage`, so it comes before any SDK looks at a message; what a call that was given up becomes is looked at
 * here, too (`LateTasks`), and how long lists are (`ListBounds`).
 *
 * @param keep what of a list is handed on
 */
export function gateFloods(
  transport: Transport,
  report: (problem: string) => void,
  keep: KeepItems = (_method, result) => result,
  now = Date.now,
): Transport {
  let second = 0;
  let taken = 0;
  let said = false;
  let refusing = 0;
  const open = new Set<unknown>();

  const tooMany = (): boolean => {
    const current = Math.floor(now() / 1000);
    if (current !== second) {
      second = current;
      taken = 0;
    }
    taken += 1;
    if (taken <= RATE) return false;
    if (!said) report(`it sends more than ${RATE} notifications a second: the rest is dropped`);
    said = true;
    return true;
  };

  const passes = (message: unknown): boolean => {
    if (!isObject(message) || typeof message.method !== 'string') return true;
    if (message.id === undefined) {
      if (message.method !== CANCELLED) return !tooMany();
      if (isObject(message.params)) open.delete(message.params.requestId);
      return true;
    }
    if (open.has(message.id)) return false;
    if (open.size >= MAX_REQUESTS) {
      refuse(message.id);
      return false;
    }
    open.add(message.id);
    return true;
  };

  const refuse = (id: unknown) => {
    if (refusing >= MAX_REQUESTS) return;
    refusing += 1;
    const error = { code: -32000, message: `too many requests are open: ${MAX_REQUESTS} at most` };
    send({ jsonrpc: '2.0', id: id as string, error })
      .catch(() => {})
      .finally(() => {
        refusing -= 1;
      });
  };

  const send = transport.send.bind(transport);
  const late = new LateTasks(send);
  const lists = new ListBounds(keep);
  transport.send = (message, options) => {
    late.sent(message);
    lists.sent(message);
    const sending = send(message, options);
    if ('method' in message) return sending;
    // Until the server has taken the answer: one that reads nothing would have us keep them all.
    return sending.finally(() => open.delete(message.id));
  };
  wrapListener(transport, (listener) => (message, extra) => {
    if (passes(message) && !late.takes(message))
      listener(isDeep(message) ? tooDeep(message) : carryTask(lists.within(message)), extra);
  });
  return transport;
}
