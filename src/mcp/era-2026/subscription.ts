import * as z from 'zod';
import { isObject } from '../../core/schema/is-object.ts';
import { LISTS } from '../catalog/catalog.ts';
import { declaredCapabilities } from '../catalog/methods.ts';
import type { Result } from '../request/open-call.ts';
import type { Follower } from '../tasks/task.ts';
import { declaresTasks, detailedTask2026, needsTasks, TASK_STATUS_2026 } from '../tasks/wire-2026.ts';
import { META } from '../wire/meta.ts';
import type { RpcRequest } from '../wire/rpc/json-rpc.ts';
import { invalidParams, RPC, RpcError } from '../wire/rpc/rpc-error.ts';
import type { Exchange2026, Serving2026 } from './serving.ts';

const FILTER = z.object({
  toolsListChanged: z.boolean().optional(),
  promptsListChanged: z.boolean().optional(),
  resourcesListChanged: z.boolean().optional(),
  resourceSubscriptions: z.array(z.string()).optional(),
  // Source: SEP-2663, "Task Status Notifications".
  taskIds: z.array(z.unknown()).optional(),
});

/**
 * Serves `subscriptions/listen`: acknowledges what its client will hear of, and tells of that until the client or the server ends it, or
 * nothing more can come.
 *
 * @throws `RpcError`
 */
export async function serveSubscription(
  serving: Serving2026,
  { id, params = {} }: RpcRequest,
  exchange: Exchange2026,
): Promise<Result> {
  const { host, caller, subscriptions } = serving;
  const meta = isObject(params._meta) ? params._meta : {};
  const { data: wanted } = FILTER.safeParse(params.notifications);
  if (!wanted)
    throw invalidParams("Invalid params: 'notifications' is required and must be a valid SubscriptionFilter");
  const tasks = wanted.taskIds && host.tasks;
  if (tasks && !declaresTasks(meta[META.clientCapabilities])) throw needsTasks('a subscription to tasks');
  if (subscriptions.open >= subscriptions.most)
    throw new RpcError(RPC.internal, 'Subscription limit reached');

  const declared = declaredCapabilities(host, '2026', caller);
  const lists = LISTS.filter((name) => wanted[`${name}ListChanged`] && declared[name]?.listChanged);
  const uris = new Set(declared.resources && wanted.resourceSubscriptions);
  /** Tasks of which it is not known that nothing more comes, and those that it will hear of. */
  const running = new Set(tasks && wanted.taskIds?.filter((one) => typeof one === 'string'));
  const taskIds: string[] = [];

  const over = Promise.withResolvers<void>();
  const quiet = () => {
    if (exchange.holdsConnection && lists.length + uris.size + running.size === 0) over.resolve();
  };
  const _meta = { [META.subscriptionId]: id };
  const send = (method: string, news: Result = {}) => {
    // What cannot be sent is lost: its client has gone.
    exchange.notify(method, { ...news, _meta }).catch(() => {});
  };
  // Nothing is told before it is acknowledged.
  const early: Parameters<typeof send>[] = [];
  let tell: typeof send = (...news) => void early.push(news);

  const stops = [
    exchange.awaited.onEnd(over.resolve),
    host.changes.follow({
      listChanged: (name) => {
        if (lists.includes(name)) tell(`notifications/${name}/list_changed`);
      },
      resourceUpdated: (uri) => {
        if (uris.has(uri)) tell('notifications/resources/updated', { uri });
      },
    }),
    ...Array.from(uris, (uri) => host.watchers.retain(uri, caller.name) ?? (() => {})),
  ];
  exchange.finish = over.resolve;
  subscriptions.open += 1;
  try {
    for (const taskId of [...running]) {
      if (!tasks) break;
      const follower: Follower = {
        told: (task) => tell(TASK_STATUS_2026, detailedTask2026(task, tasks.pollInterval)),
        over() {
          running.delete(taskId);
          quiet();
        },
      };
      try {
        stops.push(await host.run(() => tasks.follow({ caller, id: taskId }, follower)));
        taskIds.push(taskId);
      } catch (error) {
        // It is not there, or not theirs.
        if (!(error instanceof RpcError && error.code === RPC.invalidParams)) throw error;
        running.delete(taskId);
      }
    }
    const accepted = {
      ...Object.fromEntries(lists.map((name) => [`${name}ListChanged`, true])),
      ...(uris.size > 0 && { resourceSubscriptions: [...uris] }),
      ...(tasks && { taskIds }),
    };
    send('notifications/subscriptions/acknowledged', { notifications: accepted });
    tell = send;
    for (const news of early) send(...news);
    quiet();
    await over.promise;
    return { _meta };
  } finally {
    subscriptions.open -= 1;
    exchange.finish = undefined;
    for (const stop of stops) stop();
  }
}
