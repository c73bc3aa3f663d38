import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import * as z from 'zod';
import { Bell } from './bell.ts';
import { hearTask } from './hear-task.ts';
import type { CallInFlight } from './in-flight.ts';
import { cancelling, type HaltableRequest, watchTask } from './watch-task.ts';

/** How a task stands. Source: MCP 2025-11-25, "Tasks". */
const taskSchema = () =>
  z.looseObject({
    taskId: z.string(),
    status: z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']),
    statusMessage: z.optional(z.nullable(z.string())),
    ttl: z.optional(z.nullable(z.number())),
    pollInterval: z.optional(z.nullable(z.number())),
  });

type Task = z.infer<ReturnType<typeof taskSchema>>;

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
  options: HaltableRequest,
): Promise<CallToolResult> {
  const { specTypeSchemas } = await import('@modelcontextprotocol/client');
  const { signal } = options;
  const request = { method: 'tools/call', params: { ...params, task: {} } };
  const { task: begun } = await client.request(request, z.looseObject({ task: taskSchema() }), options);
  call.isTask = true;
  const { taskId } = begun;
  const of = (method: string) => ({ method, params: { taskId } });
  const cancel = () => void client.request(of('tasks/cancel'), z.looseObject({})).catch(() => {});
  const bell = new Bell();
  const news = hearTask(client, taskId, bell);
  return await cancelling(signal, cancel, async () => {
    const watched = {
      bell,
      begun,
      look: () => client.request(of('tasks/get'), taskSchema(), options),
      isDone: ({ status }: Task) => status !== 'working',
      times: ({ pollInterval, ttl }: Task) => ({ poll: pollInterval, ttl }),
    };
    await watchTask(watched, call, signal).finally(news.close);
    const fetched = await client.request(of('tasks/result'), specTypeSchemas.CallToolResult, options);
    const { _meta, ...result } = fetched;
    const meta = Object.entries(_meta ?? {}).filter(([name]) => name !== RELATED_TASK);
    return meta.length > 0 ? { ...result, _meta: Object.fromEntries(meta) } : result;
  });
}
