import { action, type Operation } from 'effection';
import { McpDisconnectError, McpTimeoutError } from '../../core/errors/call-errors.ts';
import type { RpcId, RpcMessage, RpcResponse } from '../wire/rpc/json-rpc.ts';
import { type AskedPeer, peerError } from '../wire/rpc/peer-errors.ts';

/** Sends a message to the client. `of` is the request that it belongs to. */
export type Send = (message: RpcMessage, of?: RpcId) => Promise<void>;

/** A question to a client. */
export interface PeerQuestion extends AskedPeer {
  readonly params: Readonly<Record<string, unknown>>;
  /** The request that it belongs to; none for what is asked on the connection's own stream. */
  readonly of: RpcId | undefined;
  /** How long the client has for an answer, milliseconds. */
  readonly timeout: number;
}

const METHODS = {
  elicit: 'elicitation/create',
  sample: 'sampling/createMessage',
  roots: 'roots/list',
} as const;

interface Open {
  readonly asked: AskedPeer;
  answer(result: unknown): void;
  fail(error: Error): void;
}

/** What a connection asks its client, until that answers. */
export class Questions {
  readonly #send: Send;
  readonly #open = new Map<RpcId, Open>();
  /** The first is 1: some clients take the id 0 for none. */
  #last = 0;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Asks, and waits. Halted, or too late, it takes the question back.
   *
   * @throws a `ParleyError`: the client failed, left, or took too long
   */
  ask({ params, of, timeout, ...asked }: PeerQuestion): Operation<unknown> {
    const { client } = asked;
    const method = METHODS[asked.kind];
    return action<unknown>((answer, fail) => {
      const id = ++this.#last;
      this.#open.set(id, { asked, answer, fail });
      const late = setTimeout(
        () => fail(new McpTimeoutError({ what: `${client}'s answer`, timeout })),
        timeout,
      );
      this.#tell({ jsonrpc: '2.0', id, method, params }, of, () => fail(new McpDisconnectError({ client })));
      return () => {
        clearTimeout(late);
        if (!this.#open.delete(id)) return;
        const cancelled = { requestId: id, reason: 'the question was withdrawn' };
        this.#tell({ jsonrpc: '2.0', method: 'notifications/cancelled', params: cancelled }, of);
      };
    }, `the answer to ${method}`);
  }

  /** An answer has come. One that comes late is nobody's. */
  answered(response: RpcResponse): void {
    const { id = '' } = response;
    const open = this.#open.get(id);
    this.#open.delete(id);
    if ('result' in response) open?.answer(response.result);
    else open?.fail(peerError(response.error, open.asked));
  }

  /** The client is gone. */
  close(): void {
    for (const [id, { asked, fail }] of this.#open) {
      this.#open.delete(id);
      fail(new McpDisconnectError({ client: asked.client }));
    }
  }

  #tell(message: RpcMessage, of: RpcId | undefined, lost = () => {}): void {
    this.#send(message, of).catch(lost);
  }
}
