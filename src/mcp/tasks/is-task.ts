import { toolOf } from '../../core/plugin/offer.ts';
import { isObject } from '../../core/schema/is-object.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { ServerParts } from '../host.ts';
import type { Callable } from '../request/open-call.ts';
import { RPC, RpcError } from '../wire/rpc/rpc-error.ts';
import { needsTasks } from './wire-2026.ts';

/**
 * Whether a server has tasks: its calls can go on without a request, and some tool says `.task()`, or may come to. A client reads this
 * once, when it connects; a tool that comes later is called by what was said then.
 */
export function hasTasks({
  tasks,
  catalog,
}: Pick<ServerParts, 'tasks'> & { readonly catalog: Catalog }): boolean {
  if (tasks === undefined) return false;
  return (
    catalog.has('tools').changes ||
    catalog.tools.items.some((served) => toolOf(served).def.task !== undefined)
  );
}

/**
 * Whether a call of a 2025-era client is a task: its client asks for that.
 *
 * @throws `-32601` where the tool has none, or is nothing else
 */
export function isTask2025(
  host: ServerParts,
  { method, tool }: Callable,
  params: Readonly<Record<string, unknown>>,
): boolean {
  const asked = isObject(params.task);
  const { task } = tool.def;
  if (method !== 'tools/call' || (!asked && !task?.required) || !hasTasks(host)) return false;
  if (asked && !task) throw refused(`'${tool.name}' has no tasks: call it without 'task'`);
  if (!asked && task?.required) throw refused(`'${tool.name}' is called as a task only: call it with 'task'`);
  return asked;
}

/**
 * Whether a call of a 2026-era client is a task: its tool says so, and its client declares the extension.
 *
 * @param goesOn whether it is a call that has asked within a request before
 * @throws `-32021` for a client that cannot call the tool
 */
export function isTask2026(
  host: ServerParts,
  { method, tool }: Callable,
  { declared, goesOn }: { readonly declared: boolean; readonly goesOn: boolean },
): boolean {
  const { task } = tool.def;
  if (method !== 'tools/call' || !task) return false;
  if (!host.tasks) {
    if (!task.required) return false;
    throw new RpcError(
      RPC.refused,
      `'${tool.name}' is called as a task only, and this server has none: it needs a store, or calls in memory`,
    );
  }
  if (declared) return task.asksFirst === goesOn;
  if (task.required) throw needsTasks(`'${tool.name}'`);
  return false;
}

function refused(message: string): RpcError {
  return new RpcError(RPC.methodNotFound, message);
}
