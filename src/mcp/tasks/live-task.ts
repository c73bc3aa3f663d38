import { ensure, type Operation, race, scoped, sleep, spawn, withResolvers } from 'effection';
import { failUnanswerable, isTakenElsewhere } from '../../calls/giving.ts';
import { nextDue } from '../../calls/next-due.ts';
import { drive } from '../../runtime/drive/drive.ts';
import type { CallName } from '../../runtime/journal/call-store.ts';
import type { HeldCall } from '../../runtime/manager/held-call.ts';
import type { Ask } from '../../runtime/session/ask.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { EndEvent } from '../../runtime/session/events.ts';
import type { Session } from '../../runtime/session/session.ts';
import { encodeInputRequest, giveResponse } from '../era-2026/input-requests.ts';
import type { ServerParts } from '../host.ts';
import type { Callable } from '../request/open-call.ts';
import { lackingError } from '../wire/capabilities.ts';
import { RPC, RpcError } from '../wire/rpc/rpc-error.ts';
import { CANCELLED, type KeptTasks } from './kept/kept-tasks.ts';
import type { TaskNews } from './news.ts';
import { cancelled, inboxOf, isOver, type Task, type TaskNote, taskName, taskNoted } from './task.ts';

/** Between two looks at a task that asks while a step of it runs, milliseconds. */
const BUSY = 50;

/** What a task in this process is made of. */
export interface LiveTaskParts {
  readonly host: Pick<ServerParts, 'manager' | 'report' | 'run'>;
  readonly session: Session;
  readonly callable: Pick<Callable, 'finish' | 'tool'>;
  /** Who is asked: nobody at the other end of the wire now, but perhaps somebody here. */
  readonly client: Client;
  /** What keeps it, where it may go on in another process. */
  readonly held: HeldCall | undefined;
  readonly note: TaskNote;
  readonly news: TaskNews;
  /** What was said of it at other processes. */
  readonly kept: KeptTasks | undefined;
  /** How often it looks for that by itself, milliseconds. */
  readonly look: number;
}

/**
 * A task whose call is in this process. It is driven by nobody: what it asks waits here, or, where a store keeps it, there, and the
 * call is put away meanwhile.
 */
export class LiveTask {
  readonly #parts: Omit<LiveTaskParts, 'note'>;
  readonly #done = withResolvers<void>('the task is over, or put away');
  #note: TaskNote;
  #at = 0;
  #attended = 0;
  #leaving = false;
  #ending = false;
  /** What was said of it elsewhere is known: it is not being looked for right now. A look that is broken off may hold what it found. */
  #listened = false;
  /** How it stands, as it was written last. */
  #said: string | undefined;
  /** What is being written of how it stands. */
  readonly #writes = new Set<Operation<void>>();

  constructor({ note, ...parts }: LiveTaskParts) {
    this.#parts = parts;
    this.#note = note;
  }

  get id(): string {
    return this.session.id;
  }

  get session(): Session {
    return this.#parts.session;
  }

  /** Whether it is being put away: wait until it is, and take it up. */
  get leaving(): boolean {
    return this.#leaving;
  }

  /** Ends when it is over, or put away. */
  get done(): Operation<void> {
    return this.#done.operation;
  }

  /** How it stands. */
  task(): Task {
    const { id } = this;
    if (isOver(this.#note) || this.#leaving) return { id, ...this.#note };
    const { questions: _, ...rest } = this.#note;
    const asks = this.#asks();
    if (asks.length === 0) return { id, ...rest, status: 'working' };
    const questions = Object.fromEntries(asks.map((ask) => [keyOf(ask), encodeInputRequest(ask, {})]));
    return { id, ...rest, status: 'input_required', questions };
  }

  /** Takes it as far as it goes. */
  *run(): Operation<void> {
    const { host, session, held } = this.#parts;
    const self = this;
    const stop = session.subscribe((event) => {
      if ('ask' in event || event.type === 'ask_closed') this.#changed({});
      else if (event.type === 'progress' && event.message !== undefined)
        this.#changed({ message: event.message });
    });
    try {
      yield* scoped(function* () {
        yield* ensure(function* () {
          if (!held) return;
          yield* host.manager.unload({ principal: session.principal, callId: session.id });
          yield* held.release();
        });
        yield* spawn(() => self.#expiring());
        if (!held) return yield* self.#drive();
        yield* spawn(() => self.#listening());
        // Who loses the claim has lost the call.
        yield* race([held.renewing(host), self.#drive()]);
      });
    } finally {
      stop();
      this.#done.resolve();
      this.#tell();
    }
  }

  /** Gives answers to the questions that they are for, and ends when they are durable. What fits none is ignored. */
  *answer(responses: Readonly<Record<string, unknown>>): Operation<void> {
    const given: Operation<void>[] = [];
    for (const ask of this.#asks()) {
      if (!Object.hasOwn(responses, keyOf(ask))) continue;
      const durable = giveResponse(this.session, ask, responses[keyOf(ask)]);
      if (durable) given.push(durable);
    }
    for (const durable of given) yield* durable;
    yield* this.#keep();
  }

  /** Somebody drives it, so it stays: from here until what this gives is called. */
  attend(): () => void {
    this.#attended += 1;
    return () => {
      this.#attended -= 1;
    };
  }

  /** Ends it; whatever becomes of its code and of this process, it is cancelled once this is over. */
  *cancel(reason: string): Operation<void> {
    if (isOver(this.#note)) return;
    if (this.#ending) return yield* this.done;
    const { host, session } = this.#parts;
    const before = this.#note;
    this.#note = cancelled(before, reason);
    try {
      yield* this.#keep();
    } catch (error) {
      this.#note = before;
      throw error;
    }
    host
      .run(() => session.abort(reason))
      .catch((cause: unknown) => host.report('a cancelled task did not end well', cause));
  }

  *#drive(): Operation<void> {
    const { session, client, held } = this.#parts;
    for (;;) {
      const reached = yield* drive(session, client, 'blocked', { after: this.#at });
      if (reached.type !== 'parked') return yield* this.#end(reached);
      this.#at = reached.at;
      if (failUnanswerable(session, client, reached.asks)) continue;
      const free = this.#attended === 0 && this.#listened && this.#waits(reached.asks);
      if (held && free) return yield* this.#leave(held);
      yield* this.#say();
      const pause = held ? [sleep(BUSY)] : [];
      yield* race([session.nextEvent(this.#at), ...pause]);
    }
  }

  /** Whether it does nothing but wait for answers. An answer on its way is none of those. */
  #waits(asks: readonly Ask[]): boolean {
    const { session } = this;
    return !session.isAtWork(Date.now()) && asks.every(({ id }) => session.awaitsAnswer(id));
  }

  /** Puts the call away; whoever is given its answers takes it up. */
  *#leave(held: HeldCall): Operation<void> {
    const { host, session } = this.#parts;
    const { id: callId, ...note } = this.task();
    this.#note = note;
    this.#leaving = true;
    yield* host.manager.unload({ principal: session.principal, callId });
    yield* this.#written();
    try {
      yield* held.append({ notes: taskNoted(note), due: nextDue(session.journal()) });
    } catch (error) {
      host.report('a task could not be saved', error, 'state');
    }
  }

  *#end(end: EndEvent): Operation<void> {
    const { host, held } = this.#parts;
    this.#ending = true;
    yield* this.#written();
    const note = isOver(this.#note) ? this.#note : { ...withoutQuestions(this.#note), ...this.#outcome(end) };
    if (held) {
      yield* held.ended();
      try {
        yield* held.append({ notes: taskNoted(note), ended: true });
      } catch (error) {
        host.report('the end of a task could not be saved', error, 'state');
      }
    }
    // Who asks for it by now is given what it came to: what it was given is needed no more.
    this.#note = { ...note, given: {} };
  }

  /** What came of the call. An error of the tool is a result; it failed where the request would have. */
  #outcome(end: EndEvent): Pick<TaskNote, 'status' | 'message' | 'result' | 'error' | 'updatedAt'> {
    const updatedAt = Date.now();
    if (end.type === 'aborted') return { status: 'cancelled', message: end.reason, updatedAt };
    const { callable, client } = this.#parts;
    try {
      const lacking =
        end.type === 'error'
          ? lackingError(this.#note.era, callable.tool.def, end.error, client.capabilities())
          : undefined;
      if (lacking) throw lacking;
      return {
        status: 'completed',
        message: undefined,
        result: { ...callable.finish(end) },
        updatedAt,
      };
    } catch (error) {
      const { code, message, data } = error instanceof RpcError ? error : internal(error);
      return { status: 'failed', message, error: { code, message, data }, updatedAt };
    }
  }

  /** What is open for its client, and not answered. */
  #asks(): readonly Ask[] {
    const { session, client } = this.#parts;
    return session.openAsks().filter((ask) => isTakenElsewhere(client, ask) && session.awaitsAnswer(ask.id));
  }

  #changed(news: Partial<TaskNote>): void {
    if (isOver(this.#note)) return;
    this.#note = { ...this.#note, ...news, updatedAt: Date.now() };
    this.#parts.news.tellHere(this.#name);
  }

  /** Writes down how it stands, for those who look elsewhere. */
  *#keep(): Operation<void> {
    // It is written down there.
    if (this.#leaving || this.#ending) return yield* this.done;
    const { held } = this.#parts;
    if (!held) return;
    const { id: _, ...note } = this.task();
    const said = JSON.stringify(note);
    if (said === this.#said) return yield* this.#written();
    this.#said = said;
    const written = withResolvers<void>('how the task stands is written');
    this.#writes.add(written.operation);
    try {
      yield* held.append({ notes: taskNoted(note) });
      this.#tell();
    } catch (error) {
      this.#said = undefined;
      throw error;
    } finally {
      this.#writes.delete(written.operation);
      written.resolve();
    }
  }

  /** Waits for what is being written: what is written last is how it stands. */
  *#written(): Operation<void> {
    for (const write of [...this.#writes]) yield* write;
  }

  /** The same, where nobody waits for it: the next who looks elsewhere may see how it stood before. */
  *#say(): Operation<void> {
    try {
      yield* this.#keep();
    } catch (error) {
      this.#parts.host.report('the status of a task could not be saved', error, 'state');
    }
  }

  *#expiring(): Operation<void> {
    const { createdAt, ttl } = this.#note;
    yield* sleep(Math.min(createdAt + ttl - Date.now(), 2 ** 31 - 1));
    try {
      yield* this.cancel('it has expired');
    } catch {
      // Nobody can look at it any more, and its process lets go of it with its claim.
    }
  }

  /** Hears what was said of it at other processes. */
  *#listening(): Operation<void> {
    const { kept, host, news, look } = this.#parts;
    if (!kept) return;
    const ear = news.ear(inboxOf(this.#name));
    try {
      while (!isOver(this.#note) && !this.#leaving) {
        this.#listened = false;
        try {
          if (yield* kept.wasCancelled(this.#name)) {
            yield* this.cancel(CANCELLED);
            yield* kept.heard(this.#name);
          } else yield* kept.takeAnswers(this.#name, (responses) => this.answer(responses));
          this.#listened = true;
        } catch (error) {
          host.report('updates of a task from other processes could not be read', error, 'state');
        }
        yield* ear.next(look);
      }
    } finally {
      ear.close();
    }
  }

  get #name(): CallName {
    return taskName(this.session.principal, this.id);
  }

  #tell(): void {
    this.#parts.news.tell(this.#name);
  }
}

/** Where one question is asked again it has another key: a key is used once in the life of a task. */
function keyOf({ wireKey, attempt }: Ask): string {
  return attempt === 1 ? wireKey : `${wireKey}~${attempt}`;
}

function withoutQuestions({ questions: _, ...rest }: TaskNote): TaskNote {
  return rest;
}

function internal(error: unknown): RpcError {
  return new RpcError(RPC.internal, error instanceof Error ? error.message : String(error));
}
