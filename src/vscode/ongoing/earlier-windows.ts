import { all, type Operation, race, sleep, spawn, withResolvers } from 'effection';
import * as vscode from 'vscode';
import type { CallSummary } from '../../runtime/journal/call-store.ts';
import { nextOf } from '../bridge.ts';
import type { CallDesk } from '../calls/desk.ts';
import { useHome, useLog } from '../contexts.ts';
import type { CallHistory } from '../history/call-history.ts';
import type { OngoingNote } from '../history/kept-call.ts';
import { sharedStorage } from '../history/place/shared-storage.ts';
import type { Lazy } from '../lazy.ts';

/** What was left of the calls of earlier windows. */
export interface EarlierWindows {
  /** Waits until it is known where a call is: in this window, in the history, or in a window that will not give it back soon. */
  known(callId: string): Operation<void>;
  /** Waits until this window has looked once. */
  looked(): Operation<void>;
  /** Calls that another window on this folder has. */
  elsewhere(): readonly OngoingNote[];
  /** Calls back when this window has looked. Returns what stops it. */
  subscribe(listener: () => void): () => void;
}

/** Between two looks for calls that a window which closes still holds, milliseconds. */
const AGAIN = 1_000;
/** The same for those of a window that stays. */
const STAYS = 5_000;
/** Between two looks for what nobody knew of yet, milliseconds, at least. */
const REST = 20_000;
/** How often it is looked so soon: a claim lapses after 30 s. */
const LOOKS = 35;

/** Lists the history, and takes up calls of earlier windows: at once, while another window has some, and when this one is looked at. */
export function* useEarlierWindows(
  history: Pick<CallHistory, 'load' | 'ongoing' | 'store'>,
  desk: Lazy<Pick<CallDesk, 'takeUp'>>,
): Operation<EarlierWindows> {
  const log = yield* useLog();
  const { window } = sharedStorage(yield* useHome());
  const here = Date.now();
  const listeners = new Set<() => void>();
  /** Those that somebody else has. */
  let others: readonly CallSummary[] = [];
  let notes: ReadonlyMap<string, OngoingNote> = new Map();
  let looked = withResolvers<void>();
  let looks = 0;
  function* take(ongoing: readonly CallSummary[]): Operation<void> {
    notes = ongoing.length > 0 ? yield* (yield* desk()).takeUp(ongoing, here) : new Map();
    others = ongoing.filter(({ name }) => notes.has(name.callId));
  }
  /** Looks at those that somebody else had: at nothing else, for that means reading all that is kept. False when one of them is over. */
  function* again(): Operation<boolean> {
    const store = yield* history.store();
    const stored = yield* all(others.map(({ name }) => store.read(name)));
    const ongoing = stored.filter((one) => one !== undefined).filter(({ ended }) => !ended);
    const isNoneOver = ongoing.length === others.length;
    yield* take(ongoing);
    return isNoneOver;
  }
  function* look(work: () => Operation<unknown>): Operation<void> {
    try {
      yield* work();
    } catch (error) {
      log.warn('The history of calls cannot be read', error);
    }
    looks += 1;
    looked.resolve();
    looked = withResolvers();
    for (const listener of [...listeners]) listener();
  }
  yield* spawn(function* () {
    for (;;) {
      yield* look(function* () {
        // What waits for the person is there before the list of all that is kept has been read.
        if (looks === 0) yield* take(yield* history.ongoing());
        yield* take(yield* history.load());
      });
      const due = withResolvers<void>('the next look at all that is kept');
      const focused = nextOf(vscode.window.onDidChangeWindowState, (state) => state.focused);
      let isDue = false;
      const resting = yield* spawn(function* () {
        yield* all([sleep(REST), focused]);
        isDue = true;
        due.resolve();
      });
      // A look is never cut short: what it has claimed would be nobody's.
      for (let isAll = true; isAll && !isDue; ) {
        if (others.length === 0) yield* due.operation;
        else yield* race([sleep(looks < LOOKS ? AGAIN : STAYS), due.operation]);
        if (isDue) break;
        yield* look(function* () {
          isAll = yield* again();
        });
      }
      yield* resting.halt();
    }
  });
  return {
    *looked() {
      if (looks === 0) yield* looked.operation;
    },
    *known(callId) {
      while (looks === 0 || (notes.has(callId) && looks < LOOKS)) yield* looked.operation;
    },
    // This window may have been loaded again: then they are its own.
    elsewhere: () =>
      [...notes.values()].filter((note) => note.window !== undefined && note.window !== window),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
