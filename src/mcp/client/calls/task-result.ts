import type { CallToolResult, JSONRPCMessage } from '@modelcontextprotocol/client';
import { isObject } from '../../../core/schema/is-object.ts';

/** Where a result carries the task that it stands for, between the gate of a connection and whoever called. */
const TASK = 'parley/task';

/**
 * The answer to a call that became a task of 2026-07-28, as the SDK lets it through. It refuses a result that is neither complete nor a
 * question, so the task travels in an empty one.
 */
export function carryTask(message: JSONRPCMessage): JSONRPCMessage {
  if (!('result' in message) || message.result.resultType !== 'task') return message;
  const result = { resultType: 'complete', content: [], _meta: { [TASK]: message.result } };
  return { ...message, result };
}

/** The task that a call became; nothing for a call that is over. */
export function carriedTask({ _meta }: CallToolResult): Readonly<Record<string, unknown>> | undefined {
  const task = _meta?.[TASK];
  return isObject(task) ? task : undefined;
}
