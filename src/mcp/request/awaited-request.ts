import { stopReasons } from '../../panel-port/index.ts';

/** Why a request ended before its answer. */
export interface RequestEnding {
  readonly why: string;
  /** Nobody decided it: the connection broke off, or this server stops. What a store keeps of a call outlives the latter. */
  readonly gone?: 'client' | 'server' | 'both';
}

/** Why a request ends whose client is gone. */
export const GONE: RequestEnding = { why: 'the client is gone', gone: 'client' };

/** The same where this process is there for that client alone. */
export const BOTH_GONE: RequestEnding = { why: GONE.why, gone: 'both' };

/** Why a request ends whose server does. */
export const STOPPED: RequestEnding = { why: 'the server stops', gone: 'server' };

/** Why a request ends that its client cancels, given the params of its cancellation. */
export function cancelledBy({ reason }: Readonly<Record<string, unknown>>): RequestEnding {
  return { why: typeof reason === 'string' ? reason : stopReasons.byClient };
}

/**
 * Whether somebody still waits for the answer to a request. Most are answered before anybody asks: nothing is made of it until then.
 */
export class AwaitedRequest {
  #ending: RequestEnding | undefined;
  /** Who wants to hear of that. */
  #listener: (() => void) | undefined;
  #aborting: AbortController | undefined;

  /** Nobody waits any more. */
  get isOver(): boolean {
    return this.#ending !== undefined;
  }

  /** Why. */
  get ending(): RequestEnding {
    return this.#ending ?? GONE;
  }

  /** Aborts then. */
  get signal(): AbortSignal {
    this.#aborting ??= new AbortController();
    if (this.isOver) this.#aborting.abort();
    return this.#aborting.signal;
  }

  /** Calls back at once or once, then. Returns what stops it. */
  onEnd(listener: () => void): () => void {
    this.#listener = listener;
    if (this.isOver) listener();
    return () => {
      if (this.#listener === listener) this.#listener = undefined;
    };
  }

  /** Nobody waits for it from here on; false when that was known. */
  end(ending: RequestEnding): boolean {
    if (this.isOver) return false;
    this.#ending = ending;
    this.#aborting?.abort();
    this.#listener?.();
    return true;
  }
}
