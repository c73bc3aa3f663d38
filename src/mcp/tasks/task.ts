import type { CallSnapshot } from '../../calls/messages.ts';
import type { JsonObject } from '../../core/messages/json.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import type { Ask } from '../../runtime/session/ask.ts';
import type { EndEvent } from '../../runtime/session/events.ts';
import { encodeInputRequest } from '../era-2026/input-requests.ts';
import type { Result } from '../request/open-call.ts';
import { lackingError } from '../wire/capabilities.ts';
import type { Era } from '../wire/era.ts';
import { callResultOf, type ResultShape, resultShapeOf } from '../wire/result.ts';
import { RPC, RpcError } from '../wire/rpc/rpc-error.ts';

/** What is kept beside a call that is a task. */
export interface TaskFacts extends ResultShape {
  readonly era: Era;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** How long after its creation it can be looked at, milliseconds. */
  readonly ttl: number;
}

/** A task as its client may see it. */
export interface Task extends Pick<TaskFacts, 'createdAt' | 'ttl'> {
  readonly id: string;
  readonly updatedAt: number;
  readonly status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';
  readonly message?: string | undefined;
  /** What it waits for, by keys that are used once in its life, as `inputRequests` have it. */
  readonly questions?: Readonly<Record<string, unknown>>;
  /** What the request would have been answered with. */
  readonly result?: Result;
  readonly error?: Pick<RpcError, 'code' | 'message' | 'data'>;
}

/** Hears how a task stands. */
export interface Follower {
  told(task: Task): void;
  /** Nothing more comes of it. */
  over(): void;
}

/** What is kept of a task that begins. */
export function newTask(tool: AnyTool, era: Era, createdAt: number, ttl: number): JsonObject {
  const { structured, foreign } = resultShapeOf(tool, era);
  const from = foreign && { foreign: { server: foreign.server, tool: foreign.tool } };
  return { task: { era, createdAt, ttl, structured, ...from } };
}

/** What makes a call a task; `undefined` for other calls. */
export function factsIn({ beside }: Pick<CallSnapshot, 'beside'>): TaskFacts | undefined {
  // It is sealed by a store, or was never out of this process: what is there, we wrote.
  return beside?.task as TaskFacts | undefined;
}

/** How a task stands. @throws `-32602` for other calls */
export function taskOf(snapshot: CallSnapshot, asks = snapshot.asks): Task {
  const { name, tool, end, message, updated } = snapshot;
  const facts = factsIn(snapshot);
  if (!facts) throw unknownTask();
  const { createdAt, ttl } = facts;
  const updatedAt = Math.max(createdAt, updated);
  const task = { id: name.callId, createdAt, ttl, updatedAt };
  if (end) return { ...task, ...outcomeOf(tool, facts, end) };
  if (asks.length === 0) return { ...task, message, status: 'working' };
  const questions = Object.fromEntries(asks.map((ask) => [taskKeyOf(ask), encodeInputRequest(ask, {})]));
  return { ...task, message, status: 'input_required', questions };
}

/** What came of it. An error of the tool is a result; it failed where the request would have. */
function outcomeOf(
  tool: string,
  facts: TaskFacts,
  end: EndEvent,
): Pick<Task, 'status' | 'message' | 'result' | 'error'> {
  if (end.type === 'aborted') return { status: 'cancelled', message: end.reason };
  const lacking = end.type === 'error' && lackingError(facts.era, { requires: {} }, end.error, {});
  if (!lacking) return { status: 'completed', result: { ...callResultOf(tool, facts, end) } };
  const { code, message, data } = lacking;
  return { status: 'failed', message, error: { code, message, data } };
}

/** Where one question is asked again it has another key: a key is used once in the life of a task. */
export function taskKeyOf({ wireKey, attempt }: Ask): string {
  return attempt === 1 ? wireKey : `${wireKey}~${attempt}`;
}

/** Whether nothing more comes of it. */
export function isOver({ status }: Pick<Task, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** What a client is told of a task that is not there, or not its own: never which. */
export function unknownTask(): RpcError {
  return new RpcError(RPC.invalidParams, 'Task not found: it never existed, or it has expired');
}
