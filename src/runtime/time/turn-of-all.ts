import { nextTurn } from './event-loop.ts';

/** Code of a call that runs elsewhere. */
export interface CodeElsewhere {
  /** Gives it a turn, and calls back when that is over: what it had to say first has been heard by then. */
  turn(over: () => void): void;
  /** The clients of its call can do something else, or could then. */
  capable(): void;
}

/**
 * Calls back when all has happened that follows from what was given, here and where else its code runs: everything that goes
 * on at once is behind a turn of the event loop.
 */
export function turnOfAll(elsewhere: ReadonlySet<CodeElsewhere> | undefined, then: () => void): void {
  // What goes on in microtasks may say more before the turn begins.
  queueMicrotask(() =>
    nextTurn(() => {
      const waiting = new Set(elsewhere);
      if (waiting.size === 0) return then();
      for (const realm of [...waiting]) {
        realm.turn(() => {
          // What was said there goes on here.
          if (waiting.delete(realm) && waiting.size === 0) nextTurn(then);
        });
      }
    }),
  );
}
