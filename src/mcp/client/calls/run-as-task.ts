import type { CallToolResult, Client, RequestOptions } from '@modelcontextprotocol/client';
import * as z from 'zod';
import type { CallInFlight } from './in-flight.ts';

/** How a task stands. Source: MCP 2025-11-25, "Tasks". */
const taskSchema = () =>
  z.looseObject({
    taskId: z.string(),
    status: z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']),
    statusMessage: z.optional(z.nullable(z.string())),
    pollInterval: z.optional(z.nullable(z.number())),
  });

type Task = z.infer<ReturnType<typeof taskSchema>>;

/** How often it is looked how a task stands, whatever its server says. Milliseconds. */
const SHORTEST_PAUSE = 100;
const LONGEST_PAUSE = 10_000;
const PAUSE = 1_000;

/** What a message says of the task that it is of; of no use to whoever made a plain call. */
const RELATED_TASK = 'io.modelcontextprotocol/related-task';

/**
 * Calls a tool that its server of 2025-11-25 runs as a task: begins it, looks how it stands until it is over or asks, and fetches what
 * comes of it, while which it asks what it asks. Whoever gives up cancels it.
 */
export async function runAsTask(
  client: Client,
  params: Parameters<Client['callTool']>[0],
  call: CallInFlight<CallToolResult>,
  options: RequestOptions,
): Promise<CallToolResult> {
  const { specTypeSchemas } = await import('@modelcontextprotocol/client');
  const { signal } = options;
  const request = { method: 'tools/call', params: { ...params, task: {} } };
  const begun = await client.request(request, z.looseObject({ task: taskSchema() }), options);
  let task: Task = begun.task;
  const { taskId } = task;
  const of = (method: string) => ({ method, params: { taskId } });
  const cancel = () => void client.request(of('tasks/cancel'), z.looseObject({})).catch(() => {});
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    let said: string | undefined;
    for (;;) {
      const { status, statusMessage, pollInterval } = task;
      if (statusMessage && statusMessage !== said) call.log({ level: 'info', message: statusMessage });
      said = statusMessage ?? said;
      if (status === 'cancelled') throw new Error(statusMessage || 'the server has cancelled it');
      if (status !== 'working') break;
      await pause(pollInterval ?? PAUSE, signal);
      task = await client.request(of('tasks/get'), taskSchema(), options);
    }
    const { _meta, ...result } = await client.request(
      of('tasks/result'),
      specTypeSchemas.CallToolResult,
      options,
    );
    const meta = Object.entries(_meta ?? {}).filter(([name]) => name !== RELATED_TASK);
    return meta.length > 0 ? { ...result, _meta: Object.fromEntries(meta) } : result;
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}

/** Waits for so long, within bounds; ends at once when nobody waits any more. */
async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  const bounded = Math.min(LONGEST_PAUSE, Math.max(SHORTEST_PAUSE, milliseconds));
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, bounded);
    signal?.addEventListener('abort', done, { once: true });
  });
  signal?.throwIfAborted();
}
