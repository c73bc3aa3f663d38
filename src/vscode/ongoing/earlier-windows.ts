import { type Operation, race, sleep, spawn, withResolvers } from 'effection';
import * as vscode from 'vscode';
import { nextOf } from '../bridge.ts';
import type { CallDesk } from '../calls/desk.ts';
import { useLog } from '../contexts.ts';
import type { CallHistory } from '../history/call-history.ts';
import type { Lazy } from '../lazy.ts';

/** What was left of the calls of earlier windows. */
export interface EarlierWindows {
  /** Waits until it is known where a call is: in this window, in the history, or in a window that will not give it back soon. */
  known(callId: string): Operation<void>;
  /** Waits until this window has looked once. */
  looked(): Operation<void>;
}

/** Between two looks for calls that a window which closes still holds, milliseconds. */
const AGAIN = 1_000;
/** Between two looks when nothing is to be expected, milliseconds, at least. */
const REST = 60_000;
/** How often: a claim lapses after 30 s. */
const LOOKS = 35;

/** Lists the history, and takes up calls of earlier windows: at once, while one of those still closes, and when this one is looked at. */
export function* useEarlierWindows(history: CallHistory, desk: Lazy<CallDesk>): Operation<EarlierWindows> {
  const log = yield* useLog();
  let elsewhere: ReadonlySet<string> = new Set();
  let looked = withResolvers<void>();
  let looks = 0;
  yield* spawn(function* () {
    for (;;) {
      try {
        const ongoing = yield* history.load();
        elsewhere = ongoing.length > 0 ? yield* (yield* desk()).takeUp(ongoing) : new Set();
      } catch (error) {
        log.warn('The history of calls cannot be read', error);
      }
      looks += 1;
      looked.resolve();
      looked = withResolvers();
      const focused = nextOf(vscode.window.onDidChangeWindowState, (state) => state.focused);
      if (elsewhere.size > 0 && looks < LOOKS) yield* race([sleep(AGAIN), focused]);
      else {
        yield* sleep(REST);
        yield* focused;
      }
    }
  });
  return {
    *looked() {
      if (looks === 0) yield* looked.operation;
    },
    *known(callId) {
      while (looks === 0 || (elsewhere.has(callId) && looks < LOOKS)) yield* looked.operation;
    },
  };
}
