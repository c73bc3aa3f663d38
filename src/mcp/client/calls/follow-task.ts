import type { CallToolResult, Client, RequestOptions } from '@modelcontextprotocol/client';
import * as z from 'zod';
import { defined } from '../../../core/schema/defined.ts';
import { RpcError } from '../../wire/rpc/rpc-error.ts';
import { isUnreachable } from '../transport/failed-request.ts';
import { Bell } from './bell.ts';
import { hearTask } from './hear-task.ts';
import type { CallInFlight } from './in-flight.ts';
import { TaskQuestions } from './task-questions.ts';
import { cancelling, type HaltableRequest, watchTask } from './watch-task.ts';

/** How a task stands, with what it asks or what came of it. Source: SEP-2663, `GetTaskResult`. */
const taskSchema = () =>
  z.looseObject({
    taskId: z.string(),
    status: z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']),
    statusMessage: z.optional(z.nullable(z.string())),
    ttlMs: z.optional(z.nullable(z.number())),
    pollIntervalMs: z.optional(z.nullable(z.number())),
    inputRequests: z.optional(z.record(z.string(), z.unknown())),
    result: z.optional(z.record(z.string(), z.unknown())),
    error: z.optional(
      z.looseObject({ code: z.number(), message: z.string(), data: z.optional(z.unknown()) }),
    ),
  });

type Task = z.infer<ReturnType<typeof taskSchema>>;

/** A task is there to outlive a connection: for so long its server may be out of reach. Milliseconds. */
const OUT_OF_REACH = 30_000;

const OVER: readonly Task['status'][] = ['completed', 'failed', 'cancelled'];

/**
 * Follows a call that its server of 2026-07-28 has made a task of: looks how it stands until it is over, and answers what it asks
 * meanwhile. Whoever gives up cancels it.
 *
 * @param task what the call was answered with
 */
export async function followTask(
  client: Client,
  task: Readonly<Record<string, unknown>>,
  call: CallInFlight<CallToolResult>,
  { signal, timeout }: HaltableRequest,
): Promise<CallToolResult> {
  const read = taskSchema();
  const parsed = read.safeParse(task);
  if (!parsed.success) throw new Error(`its task cannot be followed: ${z.prettifyError(parsed.error)}`);
  const begun = parsed.data;
  const { taskId } = begun;
  const tell = (method: string, params: object, options: RequestOptions) =>
    client.request({ method, params: { taskId, ...params } }, z.looseObject({}), options);
  const cancel = () => void tell('tasks/cancel', {}, {}).catch(() => {});
  const options = { signal, ...defined({ timeout }) };
  const bell = new Bell();
  const questions = new TaskQuestions(call, bell, async (key, answer) => {
    await tell('tasks/update', { inputResponses: { [key]: answer } }, options);
  });
  let last = begun;
  let reached = performance.now();
  const look = async () => {
    try {
      last = await client.request({ method: 'tasks/get', params: { taskId } }, read, options);
      reached = performance.now();
    } catch (error) {
      if (!isUnreachable(error) || performance.now() - reached > OUT_OF_REACH) throw error;
    }
    return last;
  };
  const isDone = ({ status, inputRequests }: Task) => {
    if (OVER.includes(status)) return true;
    if (questions.failure) throw questions.failure;
    questions.take(inputRequests);
    return false;
  };
  const news = hearTask(client, taskId, bell);
  const times = ({ pollIntervalMs, ttlMs }: Task) => ({
    // What is not told after all is seen a little later.
    poll: news.isTold() ? Number.POSITIVE_INFINITY : pollIntervalMs,
    ttl: ttlMs,
  });
  try {
    return await cancelling(signal, cancel, async () =>
      resultOf(await watchTask({ begun, look, isDone, times, bell }, call, signal)),
    );
  } catch (error) {
    // What it asks cannot be answered, or it cannot be followed: it would wait for ever.
    if (!OVER.includes(last.status) && !signal.aborted) cancel();
    throw error;
  } finally {
    news.close();
    questions.withdraw();
  }
}

async function resultOf({ result, error, statusMessage }: Task): Promise<CallToolResult> {
  if (error) throw new RpcError(error.code, error.message, error.data);
  if (!result) throw new Error(statusMessage || 'its task ended without a result');
  const { specTypeSchemas } = await import('@modelcontextprotocol/client');
  const read = await specTypeSchemas.CallToolResult['~standard'].validate(result);
  if (read.issues) throw new Error(`the result of its task is none: ${read.issues[0]?.message}`);
  return read.value;
}
