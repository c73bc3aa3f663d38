import { type Operation, race } from 'effection';
import { isObject } from '../../core/schema/is-object.ts';
import { aborted } from '../../runtime/call/aborted.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { ServerParts } from '../host.ts';
import type { Callable, Result } from '../request/open-call.ts';
import type { WireRequest } from '../request/wire-request.ts';
import { resultFor } from '../wire/blocks-for.ts';
import type { Era } from '../wire/era.ts';
import { invalidParams, RPC, RpcError } from '../wire/rpc/rpc-error.ts';
import { pageOf } from '../wire/state/cursor.ts';
import type { TaskRequest, Tasks } from './port.ts';
import { isOver } from './task.ts';
import { encodeTask2025, taskResult2025 } from './wire-2025.ts';
import { encodeTask2026, needsTasks } from './wire-2026.ts';

/** Who is asked what a task asks. */
export interface TaskClients {
  /** While nobody is at the other end of the wire. */
  readonly absent: Client;
  /** Where that answers what only a person may. */
  readonly person: Client | undefined;
  /** Within this request. */
  present(callable: Callable): Client;
}

interface Asked extends TaskRequest {
  readonly host: ServerParts;
  readonly tasks: Tasks;
  readonly wire: WireRequest;
  readonly clients: TaskClients;
}

type Serve = (asked: Asked) => Operation<Result>;

const DONE: Result = { resultType: 'complete' };

const SERVED: Readonly<Record<Era, Readonly<Record<string, Serve>>>> = {
  '2026': {
    *'tasks/get'(asked) {
      return encodeTask2026(yield* asked.tasks.get(asked), asked.tasks.pollInterval);
    },
    *'tasks/update'(asked) {
      const responses = asked.wire.responses?.();
      if (!isObject(responses)) throw invalidParams("tasks/update: 'inputResponses' is missing or no object");
      yield* asked.tasks.update(asked, responses);
      return DONE;
    },
    *'tasks/cancel'(asked) {
      yield* asked.tasks.cancel(asked);
      return DONE;
    },
  },
  '2025': {
    *'tasks/get'(asked) {
      return encodeTask2025(yield* asked.tasks.get(asked), asked.tasks.pollInterval);
    },
    *'tasks/result'(asked) {
      const { tasks, clients, wire } = asked;
      const present = (callable: Callable) => clients.present(callable);
      const task = yield* race([tasks.attend(asked, present), aborted(wire.awaited.signal)]);
      // Nobody reads it: what was cancelled gets no answer.
      if (!task) throw new RpcError(RPC.refused, 'The request was cancelled');
      return resultFor(wire.clientInfo, taskResult2025(task));
    },
    *'tasks/cancel'(asked) {
      const { tasks } = asked;
      const before = yield* tasks.cancel(asked);
      if (isOver(before)) throw invalidParams(`The task is over already: it is ${before.status}`);
      return encodeTask2025(yield* tasks.get(asked), tasks.pollInterval);
    },
    *'tasks/list'({ host, tasks, caller, wire }) {
      if (caller.shared) throw new RpcError(RPC.methodNotFound, 'Tasks are listed to clients that log in');
      const all = yield* tasks.list(caller);
      const page = pageOf(
        [...all].sort((one, other) => (one.id < other.id ? -1 : 1)),
        { list: 'tasks', cursor: wire.params.cursor, size: host.pageSize, key: ({ id }) => id },
      );
      const { items, ...next } = page;
      return { tasks: items.map((task) => encodeTask2025(task, tasks.pollInterval)), ...next };
    },
  },
};

/** Answers a request about tasks. @throws `RpcError` */
export function serveTask(host: ServerParts, wire: WireRequest, clients: TaskClients): Operation<Result> {
  const { caller, era, method, params } = wire;
  const { tasks } = host;
  const serve = Object.hasOwn(SERVED[era], method) ? SERVED[era][method] : undefined;
  if (!serve || !tasks) throw new RpcError(RPC.methodNotFound, `Method not found: ${method}`);
  if (era === '2026' && !wire.takesTasks) throw needsTasks(method);
  const { clientInfo } = wire;
  return serve({ ...{ host, tasks, wire, clients, caller, clientInfo, id: params.taskId }, ...clients });
}
