import type { Operation } from 'effection';
import type { Client } from '../../runtime/session/client.ts';
import type { Caller } from '../caller.ts';
import type { Brought, Callable, OpenCall, Result } from '../request/open-call.ts';
import type { Era } from '../wire/era.ts';
import type { Follower, Task } from './task.ts';

/** A call that becomes a task, and how the request that began it is answered. */
export interface NewTask {
  readonly call: OpenCall;
  readonly era: Era;
  readonly brought: Brought;
  /** How long its client wants it to be kept, milliseconds. */
  readonly ttl: number | undefined;
  /** What the request is answered with. */
  answer(task: Task): Result;
}

/** Whose task it is, and who answers while nobody is at the other end of the wire. */
export interface TaskRequest {
  readonly caller: Caller;
  readonly id: unknown;
  /** What its client says it is. */
  readonly clientInfo: unknown;
  readonly absent: Client;
  /** Who asks the person what its client has answered by itself. */
  readonly person?: Client | undefined;
}

/** The tasks of a server: calls that go on without a request. Each is its principal's alone. */
export interface Tasks {
  /** How often a client should look, milliseconds. */
  readonly pollInterval: number;
  /** Begins one, or makes one of a call that has asked its first question. The answer is given when it is durable. */
  begin(task: NewTask): Operation<Result>;
  /** How a task stands. @throws `-32602` for one that is not there, or not theirs */
  get(request: TaskRequest): Operation<Task>;
  /** Gives it answers, by the keys of its questions. Ends when they are durable. @throws as `get` */
  update(request: TaskRequest, responses: Readonly<Record<string, unknown>>): Operation<void>;
  /** Ends it. @returns how it was before @throws as `get` */
  cancel(request: TaskRequest): Operation<Task>;
  /** All of a principal. */
  list(caller: Caller): Operation<readonly Task[]>;
  /** Waits until it is over; a client with verbs is asked meanwhile. @throws as `get` */
  attend(request: TaskRequest, present: (callable: Callable) => Client): Operation<Task>;
  /**
   * Tells how it stands: now, and whenever that changes, until nothing more comes of it, or what this gives is called.
   *
   * @throws as `get`
   */
  follow(request: Pick<TaskRequest, 'caller' | 'id'>, follower: Follower): Operation<() => void>;
  /** Ends those of a principal who is gone. */
  abandon(principal: string, why: string): Operation<void>;
}
