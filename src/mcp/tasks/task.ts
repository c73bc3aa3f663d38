import * as z from 'zod';
import type { JsonObject } from '../../core/messages/json.ts';
import type { CallName } from '../../runtime/journal/call-store.ts';
import { asJson } from '../wire/as-json.ts';
import { RPC, RpcError } from '../wire/rpc/rpc-error.ts';

const record = z.record(z.string(), z.unknown());

/** A task between two looks at it, as a store keeps it beside the journal of its call. */
const taskNote = z.object({
  /** What was called, to take it up and to say what came of it. */
  era: z.enum(['2025', '2026']),
  name: z.string(),
  given: record,
  /** Milliseconds since the epoch. */
  createdAt: z.number(),
  updatedAt: z.number(),
  /** How long after its creation it can be looked at, milliseconds. */
  ttl: z.number(),
  status: z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']),
  message: z.string().optional(),
  /** What it waits for, by keys that are used once in its life, as `inputRequests` have it. */
  questions: record.optional(),
  /** What the request would have been answered with. */
  result: record.optional(),
  error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }).optional(),
});

/** What is known of a task without its call. */
export type TaskNote = z.infer<typeof taskNote>;

/** A task as its client may see it. */
export interface Task extends TaskNote {
  readonly id: string;
}

/** Hears how a task stands. */
export interface Follower {
  told(task: Task): void;
  /** Nothing more comes of it. */
  over(): void;
}

/** The task of a call in a store: its id is that of the call. */
export function taskName(principal: string, callId: string): CallName {
  return { principal, conversation: '', callId };
}

/** What is watched by who has the task, for what was said of it elsewhere. */
export function inboxOf({ principal, callId }: CallName): CallName {
  return { principal, conversation: 'inbox', callId };
}

/** How a note is kept. */
export function taskNoted(note: TaskNote): JsonObject {
  return { task: asJson(note) };
}

/** The note of a task; `undefined` for other calls. */
export function taskNoteIn({ task }: JsonObject): TaskNote | undefined {
  const parsed = taskNote.safeParse(task);
  return parsed.success ? parsed.data : undefined;
}

/** Whether nothing more comes of it. */
export function isOver({ status }: TaskNote): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** Whether it need not be kept any more. */
export function isExpired({ createdAt, ttl }: TaskNote, now: number): boolean {
  return now > createdAt + ttl;
}

/** The same task, cancelled. */
export function cancelled(note: TaskNote, message: string): TaskNote {
  const { questions: _, ...rest } = note;
  return { ...rest, status: 'cancelled', message, updatedAt: Date.now() };
}

/** What a client is told of a task that is not there, or not its own: never which. */
export function unknownTask(): RpcError {
  return new RpcError(RPC.invalidParams, 'Task not found: it never existed, or it has expired');
}
