import type { Operation } from 'effection';
import type { CallSnapshot } from '../../calls/messages.ts';
import type { CallBeginning, Calls } from '../../calls/port.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import type { Leaving } from '../../runtime/drive/leaving.ts';
import type { CreateSession, ResumeSession } from '../../runtime/manager/manager.ts';
import type { Ask } from '../../runtime/session/ask.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { EndEvent, ErrorData } from '../../runtime/session/events.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { Served } from '../catalog/catalog.ts';
import type { LinkedPages } from '../published/linked-pages.ts';
import type { CallTrace } from '../trace/call-trace.ts';

/** What a request is answered with. */
export type Result = Readonly<Record<string, unknown>>;

/** What a request brings of a call: nothing, when it is the first. */
export interface Brought {
  /** The `requestState` it carries, if any. */
  readonly state: unknown;
  /** The `inputResponses` it carries, by key. */
  readonly responses: Readonly<Record<string, unknown>>;
}

/** A request, resolved to what runs and how its end is answered. */
export interface Callable {
  readonly method: string;
  /** Name or URI, as the request gave it. */
  readonly name: string;
  readonly served: Served;
  readonly tool: AnyTool;
  readonly params: unknown;
  /** The arguments as the request gave them: what a resumed call must give again. */
  readonly given: unknown;
  /** What the request is answered with. @throws `RpcError` where an error is one of the protocol. */
  finish(end: EndEvent): Readonly<Record<string, unknown>>;
  /** The same for a call that could not even begin. */
  refuse(error: ErrorData): Readonly<Record<string, unknown>>;
}

/** A call that a request asks for, or goes on with, for those who keep it between two requests. */
export interface OpenCall {
  readonly callable: Callable;
  readonly principal: string;
  /** Whether anybody may be that. */
  readonly isShared: boolean;
  /** What the client at the other end says it is. */
  readonly clientInfo: unknown;
  /** Whether it goes on in this process only, whatever keeps others: here are the pages on which it is asked. */
  readonly stays: boolean;
  /** The call of a dead process that it goes on with. */
  takesUp?: CallBeginning['takesUp'];
  /** Aborts when the client cancels, or is gone. */
  readonly signal: AbortSignal;
  /** Who answers it where nothing is laid over them. */
  readonly rest: Client;
  /** Who answers it once the request is answered. */
  readonly absent: Client;
  /** Begins it. @throws `RpcError`, and what `serveRequest` answers a call with that cannot begin */
  create(
    options: Partial<Pick<CreateSession, 'conversation' | 'retain' | 'keep' | 'carried'>>,
  ): Operation<Session>;
  /** Takes it up from its journal. @throws the same, and `SessionExistsError` where it runs already */
  resume(options: Pick<ResumeSession, 'journal' | 'sink'>): Operation<Session>;
}

/** Pages that ask what a call asks the person, beside its client. */
export interface CallPages {
  /** Who answers meanwhile. */
  readonly client: Client;
  /** Ends when the request should be answered. */
  readonly due: Operation<void>;
  /** What it is answered with then: a page goes on with the call. */
  answer(): Operation<Result>;
  /** The request is over, and how its call stands: so are its pages, unless one goes on. */
  leave(snapshot?: CallSnapshot): Operation<void>;
}

/** The same, for the server of an era that runs it: who answers, and what the request has to do with it. */
export interface RequestedCall extends OpenCall {
  /** Who answers it: the client at the other end, or whom the caller has for it. */
  readonly client: Client;
  /** The trace that it is a part of. */
  readonly trace: CallTrace;
  /** Runs an operation on its session. Meanwhile the client hears that it lives, and may cancel it. */
  attended<T>(session: Session, op: () => Operation<T>): Operation<T>;
  /** The links with which its questions go back to a client that opens pages (2026). */
  readonly links: LinkedPages | undefined;
  /** Its client is listed a tool by which it comes back to what was answered early; another one calls the same again. */
  readonly hasResultTool: boolean;
  /** Has a page ask what its client has answered by itself, though only a person may. Says whether there is one. */
  isAskedOnPage(ask: Ask): boolean;
  /**
   * Has its pages ask as long as a request attends to it; nothing where it has none.
   *
   * @param isLast its client is asked no more: a page of this process is, where there is one
   */
  attendPages(calls: Calls, session: Session, isLast: boolean): Operation<CallPages | undefined>;
  /** Its client may be gone before the call ends. */
  readonly leaving: Leaving;
  /** Its client is gone, and nobody else is attached: ends the call, unless only what it `survives` has ended. */
  left(session: Session, survives: 'server' | 'both' | undefined): Operation<void>;
  /** What its end is answered with. @throws `RpcError` */
  finish(end: EndEvent): Result;
}
