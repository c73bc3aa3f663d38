import { action, type Operation, race } from 'effection';
import { type EndEvent, isEnd } from '../../../runtime/session/events.ts';
import type { Session } from '../../../runtime/session/session.ts';
import { chatPrincipal } from '../../ids.ts';
import type { CallEntry } from '../call-entry.ts';
import type { CallList } from '../call-list.ts';
import type { CallHistory } from '../history/call-history.ts';
import type { EarlierWindows } from './earlier-windows.ts';

/** What finding a call of `@parley` needs. */
export interface ChatsCallsParts {
  readonly calls: Pick<CallList, 'list'>;
  readonly history: Pick<CallHistory, 'list' | 'read' | 'subscribe'>;
  readonly earlier: Pick<EarlierWindows, 'known'>;
}

/**
 * Finds a call that `@parley` made before the window was loaded again: its session, taken up for the turn, or how it ended; nothing
 * when there is no such call any more. Waits while the call cannot go on before the person has looked into its panel:
 * `stuck` hears of that.
 */
export function createChatsCalls({ calls, history, earlier }: ChatsCallsParts) {
  /** How a call that is over ended, by its history. */
  function* keptEnd(callId: string): Operation<EndEvent | undefined> {
    const kept = history.list().find((one) => one.callId === callId && one.principal === chatPrincipal);
    const record = kept && (yield* history.read(kept));
    return record?.events().findLast(isEnd);
  }
  function* endOf(callId: string): Operation<EndEvent | undefined> {
    yield* isKept(history, callId);
    return yield* keptEnd(callId);
  }
  return function* find(
    callId: string,
    stuck: (entry: CallEntry) => void,
  ): Operation<Session | EndEvent | undefined> {
    yield* earlier.known(callId);
    const entry = calls.list().find((one) => {
      const record = one.record();
      return record?.id === callId && record.principal === chatPrincipal;
    });
    if (!entry || entry.panel.store.get().end) return entry?.session()?.ended() ?? (yield* keptEnd(callId));
    entry.waiting()?.callerIsBack();
    // The person may stop it instead.
    return yield* race([entry.attach(), endOf(callId), watching(entry, stuck)]);
  };
}

/** Waits until a call that is over is in the history. */
function isKept(history: ChatsCallsParts['history'], callId: string): Operation<void> {
  return action((resolve) => {
    const look = () => {
      if (history.list().some((one) => one.callId === callId)) resolve();
    };
    look();
    return history.subscribe(look);
  });
}

/** Says once that a call waits for a press of a button in its panel. Never ends. */
function watching(entry: CallEntry, stuck: (entry: CallEntry) => void): Operation<never> {
  return action(() => {
    const { store } = entry.panel;
    let said = false;
    const look = () => {
      if (said || !store.get().pause?.actions?.length) return;
      said = true;
      stuck(entry);
    };
    look();
    return store.subscribe(look);
  });
}
