import { isObject } from '../../core/schema/is-object.ts';
import type { Result } from '../request/open-call.ts';
import { invalidParams, RPC, RpcError } from '../wire/rpc/rpc-error.ts';
import type { Task } from './task.ts';

/** What messages about a task carry in `_meta`. Source: MCP 2025-11-25, "Tasks". */
const RELATED_TASK = 'io.modelcontextprotocol/related-task';

/** What tells a client of 2025-11-25 how its task stands. */
export const TASK_STATUS_2025 = 'notifications/tasks/status';

/** Params, or a result, that belong to a task. */
export function relatedTo(taskId: string, params: Result): Result {
  const meta = isObject(params._meta) ? params._meta : {};
  return { ...params, _meta: { ...meta, [RELATED_TASK]: { taskId } } };
}

/** How long a client wants its task to be kept, if it says so, milliseconds. @throws `-32602` */
export function wantedTtl(task: unknown): number | undefined {
  const ttl = isObject(task) ? task.ttl : undefined;
  if (ttl === undefined || ttl === null) return undefined;
  if (typeof ttl !== 'number' || !(ttl > 0)) throw invalidParams("'task.ttl' is no time: give milliseconds");
  return Math.ceil(ttl);
}

/** A task, as `tasks/get` and `tasks/list` have it. */
export function encodeTask2025(task: Task, pollInterval: number): Result {
  const { id, message, createdAt, updatedAt, ttl } = task;
  return {
    taskId: id,
    status: statusOf(task),
    ...(message === undefined ? {} : { statusMessage: message }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttl,
    pollInterval,
  };
}

/** `tasks/result`: what the call would have been answered with. @throws `RpcError` where that is an error */
export function taskResult2025({ id, status, message = '', result, error }: Task): Result {
  if (error) throw new RpcError(error.code, error.message, error.data);
  if (!result) throw new RpcError(RPC.refused, `The task is ${status}: ${message}`);
  return relatedTo(id, result);
}

/** In this revision a tool that failed is a task that failed. */
function statusOf({ status, result }: Task): Task['status'] {
  return status === 'completed' && result?.isError === true ? 'failed' : status;
}
