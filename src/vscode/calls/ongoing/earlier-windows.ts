import { all, type Operation, race, sleep, spawn, withResolvers } from 'effection';
import * as vscode from 'vscode';
import { nextOf } from '../../bridge.ts';
import { useExtension, useLog } from '../../contexts.ts';
import type { CallDesk } from '../desk.ts';
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
  history: Pick<CallHistory, 'load' | 'ongoing'>,
  desk: Lazy<Pick<CallDesk, 'takeUp'>>,
): Operation<EarlierWindows> {
  const log = yield* useLog();
  const { window } = sharedStorage(yield* useExtension());
  const here = Date.now();
  const listeners = new Set<() => void>();
  /** Those that somebody else has. */
  let notes: ReadonlyMap<string, OngoingNote> = new Map();
  let looked = withResolvers<void>();
  let looks = 0;
  /** Looks at what has not ended, and at what has, where that may have changed: that list is long. */
  function* look(isAll: boolean): Operation<void> {
    try {
      const ongoing = yield* history.ongoing();
      const ids = new Set(ongoing.map(({ name }) => name.callId));
      const isOneOver = [...notes.keys()].some((id) => !ids.has(id));
      notes = ongoing.length > 0 ? yield* (yield* desk()).takeUp(ongoing, here) : new Map();
      if (isAll || isOneOver) yield* history.load();
    } catch (error) {
      log.warn('The history of calls cannot be read', error);
    }
    looks += 1;
    looked.resolve();
    looked = withResolvers();
    for (const listener of [...listeners]) listener();
  }
  yield* spawn(function* () {
    let due = yield* spawn(rested);
    for (let isAll = true; ; ) {
      // A look is never cut short: what it has claimed would be nobody's.
      yield* look(isAll);
      const pauses = notes.size > 0 ? [pause(looks < LOOKS ? AGAIN : STAYS)] : [];
      isAll = yield* race([due, ...pauses]);
      if (isAll) due = yield* spawn(rested);
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

/** Waits until it is time to look at all that is kept. */
function* rested(): Operation<boolean> {
  const focused = nextOf(vscode.window.onDidChangeWindowState, (state) => state.focused);
  yield* all([sleep(REST), focused]);
  return true;
}

function* pause(milliseconds: number): Operation<boolean> {
  yield* sleep(milliseconds);
  return false;
}
