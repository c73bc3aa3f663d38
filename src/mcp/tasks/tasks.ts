import { type Operation, race } from 'effection';
import { isTakenElsewhere } from '../../calls/giving.ts';
import type { CallSnapshot } from '../../calls/messages.ts';
import { type CallAttachment, CallRefused } from '../../calls/port.ts';
import { callKey } from '../../runtime/journal/call-key.ts';
import type { CallName } from '../../runtime/journal/call-store.ts';
import type { Ask } from '../../runtime/session/ask.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { Session } from '../../runtime/session/session.ts';
import { eventLoopTurn } from '../../runtime/time/event-loop.ts';
import type { Caller } from '../caller.ts';
import { toolCall } from '../catalog/callable.ts';
import { answeredBy, roundSent, waitedFor } from '../clients/answered-by.ts';
import { letGoCall, type ServerCalls } from '../era-2026/serve-call.ts';
import type { Callable, Result } from '../request/open-call.ts';
import { newerRefusal, storeRefusal } from '../stored/refusal.ts';
import { RPC, RpcError } from '../wire/rpc/rpc-error.ts';
import { digestOf } from '../wire/state/state.ts';
import type { NewTask, TaskRequest, Tasks } from './port.ts';
import {
  type Follower,
  factsIn,
  isOver,
  newTask,
  type Task,
  taskKeyOf,
  taskOf,
  unknownTask,
} from './task.ts';
import { FollowedTasks } from './telling/followed-tasks.ts';

/** What tasks need of their server. */
export interface TasksParts extends ServerCalls {
  /** How long a task can be looked at after its creation, unless its client wants it shorter, milliseconds. */
  readonly life: number;
  /** How often a client should look, milliseconds. */
  readonly pollInterval: number;
}

/** Who answers a task that goes on in this process: nobody at the other end of the wire, but perhaps somebody here. */
interface Here {
  readonly name: CallName;
  readonly client: Client;
}

/** Most tasks of a principal that are listed. */
const MOST = 1_000;
const MAX_ID = 200;
/** How long a process that is just giving a task back is waited for, milliseconds. */
const PATIENCE = 2_000;

/** The tasks of a server: calls that are answered with their id, and looked at. */
export class ServerTasks implements Tasks {
  readonly #parts: TasksParts;
  readonly #here = new Map<string, Here>();
  /** Questions that a page asks in place of their clients. */
  readonly #onPage = new Set<string>();
  readonly #followed: FollowedTasks;

  constructor(parts: TasksParts) {
    const { host, calls, pollInterval } = parts;
    this.#parts = parts;
    this.#followed = new FollowedTasks({
      ...{ host, calls, pollInterval },
      look: (name) => this.#seen(name),
    });
  }

  get pollInterval(): number {
    return this.#parts.pollInterval;
  }

  *begin({ call, era, brought, ttl: wanted, answer }: NewTask): Operation<Result> {
    const { calls, life } = this.#parts;
    const { callable, absent: client, signal } = call;
    const createdAt = Date.now();
    const ttl = Math.min(wanted ?? life, life);
    const keeps = { beside: newTask(callable.tool, era, createdAt, ttl), until: createdAt + ttl };
    const snapshot = yield* letGoCall(this.#parts, call, brought, { keeps, ...this.#goingOn(client) });
    // Cancelled in the turn in which it came, or while it began: there is no answer then, so its client never knows of it.
    yield* eventLoopTurn();
    if (signal.aborted) yield* calls.send(snapshot.name, stopped(CANCELLED));
    // It may be over by now: who reads this looks.
    return answer({ ...taskOf(snapshot, []), status: 'working' });
  }

  *get(request: TaskRequest): Operation<Task> {
    const name = nameOf(request);
    try {
      const snapshot = yield* this.#snapshot(name);
      if (!snapshot.idle || snapshot.newer) return this.#task(snapshot);
      // Its process is gone; or it was, when somebody answered.
      yield* this.#goOn(request, snapshot);
      return yield* this.#seen(name);
    } catch (error) {
      throw this.#refusal(error);
    }
  }

  *update(request: TaskRequest, responses: Readonly<Record<string, unknown>>): Operation<void> {
    const { calls, host } = this.#parts;
    const name = nameOf(request);
    try {
      const snapshot = yield* this.#snapshot(name);
      if (snapshot.newer) throw newerRefusal();
      const asks = this.#asks(snapshot).filter((ask) => Object.hasOwn(responses, taskKeyOf(ask)));
      // What fits no question is ignored.
      if (asks.length === 0) return;
      for (const group of [
        asks.filter((ask) => !isForPerson(ask)),
        ...asks.filter(isForPerson).map((ask) => [ask]),
      ]) {
        const [first] = group;
        if (!first) continue;
        const waited = Math.min(...group.map((ask) => waitedFor(sentAs(name, ask))));
        const by = answeredBy(request.clientInfo, waited, isForPerson(first));
        if (by === 'client' && isForPerson(first) && request.person) {
          this.#askOnPage(request, snapshot, first, request.person);
          continue;
        }
        const answers = Object.fromEntries(group.map((ask) => [ask.wireKey, responses[taskKeyOf(ask)]]));
        const seen = Object.fromEntries(group.map(({ id, attempt }) => [id, attempt]));
        const id = digestOf({ answers, seen });
        const sent = yield* calls.send(name, { id, digest: id, answers, seen, by });
        if (sent === 'full')
          throw new RpcError(RPC.refused, 'Too many answers wait for this task: try again later');
      }
      if (yield* this.#goOn(request, snapshot)) return;
      // Who has it may be just giving it back.
      host.run(() => this.#goOn(request, snapshot, PATIENCE)).catch(() => {});
    } catch (error) {
      throw this.#refusal(error);
    }
  }

  *cancel(request: TaskRequest): Operation<Task> {
    const name = nameOf(request);
    try {
      const before = yield* this.#seen(name);
      if (!isOver(before)) yield* this.#parts.calls.send(name, stopped(CANCELLED));
      return before;
    } catch (error) {
      throw this.#refusal(error);
    }
  }

  *list({ name: principal }: Caller): Operation<readonly Task[]> {
    const all = yield* this.#parts.calls.list({ principal, limit: MOST });
    return all.filter(factsIn).map((snapshot) => this.#task(snapshot));
  }

  *attend(request: TaskRequest, present: (callable: Callable) => Client): Operation<Task> {
    const { calls } = this.#parts;
    const name = nameOf(request);
    try {
      const snapshot = yield* this.#snapshot(name);
      if (snapshot.end) return taskOf(snapshot);
      if (snapshot.newer) throw newerRefusal();
      const callable = this.#callable(request, snapshot);
      const client = present(callable);
      const goOn = () => this.#goOn(request, snapshot);
      const attachment: CallAttachment = {
        ...{ client, resume: this.#resuming(callable, client) },
        // It goes on when this request does not.
        *attended(_, run) {
          yield* goOn();
          return yield* run(client);
        },
      };
      return taskOf(yield* calls.attach(name, attachment, 'end'));
    } catch (error) {
      throw this.#refusal(error);
    }
  }

  *follow(request: Pick<TaskRequest, 'caller' | 'id'>, follower: Follower): Operation<() => void> {
    try {
      return yield* this.#followed.follow(nameOf(request), follower);
    } catch (error) {
      throw this.#refusal(error);
    }
  }

  *abandon(principal: string, why: string): Operation<void> {
    for (const { name } of [...this.#here.values()])
      if (name.principal === principal) yield* this.#parts.calls.send(name, stopped(why));
  }

  /** Has a page ask what its client has answered by itself, though only a person may: until then its client does not see it. */
  #askOnPage(request: TaskRequest, snapshot: CallSnapshot, ask: Ask, page: Client): void {
    const { calls, host } = this.#parts;
    const { name } = snapshot;
    const key = sentAs(name, ask);
    const isIt = ({ id }: Ask) => id === ask.id;
    const client: Client = { ...page, can: isIt, pick: (one) => (isIt(one) ? page : undefined) };
    const resume = this.#resuming(this.#callable(request, snapshot), request.absent);
    const attachment: CallAttachment = {
      ...{ client, resume },
      attended: (session, run) => race([run(client), closed(session, ask.id)]),
    };
    this.#onPage.add(key);
    host
      .run(() => calls.attach(name, attachment, 'end'))
      .catch((cause: unknown) => host.report('a question of a task could not be asked on its page', cause))
      .finally(() => this.#onPage.delete(key));
  }

  *#snapshot(name: CallName): Operation<CallSnapshot> {
    const snapshot = yield* this.#parts.calls.get(name);
    if (!snapshot || !factsIn(snapshot)) throw unknownTask();
    return snapshot;
  }

  *#seen(name: CallName): Operation<Task> {
    return this.#task(yield* this.#snapshot(name));
  }

  #task(snapshot: CallSnapshot): Task {
    const asks = this.#asks(snapshot);
    for (const ask of asks) roundSent(sentAs(snapshot.name, ask));
    return taskOf(snapshot, asks);
  }

  /** What is open for its client: somebody here may be answering some of it. */
  #asks({ name, asks }: CallSnapshot): readonly Ask[] {
    const here = this.#here.get(callKey(name));
    return asks.filter(
      (ask) => !this.#onPage.has(sentAs(name, ask)) && (!here || isTakenElsewhere(here.client, ask)),
    );
  }

  /** Has it go on by itself here, unless another process has it; says whether it does. What nobody here can go on with is as it was kept. */
  *#goOn(request: TaskRequest, snapshot: CallSnapshot, patience = 0): Operation<boolean> {
    const { calls, host } = this.#parts;
    const until = performance.now() + patience;
    try {
      const callable = this.#callable(request, snapshot);
      const resume = this.#resuming(callable, request.absent);
      const isGone = () => performance.now() >= until;
      yield* calls.attach(snapshot.name, { ...this.#goingOn(request.absent), resume, isGone }, 'begun');
      return true;
    } catch (error) {
      if (error instanceof CallRefused) return error.why !== 'closed';
      host.report('a task could not continue', error, 'state');
      return true;
    }
  }

  #goingOn(client: Client): Pick<CallAttachment, 'client' | 'attended'> {
    const all = this.#here;
    return {
      client,
      *attended({ principal, id: callId }, run) {
        const here: Here = { name: { principal, conversation: '', callId }, client };
        const key = callKey(here.name);
        all.set(key, here);
        try {
          return yield* run(client);
        } finally {
          if (all.get(key) === here) all.delete(key);
        }
      },
    };
  }

  #callable({ caller }: TaskRequest, { tool: name, ...snapshot }: CallSnapshot): Callable {
    const { era = '2026' } = factsIn(snapshot) ?? {};
    return toolCall(this.#parts.host.for(caller.name), caller, era, { name, arguments: {} }, true);
  }

  #resuming({ served: tool }: Callable, client: Client): CallAttachment['resume'] {
    const capabilities = client.capabilities();
    return (options) => this.#parts.host.manager.resume({ ...options, tool, capabilities });
  }

  #refusal(error: unknown): unknown {
    if (!(error instanceof CallRefused)) return storeRefusal(this.#parts.host, error);
    return error.why === 'newer' ? newerRefusal() : unknownTask();
  }
}

/** What a question is known by that its client has seen. */
function sentAs({ callId }: CallName, ask: Ask): string {
  return `${callId} ${taskKeyOf(ask)}`;
}

function isForPerson(ask: Ask): boolean {
  return ask.kind === 'elicit' && ask.person === true;
}

/** Ends when a question is open no more. */
function* closed(session: Session, id: string): Operation<undefined> {
  while (session.openAsks().some((ask) => ask.id === id))
    yield* session.nextEvent(session.events().at(-1)?.at ?? 0);
}

/** What is said of a task that was cancelled. */
const CANCELLED = 'its client cancelled it';

function stopped(stop: string) {
  return { id: `stop: ${stop}`, digest: '', stop };
}

/** Which task it is about. @throws `-32602` for what is no id of one */
function nameOf({ caller, id }: Pick<TaskRequest, 'caller' | 'id'>): CallName {
  if (typeof id !== 'string' || id.length > MAX_ID) throw unknownTask();
  return { principal: caller.name, conversation: '', callId: id };
}
