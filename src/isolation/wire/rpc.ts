import { Err, type Operation, type Result } from 'effection';
import { errorData } from '../../core/errors/data/error-data.ts';
import { errorFromData } from '../../core/errors/data/error-from-data.ts';
import { toError } from '../../core/errors/parley-error.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import { defined } from '../../core/schema/defined.ts';
import { startIn } from '../../runtime/call/start-in.ts';
import { decode, encode, read } from './codec.ts';
import type { Contract, Serving, WirePeer } from './contract.ts';
import { type FrameOf, frame, type WireFrame } from './frames.ts';
import { type AnyHandlers, type AnyServing, type Made, Talk, type WireLine } from './talk.ts';

/** What an end of a line is made of. */
export interface RpcOptions<Theirs extends Contract, Mine extends Contract> extends Serving<Mine, Theirs> {
  readonly theirs: Theirs;
  readonly mine: Mine;
  /** Numbers of calls never meet: those that one end makes are odd, those of the other are even. */
  readonly numbers: 'odd' | 'even';
  send(text: string): void;
  /** Hears what went wrong beside all calls. */
  fault(message: string, cause: Error): void;
}

/** One end of a line: calls in both directions, and within each of them calls in both directions. */
export interface Rpc<Theirs extends Contract, Mine extends Contract> {
  /** The other end, outside of all calls. */
  readonly peer: WirePeer<Theirs, Mine>;
  /** Takes what came. @throws what about it cannot be read */
  hear(text: unknown): void;
  /** The line is down: every call that was made fails. */
  end(why: Error): void;
}

/** An end of a line. */
export function createRpc<Theirs extends Contract, Mine extends Contract>(
  options: RpcOptions<Theirs, Mine>,
): Rpc<Theirs, Mine> {
  // Its types are the contracts', whose schemas parse all that comes; inside there are only names.
  return new End(options) as Rpc<Theirs, Mine>;
}

/** What the other end may have open within one call: each waits in the memory of this one. */
const MOST_OPEN = 1_000;

class End implements WireLine {
  readonly peer: Talk;
  readonly #options: RpcOptions<Contract, Contract>;
  readonly #talks = new Map<number, Talk>();
  #last: number;
  #ended: Error | undefined;

  constructor(options: RpcOptions<Contract, Contract> & AnyServing) {
    this.#options = options;
    this.#last = options.numbers === 'odd' ? -1 : 0;
    this.peer = new Talk(this, options);
  }

  hear(text: unknown): void {
    const came = unwrap(decode(frame, text));
    if (came.type === 'tell') this.#told(came);
    else if (came.type === 'call') this.#serve(came);
    else if (came.type === 'cancel') this.#halt(this.#talks.get(came.id));
    else if (came.type === 'done') this.#done(came);
    else if (came.type === 'failed') this.#conclude(came.id, Err(errorFromData(came.error)));
    else this.#conclude(came.id, Err(new Error('the call was halted')));
  }

  end(why: Error): void {
    this.#ended = why;
    for (const id of [...this.#talks.keys()]) this.#conclude(id, Err(why));
  }

  begin(within: Talk, made: Made, serving: AnyServing = { handlers: {} }): Talk {
    const { method, listener } = made;
    this.#last += 2;
    const id = this.#last;
    // What is called within it is done where what it is within is done, unless somebody says otherwise.
    const { scope } = within;
    const talk = new Talk(this, { scope, ...serving }, id, made);
    if (this.#ended) {
      listener(Err(this.#ended));
    } else {
      this.#talks.set(id, talk);
      const params = made.params as JsonValue;
      this.#send({ type: 'call', id, method, ...defined({ within: within.id, params }) });
    }
    return talk;
  }

  cancel({ id = 0 }: Talk): void {
    this.#send({ type: 'cancel', id });
  }

  tell({ id }: Talk, method: string, params: unknown): void {
    this.#send({ type: 'tell', method, ...defined({ within: id, params: params as JsonValue }) });
  }

  #send(sent: WireFrame): void {
    if (!this.#ended) this.#options.send(encode(sent));
  }

  #told({ within, method, params }: FrameOf<'tell'>): void {
    const taken = unwrap(this.#taken(method, params));
    try {
      this.#handler(this.#around(within), method)?.(taken, this.peer);
    } catch (error) {
      this.#options.fault(`'${method}' was not taken`, toError(error));
    }
  }

  /** Serves a call. Whatever comes of it, it is answered once. */
  #serve({ id, within, method, params }: FrameOf<'call'>): void {
    if ((id - this.#last) % 2 === 0 || this.#talks.has(id)) throw new Error(`${id} is no number for a call`);
    let open = true;
    const answer = (sent: WireFrame) => {
      if (open) this.#send(sent);
      open = false;
    };
    const done = (value: unknown) => answer({ type: 'done', id, ...defined({ value: value as JsonValue }) });
    const fail = (error: unknown) => answer({ type: 'failed', id, error: errorData(error) });
    const around = this.#around(within);
    const handler = this.#options.mine[method]?.result && this.#handler(around, method);
    const taken = this.#taken(method, params);
    if (!taken.ok || !around?.scope || !handler) {
      fail(taken.ok ? new Error(`'${method}' cannot be answered now`) : taken.error);
      return;
    }
    if (around !== this.peer && around.served.size >= MOST_OPEN) {
      fail(new Error(`a call has at most ${MOST_OPEN} requests open, such as questions and calls of tools`));
      return;
    }
    const { scope } = around;
    const talk = new Talk(this, { handlers: {}, scope }, id);
    const ended = (outcome: Result<unknown> | undefined) => {
      if (outcome?.ok) done(outcome.value);
      else if (outcome) fail(outcome.error);
      this.#close(id, talk);
      around.served.delete(talk);
      answer({ type: 'halted', id });
    };
    this.#talks.set(id, talk);
    around.served.add(talk);
    talk.started = startIn(scope, () => handler(taken.value, talk) as Operation<unknown>, ended);
  }

  #halt(talk: Talk | undefined): void {
    talk?.cancelled?.();
    talk?.started?.halt();
  }

  #done({ id, value }: FrameOf<'done'>): void {
    const { method = '' } = this.#talks.get(id)?.made ?? {};
    const { result } = this.#options.theirs[method] ?? {};
    if (!result) return;
    const answer = read(result, value);
    this.#conclude(id, answer.ok ? answer : Err(new Error(`what '${method}' gave: ${answer.error.message}`)));
    unwrap(answer);
  }

  /** A call that was made is over. */
  #conclude(id: number, outcome: Result<unknown>): void {
    const talk = this.#talks.get(id);
    if (!talk?.made) return;
    this.#close(id, talk);
    talk.made.listener(outcome);
  }

  /** What is served within a call ends with it. */
  #close(id: number, talk: Talk): void {
    this.#talks.delete(id);
    for (const served of talk.served) this.#halt(served);
  }

  #around(id: number | undefined): Talk | undefined {
    return id === undefined ? this.peer : this.#talks.get(id);
  }

  #handler(around: Talk | undefined, method: string): AnyHandlers[string] | undefined {
    return around && Object.hasOwn(around.handlers, method) ? around.handlers[method] : undefined;
  }

  #taken(method: string, params: unknown): Result<unknown> {
    const { mine } = this.#options;
    const known = Object.hasOwn(mine, method) ? mine[method] : undefined;
    if (!known) return Err(new Error(`there is no '${method}'`));
    const taken = read(known.params, params);
    return taken.ok ? taken : Err(new Error(`${method}: ${taken.error.message}`));
  }
}

function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw result.error;
  return result.value;
}
