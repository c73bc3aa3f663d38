import { ensure, type Operation, race, scoped, spawn, suspend, withResolvers } from 'effection';
import { drive } from '../../../runtime/drive/drive.ts';
import type { CallStore } from '../../../runtime/journal/call-store.ts';
import type { JournalHeader } from '../../../runtime/journal/lines.ts';
import { HeldCall } from '../../../runtime/manager/held-call.ts';
import type { Session } from '../../../runtime/session/session.ts';
import { waitFor } from '../../../runtime/taskless/wait.ts';
import type { ServerParts } from '../../host.ts';
import type { Callable, RequestedCall, Result } from '../../request/open-call.ts';
import { claimed } from '../../stored/claimed.ts';
import { isMovable } from '../../stored/movable-tool.ts';
import { storeRefusal } from '../../stored/refusal.ts';
import { asJson } from '../../wire/as-json.ts';
import type { RpcId, RpcRequest } from '../../wire/rpc/json-rpc.ts';
import { RPC, RpcError } from '../../wire/rpc/rpc-error.ts';
import type { Keeping } from '../http-session.ts';
import { type CallNote, callOf, noted, questionId, recorded, recordOf, type SessionFacts } from './notes.ts';

/** What the calls of a session need. */
export interface KeptSessionOptions {
  readonly host: ServerParts;
  readonly store: CallStore;
  readonly principal: string;
  readonly sessionId: string;
  /** What its client said when it came. */
  facts(): SessionFacts;
  /** The stream that the answer to a request will be on. */
  streamOf(id: RpcId): number;
  /** What there is of it, when another process had it before. */
  readonly taken?: TakenSession;
}

/** A session that another process had. */
export interface TakenSession {
  readonly facts: SessionFacts;
  readonly record: HeldCall;
  /** Its calls that have not ended, by their id. */
  readonly calls: ReadonlyMap<string, CallNote>;
}

/** How long an answer may take to be durable before its client is told that it came, milliseconds. */
const PATIENCE = 10_000;

interface KeptCall {
  readonly session: Session;
  readonly held: HeldCall;
  readonly note: CallNote;
}

/**
 * The calls of one 2025-era session that a store keeps: when this process is gone, the one that its client reaches next goes on
 * with them. The record of the session is written with its first such call; a session without one has nothing to lose.
 */
export class KeptSession implements Keeping {
  readonly #options: KeptSessionOptions;
  readonly #calls = new Map<string, KeptCall>();
  /** Calls of another process, by the request that each answers. */
  readonly #taken: Map<RpcId, string>;
  /** Questions of that process that are not asked again yet: their answers may come first. */
  readonly awaited: Set<string>;
  /** They are being taken up. */
  readonly #coming: ReadonlyMap<string, PromiseWithResolvers<KeptCall | undefined>>;
  /** Calls that are over, but may still be in the record. */
  readonly #over = new Set<string>();
  readonly #stopped = withResolvers<void>('the session is over');
  #record: Promise<HeldCall> | undefined;
  #leaving = false;

  constructor(options: KeptSessionOptions) {
    this.#options = options;
    const calls = [...(options.taken?.calls ?? [])];
    this.#taken = new Map(calls.map(([callId, { request }]) => [request.id, callId]));
    this.#coming = new Map(calls.map(([callId]) => [callId, Promise.withResolvers()]));
    this.awaited = new Set(calls.flatMap(([, { asked }]) => Object.keys(asked)));
    if (options.taken) this.#record = Promise.resolve(this.#renewed(options.taken.record));
  }

  /** Whether a call lives on in the store, whatever becomes of the connection. */
  get leaving(): boolean {
    return this.#leaving;
  }

  /** Whether calls of this are kept. */
  keeps({ method, tool }: Callable): boolean {
    return method === 'tools/call' && isMovable(tool);
  }

  /** Whether this is a question of a call that is kept. */
  asks(question: string): boolean {
    return this.#calls.has(callOf(question));
  }

  /** A question is about to be sent, as this event of its stream. */
  async sent(question: string, event: number): Promise<void> {
    const kept = this.#calls.get(callOf(question));
    if (!kept) return;
    const { session, held, note } = kept;
    const open = new Set(session.openAsks().map(({ id }) => id));
    for (const name of Object.keys(note.asked)) {
      const [ask = ''] = name.slice(name.lastIndexOf('/') + 1).split('#');
      if (!open.has(ask)) delete note.asked[name];
    }
    note.asked[question] = event;
    try {
      await this.#options.host.run(() => held.append({ notes: noted(note) }));
    } catch {
      // Whoever takes it over asks once more, under the same id.
    }
  }

  /** An answer came: ends when it is durable, or turns out to be none. */
  async settled(question: string): Promise<void> {
    const callId = callOf(question);
    const kept = this.#calls.get(callId) ?? (await this.#coming.get(callId)?.promise);
    if (!kept) return;
    const { session } = kept;
    const isOpen = () => session.openAsks().some((ask) => questionId(callId, ask) === question);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => done(), PATIENCE);
      const stop = session.subscribe(() => {
        if (!isOpen()) done();
      });
      const done = () => {
        clearTimeout(timer);
        stop();
        resolve();
      };
      if (!isOpen()) done();
    });
  }

  /** Runs a call to its end, and gives what its request is answered with. @throws `RpcError` */
  *serve(call: RequestedCall, request: Pick<RpcRequest, 'id' | 'method' | 'params'>): Operation<Result> {
    const { host } = this.#options;
    const serving = this.#serving(call, request);
    try {
      return yield* scoped(() => serving);
    } catch (error) {
      throw storeRefusal(host, error);
    }
  }

  *#serving(
    call: RequestedCall,
    { id, method, params = {} }: Pick<RpcRequest, 'id' | 'method' | 'params'>,
  ): Operation<Result> {
    const { host, streamOf, principal, sessionId: conversation } = this.#options;
    const note: CallNote = { request: { id, method, params }, stream: streamOf(id), asked: {} };
    const callId = this.#taken.get(id);
    this.#taken.delete(id);
    const kept =
      callId === undefined ? yield* this.#begin(call, note) : yield* this.#goOn(call, callId, note);
    const { session, held } = kept;
    this.#calls.set(session.id, kept);
    this.#coming.get(session.id)?.resolve(kept);
    const self = this;
    yield* ensure(function* () {
      self.#calls.delete(session.id);
      self.#over.add(session.id);
      yield* host.manager.unload({ principal, conversation, callId: session.id });
      yield* held.release();
    });
    yield* spawn(() => held.renewing(host));
    const end = yield* call.attended(session, () => drive(session, call.client, 'end'));
    // It was put away: another process answers.
    if (this.#leaving) yield* suspend();
    yield* held.ended();
    const result = call.finish(end);
    try {
      yield* held.append({ notes: noted({ ...note, asked: {}, result }), ended: true });
    } catch (error) {
      host.report('the end of a call could not be saved', error, 'state');
    }
    return result;
  }

  *#begin(call: RequestedCall, note: CallNote): Operation<KeptCall> {
    const { store, principal, sessionId: conversation } = this.#options;
    const self = this;
    let held: HeldCall | undefined;
    const keep = function* (header: JournalHeader) {
      const { callId } = header;
      yield* self.#enter(callId);
      const name = { principal, conversation, callId };
      const claim = yield* store.begin({ name, header: asJson(header), notes: noted(note) });
      held = new HeldCall(store, claim, 0);
      return held.sink;
    };
    try {
      const session = yield* call.create({ conversation, keep });
      if (!held) throw new Error('a call began without its journal');
      return { session, held, note };
    } catch (error) {
      yield* held?.release() ?? [];
      throw error;
    }
  }

  *#goOn(call: RequestedCall, callId: string, note: CallNote): Operation<KeptCall> {
    const { store, principal, sessionId: conversation } = this.#options;
    const name = { principal, conversation, callId };
    const claim = yield* claimed(store, name);
    if (!claim) {
      this.#coming.get(callId)?.resolve(undefined);
      throw new RpcError(RPC.refused, 'This call continues in another process');
    }
    let held = new HeldCall(store, claim, 0);
    try {
      const found = yield* store.read(name);
      if (!found) throw new RpcError(RPC.refused, 'This call is no longer stored');
      const { header, lines, lineCount } = found;
      held = new HeldCall(store, claim, lineCount);
      const session = yield* call.resume({ journal: { header, lines }, sink: held.sink });
      return { session, held, note };
    } catch (error) {
      this.#coming.get(callId)?.resolve(undefined);
      yield* held.release();
      throw error;
    }
  }

  /** Says in the record which calls there are. */
  *#enter(callId: string): Operation<void> {
    const { host, store, principal, sessionId, facts } = this.#options;
    const self = this;
    this.#record ??= host.run(function* () {
      const name = recordOf(principal, sessionId);
      const claim = yield* store.begin({ name, header: recorded(facts()), ended: true });
      return self.#renewed(new HeldCall(store, claim, 0));
    });
    let record: HeldCall;
    try {
      record = yield* waitFor(this.#record);
    } catch (error) {
      this.#record = undefined;
      throw error;
    }
    const gone = [...this.#over];
    yield* record.append({ notes: { ...Object.fromEntries(gone.map((id) => [id, null])), [callId]: true } });
    for (const id of gone) this.#over.delete(id);
  }

  #renewed(record: HeldCall): HeldCall {
    const { host } = this.#options;
    const stopped = this.#stopped.operation;
    host
      .run(function* () {
        yield* race([record.renewing(host), stopped]);
        yield* record.release();
      })
      .catch(() => {});
    return record;
  }

  /** This process ends: its calls stay as they are. */
  async leave(): Promise<void> {
    this.#leaving = true;
    const { host, principal, sessionId: conversation } = this.#options;
    const ids = [...this.#calls.keys()];
    await host.run(function* () {
      for (const callId of ids) yield* host.manager.unload({ principal, conversation, callId });
    });
    this.#stopped.resolve();
  }

  /** The session is over: nobody takes it over any more. */
  async over(): Promise<void> {
    this.#stopped.resolve();
    if (!this.#record) return;
    const { host, store, principal, sessionId } = this.#options;
    await host.run(() => store.forget(recordOf(principal, sessionId)));
  }
}
