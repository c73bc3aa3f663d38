import { ensure, type Operation, race, resource, sleep, spawn, useScope, withResolvers } from 'effection';
import { isParleyError } from '../../../core/errors/errors.ts';
import type { CallStore } from '../../../runtime/journal/call-store.ts';
import type { KeepJournal } from '../../../runtime/journal/sink.ts';
import type { ClaimedCall } from '../../../runtime/manager/claimed-call.ts';
import type { SessionManager } from '../../../runtime/manager/manager.ts';
import type { Session } from '../../../runtime/session/session.ts';
import { ifJson } from '../../log/if-json.ts';
import type { Finished } from '../history/call-history.ts';
import type { KeptCall } from '../history/kept-call.ts';
import { OngoingCall, type OngoingParts } from './ongoing-call.ts';

/** What keeps the calls of a window while they last. */
export interface OngoingCallsParts {
  store(): Operation<CallStore>;
  /** Which of the windows on a folder this is. */
  readonly window?: number | undefined;
  /** Whether calls are to be kept; read for each. */
  enabled(): boolean;
  /** Hears what cannot be kept; `first` is true once a window. */
  failed(error: unknown, first: boolean): void;
  /** A call goes on in another window. */
  lost(call: OngoingCall): void;
}

/** The calls of a window that have not ended, on their way to the store. */
export interface OngoingCalls {
  /** For the manager of the window. */
  readonly keep: KeepJournal;
  /** The one behind a session, if it is kept. */
  of(session: Pick<Session, 'id' | 'principal'>): OngoingCall | undefined;
  /**
   * Keeps a call as one that has ended, once its journal says so: `nothing` where nothing of it was written while it lasted, and it is
   * to be kept whole; `dropped` where it has not ended, or not here.
   */
  finish(session: Pick<Session, 'id' | 'principal'>, kept: KeptCall): Operation<Finished>;
  /** One that a window before this had begun. */
  found(name: OngoingCall['name'], header: unknown): OngoingCall;
  /** Claims are kept up with the help of the manager that runs the calls. */
  useManager(manager: Pick<SessionManager, 'release'>): void;
  /** From here on calls do not end: they wait for the next window. */
  windowCloses(): void;
}

/** Between two writings of events and of what pages leave, milliseconds: the first is at once. */
const PACE = 100;

/** A resource: keeps calls while they last, and gives them back when its owner ends. It has to outlive the manager. */
export function useOngoingCalls(parts: OngoingCallsParts): Operation<OngoingCalls> {
  return resource(function* (provide) {
    const scope = yield* useScope();
    const calls = new Map<string, OngoingCall>();
    /** Calls that another window has taken up, until their copy here has ended. */
    const elsewhere = new Set<string>();
    const closes = withResolvers<void>('the window closes');
    let news = withResolvers<void>();
    let manager: Pick<SessionManager, 'release'> = {
      *release() {
        return false;
      },
    };
    let troubled = false;
    const failed = (error: unknown): void => {
      parts.failed(error, !troubled);
      troubled = true;
    };
    const drop = (call: OngoingCall): void => {
      if (calls.get(keyOf(call.name)) === call) calls.delete(keyOf(call.name));
    };
    const own: OngoingParts = {
      store: parts.store,
      window: parts.window,
      enabled: parts.enabled,
      closesWithin: (milliseconds) => race([isTrue(closes.operation), isFalse(sleep(milliseconds))]),
      wake: () => news.resolve(),
      held(call, held: ClaimedCall) {
        // Its name here says nothing of the conversation, by which the manager knows it as well.
        const session = { ...call.name, conversation: call.conversation };
        news.resolve();
        scope.run(function* () {
          const lost = yield* race([
            isTrue(held.renewing({ manager, session, report: (_, cause) => failed(cause) })),
            isFalse(call.given()),
          ]);
          if (lost) call.lost();
          drop(call);
          if (!call.isElsewhere) return;
          elsewhere.add(keyOf(call.name));
          parts.lost(call);
        });
      },
      failed,
    };
    function* writeAll(): Operation<void> {
      for (const call of [...calls.values()]) {
        try {
          yield* call.writeLate();
        } catch (error) {
          if (!isParleyError(error, 'CLAIM_LOST')) failed(error);
        }
      }
    }
    yield* spawn(function* () {
      for (;;) {
        yield* news.operation;
        news = withResolvers<void>();
        yield* writeAll();
        yield* sleep(PACE);
      }
    });
    const add = (name: OngoingCall['name'], header: unknown): OngoingCall => {
      const call = new OngoingCall(own, name, ifJson(header) ?? {});
      calls.set(keyOf(name), call);
      return call;
    };
    yield* ensure(function* () {
      yield* writeAll();
      for (const call of [...calls.values()]) yield* call.release();
    });
    yield* provide({
      *keep(header) {
        if (!parts.enabled()) return undefined;
        return add(nameOf({ id: header.callId, principal: header.principal }), header).sink;
      },
      of: (session) => calls.get(keyOf(nameOf(session))),
      *finish(session, kept) {
        const call = calls.get(keyOf(nameOf(session)));
        // Of one that another window has, this one keeps nothing.
        if (!call) return elsewhere.delete(keyOf(nameOf(session))) ? 'dropped' : 'nothing';
        const how = yield* call.finish(kept);
        drop(call);
        return how;
      },
      found: add,
      useManager(given) {
        manager = given;
      },
      windowCloses() {
        closes.resolve();
        for (const call of calls.values()) call.windowCloses();
      },
    });
  });
}

function nameOf({ id, principal }: Pick<Session, 'id' | 'principal'>): OngoingCall['name'] {
  // Of whichever conversation: ids are unique, and whoever looks for one has only that.
  return { principal, conversation: '', callId: id };
}

function keyOf({ principal, callId }: OngoingCall['name']): string {
  return JSON.stringify([principal, callId]);
}

function* isTrue(operation: Operation<unknown>): Operation<boolean> {
  yield* operation;
  return true;
}

function* isFalse(operation: Operation<unknown>): Operation<boolean> {
  yield* operation;
  return false;
}
