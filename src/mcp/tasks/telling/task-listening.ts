import { isObject } from '../../../core/schema/is-object.ts';
import type { Caller } from '../../caller.ts';
import type { ServerParts } from '../../host.ts';
import type { Result } from '../../request/open-call.ts';
import { META } from '../../wire/meta.ts';
import { RPC, RpcError } from '../../wire/rpc/rpc-error.ts';
import type { Task } from '../task.ts';
import { declaresTasks, detailedTask2026, needsTasks } from '../wire-2026.ts';

/** Most tasks that one stream may name. */
const MAX_TASKS = 1000;

/** The tasks of which a client wants to hear on one `subscriptions/listen`. */
export class TaskListening {
  /** Those that are its own, and that it will hear of. */
  readonly accepted: readonly string[];
  readonly #following: ReadonlyMap<string, Following>;
  readonly #pollInterval: number;

  private constructor(following: ReadonlyMap<string, Following>, pollInterval: number) {
    this.#following = following;
    this.#pollInterval = pollInterval;
    this.accepted = [...following.keys()];
  }

  /**
   * Nothing for a message that names no tasks, and where there are none.
   *
   * @throws `RpcError` for a client without the extension
   */
  static async of(host: ServerParts, caller: Caller, message: unknown): Promise<TaskListening | undefined> {
    const wanted = subscribedTasks(message);
    const { tasks } = host;
    if (!wanted || !tasks) return undefined;
    if (!declaresTasks(capabilitiesIn(message))) throw needsTasks('a subscription to tasks');
    const following = new Map<string, Following>();
    const listening = () => new TaskListening(following, tasks.pollInterval);
    for (const id of wanted) {
      const one = new Following();
      try {
        one.stop = await host.run(() => tasks.follow({ caller, id }, one));
        following.set(id, one);
      } catch (error) {
        // It is not there, or not theirs.
        if (error instanceof RpcError && error.code === RPC.invalidParams) continue;
        listening().close();
        throw error;
      }
    }
    return listening();
  }

  /**
   * Tells how each stands, now and from here on.
   *
   * @param told given the params of a notification
   * @param over called when nothing more comes of any of them
   */
  begin(told: (params: Result) => void, over: () => void = () => {}): void {
    let left = this.#following.size;
    for (const one of this.#following.values()) {
      one.begin(
        (task) => told(detailedTask2026(task, this.#pollInterval)),
        () => {
          left -= 1;
          if (left === 0) over();
        },
      );
    }
    if (left === 0 && this.#following.size === 0) over();
  }

  close(): void {
    for (const one of this.#following.values()) one.close();
  }
}

/** One task, whose news wait until they may be told. */
class Following {
  stop: (() => void) | undefined;
  #task: Task | undefined;
  #over = false;
  #to: { told(task: Task): void; over(): void } | undefined;

  readonly told = (task: Task): void => {
    if (this.#to) this.#to.told(task);
    else this.#task = task;
  };

  readonly over = (): void => {
    this.#over = true;
    this.#to?.over();
  };

  begin(told: (task: Task) => void, over: () => void): void {
    this.#to = { told, over };
    if (this.#task) told(this.#task);
    this.#task = undefined;
    if (this.#over) over();
  }

  close(): void {
    this.#to = { told: () => {}, over: () => {} };
    this.stop?.();
  }
}

/** Whether a message is a `subscriptions/listen` that names tasks. */
export function namesTasks(message: unknown): boolean {
  return subscribedTasks(message) !== undefined;
}

/** The tasks that a `subscriptions/listen` wants to hear of. */
function subscribedTasks(message: unknown): readonly string[] | undefined {
  if (!isObject(message) || message.method !== 'subscriptions/listen' || !isObject(message.params))
    return undefined;
  const { notifications } = message.params;
  const ids = isObject(notifications) ? notifications.taskIds : undefined;
  if (!Array.isArray(ids)) return undefined;
  return [...new Set(ids.filter((id) => typeof id === 'string'))].slice(0, MAX_TASKS);
}

/** What its client can do, as it says with each request. */
function capabilitiesIn(message: unknown): unknown {
  const meta = isObject(message) && isObject(message.params) ? message.params._meta : undefined;
  return isObject(meta) ? meta[META.clientCapabilities] : undefined;
}
