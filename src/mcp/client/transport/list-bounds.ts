import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isObject } from '../../../core/schema/is-object.ts';
import { RPC } from '../../wire/rpc/rpc-error.ts';
import type { KeepItems } from './whole-items.ts';

/** Characters of a list, over all its pages: each may be as long as a message, and they are kept until the last one is here. */
const MOST = 32 * 1024 * 1024;

/** Pages that are waited for: of more, the oldest are forgotten. */
const MOST_ASKED = 100;

/** Reads the pages of a server's lists as they come: has a list end that is too long, and leaves out what is no item. */
export class ListBounds {
  /** The pages that are asked for, by the id of the request, each with its list. */
  readonly #asked = new Map<unknown, string>();
  /** What of each list has come. */
  readonly #come = new Map<string, number>();
  readonly #keep: KeepItems;

  constructor(keep: KeepItems) {
    this.#keep = keep;
  }

  sent(message: JSONRPCMessage): void {
    if (!('method' in message && 'id' in message) || !message.method.endsWith('/list')) return;
    this.#asked.set(message.id, message.method);
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > MOST_ASKED) this.#asked.delete(oldest);
    if (!isObject(message.params) || message.params.cursor === undefined) this.#come.set(message.method, 0);
  }

  /** A message as whoever asked gets it: an error in the place of a page that is too much. */
  within(message: JSONRPCMessage): JSONRPCMessage {
    if ('method' in message || !('id' in message)) return message;
    const list = this.#asked.get(message.id);
    this.#asked.delete(message.id);
    if (list === undefined || !('result' in message)) return message;
    const come = (this.#come.get(list) ?? 0) + JSON.stringify(message.result).length;
    this.#come.set(list, come);
    if (come <= MOST) return { ...message, result: this.#keep(list, message.result) };
    const error = { code: RPC.invalidParams, message: `${list} is longer than ${MOST} characters` };
    return { jsonrpc: '2.0', id: message.id, error };
  }
}
