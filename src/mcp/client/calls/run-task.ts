import { type Operation, type Task as Running, scoped, spawn } from 'effection';
import * as z from 'zod';
import { isObject } from '../../../core/schema/is-object.ts';
import { problemsIn } from '../../../core/schema/validate.ts';
import { RpcError } from '../../wire/rpc/rpc-error.ts';
import { saidIn } from '../reader/read-answer.ts';
import type { Json } from '../reader/read-message.ts';
import { isUnreachable } from '../transport/failed-request.ts';
import { Bell } from './bell.ts';
import { hearTask } from './hear-task.ts';
import { ANY, type ForeignLine } from './line.ts';
import { watchTask } from './watch-task.ts';

/** How a task stands, in either generation; in the later one with what it asks, or what came of it. Source: MCP 2025-11-25, "Tasks"; SEP-2663. */
const taskSchema = () =>
  z.looseObject({
    taskId: z.string(),
    status: z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']),
    statusMessage: z.optional(z.nullable(z.string())),
    ttl: z.optional(z.nullable(z.number())),
    ttlMs: z.optional(z.nullable(z.number())),
    pollInterval: z.optional(z.nullable(z.number())),
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

/** What a message says of the task that it is of; of no use to whoever made a plain call. */
const RELATED_TASK = 'io.modelcontextprotocol/related-task';

const OVER: readonly Task['status'][] = ['completed', 'failed', 'cancelled'];

type Tell = (method: string, params?: Json) => Operation<Json>;

/**
 * Calls a tool that its server of 2025-11-25 runs as a task: begins it, looks how it stands until it is over or asks, and fetches what
 * comes of it, while which it asks what it asks. Whoever gives up cancels it.
 */
export function* runAsTask(line: ForeignLine, params: Json): Operation<Json> {
  const request = { method: 'tools/call', params: { ...params, task: {} } };
  const begun = yield* line.send((client, options) => client.request(request, ANY(), options));
  const isDone = ({ status }: Task) => status !== 'working';
  return yield* follow(line, saidIn(begun).task, isDone, function* (_task, tell) {
    const { _meta, ...result } = yield* tell('tasks/result');
    const { [RELATED_TASK]: _, ...meta } = isObject(_meta) ? _meta : {};
    return Object.keys(meta).length > 0 ? { ...result, _meta: meta } : result;
  });
}

/**
 * Follows a call that its server of 2026-07-28 has made a task of: looks how it stands until it is over, and answers what it asks
 * meanwhile. Whoever gives up cancels it.
 *
 * @param task what the call was answered with
 */
export function followTask(line: ForeignLine, task: Json): Operation<Json> {
  return follow(line, task, isOver, function* ({ result, error, statusMessage }) {
    if (error) throw new RpcError(error.code, error.message, error.data);
    if (!result) throw new Error(statusMessage || 'its task ended without a result');
    return result;
  });
}

function isOver({ status }: Task): boolean {
  return OVER.includes(status);
}

function* follow(
  line: ForeignLine,
  given: unknown,
  isDone: (task: Task) => boolean,
  outcome: (task: Task, tell: Tell) => Operation<Json>,
): Operation<Json> {
  line.call.isTask = true;
  const begun = readTask(given);
  const { taskId } = begun;
  const tell: Tell = (method, params = {}) =>
    line.send((client, options) => client.request({ method, params: { taskId, ...params } }, ANY(), options));
  let last = begun;
  let reached = performance.now();
  const look = function* () {
    try {
      last = readTask(yield* tell('tasks/get'));
      reached = performance.now();
    } catch (error) {
      if (!isUnreachable(error) || performance.now() - reached > OUT_OF_REACH) throw error;
    }
    return last;
  };
  let isFetched = false;
  try {
    return yield* scoped(function* () {
      const bell = new Bell();
      const news = yield* hearTask(line, taskId, bell);
      const take = taskQuestions(line, bell, tell);
      const times = ({ pollIntervalMs, pollInterval, ttlMs, ttl }: Task) => ({
        // What is not told after all is seen a little later.
        poll: news.isTold() ? Number.POSITIVE_INFINITY : (pollIntervalMs ?? pollInterval),
        ttl: ttlMs ?? ttl,
      });
      const done = function* (task: Task) {
        if (!isDone(task)) yield* take(task.inputRequests ?? {});
        return isDone(task);
      };
      const task = yield* watchTask({ begun, look, isDone: done, times, bell }, line.call);
      const result = yield* outcome(task, tell);
      isFetched = true;
      return result;
    });
  } finally {
    // Nobody waits for it any more, or it cannot be followed: it would wait for ever.
    if (!isFetched && !isOver(last))
      line.client.request({ method: 'tasks/cancel', params: { taskId } }, ANY()).catch(() => {});
  }
}

function readTask(given: unknown): Task {
  const parsed = taskSchema().safeParse(given);
  if (parsed.success) return parsed.data;
  throw new Error(`its task cannot be followed: ${problemsIn(parsed.error.issues, given).problem}`);
}

/**
 * What a task asks, by keys that its server uses once. Every look at the task says which questions are open: a new one is asked, one
 * that is gone is withdrawn, and one that has been answered is not asked again.
 */
function taskQuestions(line: ForeignLine, bell: Bell, tell: Tell): (requests: Json) => Operation<void> {
  const open = new Map<string, Running<void>>();
  const answered = new Set<string>();
  return function* (requests) {
    for (const [key, asking] of open) {
      if (Object.hasOwn(requests, key)) continue;
      open.delete(key);
      yield* asking.halt();
    }
    for (const [key, request] of Object.entries(requests)) {
      if (open.has(key) || answered.has(key)) continue;
      const ask = function* () {
        const answer = yield* line.answer(request);
        answered.add(key);
        yield* tell('tasks/update', { inputResponses: { [key]: answer } });
        open.delete(key);
        // It may go on.
        bell.ring();
      };
      open.set(key, yield* spawn(ask));
    }
  };
}
