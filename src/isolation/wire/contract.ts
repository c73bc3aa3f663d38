import type { Operation, Result, Scope } from 'effection';
import type * as z from 'zod/mini';

/** What one end does for the other: a call, which has a result, or a note, which has none. Each end parses what it gets. */
export interface WireMethod {
  readonly params: z.ZodMiniType;
  readonly result?: z.ZodMiniType;
}

/** What one end does for the other, by name. */
export type Contract = Readonly<Record<string, WireMethod>>;

/** The names of the calls. */
export type CallMethod<C extends Contract> = {
  [M in keyof C]: C[M] extends { readonly result: z.ZodMiniType } ? M : never;
}[keyof C] &
  string;

/** The names of the notes. */
export type NoteName<C extends Contract> = Exclude<keyof C & string, CallMethod<C>>;

/** What a method takes. */
export type MethodParams<C extends Contract, M extends keyof C> = z.infer<C[M]['params']>;

/** What a call gives. */
export type MethodResult<C extends Contract, M extends keyof C> = C[M] extends {
  readonly result: infer S extends z.ZodMiniType;
}
  ? z.infer<S>
  : never;

/** What is done for the other end, outside of all calls or within one. `within` is the other end within this call. */
export type Handlers<Mine extends Contract, Theirs extends Contract> = {
  readonly [M in CallMethod<Mine>]?: (
    params: MethodParams<Mine, M>,
    within: WirePeer<Theirs, Mine>,
  ) => Operation<MethodResult<Mine, M>>;
} & {
  readonly [M in NoteName<Mine>]?: (params: MethodParams<Mine, M>) => void;
};

/** What the other end may call within a call, and where that runs; notes run anywhere. */
export interface Serving<Mine extends Contract, Theirs extends Contract> {
  readonly handlers: Handlers<Mine, Theirs>;
  readonly scope?: Scope;
}

/** The other end: outside of all calls, or within one, which ends with that call. */
export interface WirePeer<Theirs extends Contract, Mine extends Contract> {
  /** The number of the call that it is within, the same on both ends. */
  readonly id: number | undefined;
  /** Calls it and waits. Halting this halts the call over there, and waits for nothing. */
  call<M extends CallMethod<Theirs>>(
    method: M,
    params: MethodParams<Theirs, M>,
    handlers?: Handlers<Mine, Theirs>,
  ): Operation<MethodResult<Theirs, M>>;
  /** The same for who does not wait in an operation. The listener hears once, also when the call has come to rest after `cancel`. */
  request<M extends CallMethod<Theirs>>(
    method: M,
    params: MethodParams<Theirs, M>,
    listener: (outcome: Result<MethodResult<Theirs, M>>) => void,
    serving?: Serving<Mine, Theirs>,
  ): Outgoing<Theirs, Mine>;
  /** Tells it something. */
  tell<M extends NoteName<Theirs>>(method: M, params: MethodParams<Theirs, M>): void;
  /** Says what it may tell and call from here on, within this call. */
  serve(handlers: Handlers<Mine, Theirs>): void;
  /** Calls back when the other end halts this call, before anything of it is cleaned up. */
  onCancel(listener: () => void): void;
}

/** A call that was made: the other end within it. */
export interface Outgoing<Theirs extends Contract, Mine extends Contract> extends WirePeer<Theirs, Mine> {
  /** Halts it over there. With `andServe`, what it calls is done until it has come to rest. */
  cancel(andServe?: boolean): void;
}
