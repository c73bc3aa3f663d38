import type { Operation } from 'effection';
import type { CallName, Claim, StoredCall } from '../../runtime/journal/call-store.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { Caller } from '../caller.ts';
import type { Brought, OpenCall, Result } from '../request/open-call.ts';
import type { Era } from '../wire/era.ts';
import { type Follower, type Task, taskName, unknownTask } from './task.ts';

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

/** Whose task it is, and who would be asked. */
export interface TaskRequest {
  readonly caller: Caller;
  readonly id: unknown;
  /** What its call is driven with while nobody waits for it. */
  readonly client: Client;
  /** Who waits for it, and is asked meanwhile (2025). */
  readonly present?: Client;
  /** Asks its client a question as it is on the wire (2025), under this id; nothing where it cannot be asked that. */
  ask?(question: unknown, id: string): Operation<unknown> | undefined;
}

const MAX_ID = 200;

/** Which task it is about. @throws `-32602` for what is no id of one */
export function nameOf({ caller, id }: Pick<TaskRequest, 'caller' | 'id'>): CallName {
  if (typeof id !== 'string' || id.length > MAX_ID) throw unknownTask();
  return taskName(caller.name, id);
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
  attend(request: TaskRequest): Operation<Task>;
  /**
   * Tells how it stands: now, and whenever that changes, until nothing more comes of it, or what this gives is called.
   *
   * @throws as `get`
   */
  follow(request: Pick<TaskRequest, 'caller' | 'id'>, follower: Follower): Operation<() => void>;
  /**
   * Takes up the task of a call whose process is gone, or whose time has come. Nothing for a call that is none; `done` ends when
   * the task is over, or put away.
   */
  goOn(
    claim: Claim,
    kept: StoredCall,
    client: Client,
  ): Operation<{ readonly done: Operation<void> } | undefined>;
  /** Ends those of a principal who is gone. */
  abandon(principal: string, why: string): Operation<void>;
}
