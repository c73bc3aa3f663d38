import { isObject } from '../../core/schema/is-object.ts';
import type { Result } from '../request/open-call.ts';
import { RPC, RpcError } from '../wire/rpc/rpc-error.ts';
import type { Task } from './task.ts';

/** The extension. Source: SEP-2663. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** What tells a client of 2026-07-28 how a task stands that it named. Source: SEP-2663, "Task Status Notifications". */
export const TASK_STATUS_2026 = 'notifications/tasks';

/** Whether a client declares it, in what it says of itself with each request. */
export function declaresTasks(capabilities: unknown): boolean {
  const extensions = isObject(capabilities) ? capabilities.extensions : undefined;
  return isObject(extensions) && isObject(extensions[TASKS_EXTENSION]);
}

/** `-32021` for a client that does not. */
export function needsTasks(what: string): RpcError {
  return new RpcError(
    RPC.missingCapability,
    `${what} is for clients that declare the extension ${TASKS_EXTENSION}`,
    {
      requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
    },
  );
}

/** What a call is answered with that became a task. */
export function createdTask2026(task: Task, pollInterval: number): Result {
  return { resultType: 'task', ...facts(task, pollInterval) };
}

/** `tasks/get`. */
export function encodeTask2026(task: Task, pollInterval: number): Result {
  return { resultType: 'complete', ...detailedTask2026(task, pollInterval) };
}

/** How it stands, with what it asks or what came of it. */
export function detailedTask2026(task: Task, pollInterval: number): Result {
  const { questions, result, error } = task;
  return {
    ...facts(task, pollInterval),
    ...(questions ? { inputRequests: questions } : {}),
    ...(result ? { result: { resultType: 'complete', ...result } } : {}),
    ...(error ? { error } : {}),
  };
}

function facts({ id, status, message, createdAt, updatedAt, ttl }: Task, pollInterval: number): Result {
  return {
    taskId: id,
    status,
    ...(message === undefined ? {} : { statusMessage: message }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttlMs: ttl,
    pollIntervalMs: pollInterval,
  };
}
