import { setTimeout as delay } from 'node:timers/promises';
import { ask, envelope, type Message, type Reply, stateless } from './wire.ts';

/** What a 2026-era client says of itself that has tasks. */
export const TASKS = {
  elicitation: {},
  sampling: {},
  extensions: { 'io.modelcontextprotocol/tasks': {} },
};

/** A 2026-era client with tasks, of a server or of one of several with the same store. */
export interface TaskClient {
  call(name: string, args?: object): Promise<Message>;
  /** Calls a tool that answers with a task, and gives its id. */
  begin(name: string, args?: object): Promise<string>;
  get(taskId: string): Promise<Message>;
  update(taskId: string, inputResponses: object): Promise<Message>;
  cancel(taskId: string): Promise<Message>;
  /** Polls until it has one of these statuses, and gives it. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it as far as they need
  until(taskId: string, ...statuses: readonly string[]): Promise<any>;
}

export function taskClient(
  url: URL,
  headers: Record<string, string> = {},
  capabilities: object = TASKS,
): TaskClient {
  const request = (method: string, params: object) =>
    ask(url, method, { ...params, _meta: envelope(capabilities) }, headers);
  const call = (name: string, args: object = {}) => request('tools/call', { name, arguments: args });
  const get = (taskId: string) => request('tasks/get', { taskId });
  return {
    call,
    get,
    async begin(name, args) {
      const { result, error } = await call(name, args);
      if (result?.resultType !== 'task') throw new Error(`no task: ${JSON.stringify(result ?? error)}`);
      return result.taskId;
    },
    update: (taskId, inputResponses) => request('tasks/update', { taskId, inputResponses }),
    cancel: (taskId) => request('tasks/cancel', { taskId }),
    async until(taskId, ...statuses) {
      for (;;) {
        const { result, error } = await get(taskId);
        if (error) throw new Error(`tasks/get: ${JSON.stringify(error)}`);
        if (statuses.includes(result.status)) return result;
        await delay(20);
      }
    },
  };
}

/** Opens a stream of news (`subscriptions/listen`). */
export function listening(
  url: URL,
  notifications: object,
  headers: Record<string, string> = {},
  capabilities: object = TASKS,
): Promise<Reply> {
  return stateless(url, 'subscriptions/listen', { notifications, _meta: envelope(capabilities) }, headers);
}
