import type { Operation } from 'effection';
import type { JournalHeader, JournalLine } from './lines.ts';

/** Where the lines of one call are written, in order. */
export interface JournalSink {
  /**
   * Writes lines; they are durable when it ends. `before` is how many there are before these: a second try never writes
   * them twice.
   *
   * @throws `ClaimLostError` when another process has taken the call up; anything else is tried again
   */
  append(lines: readonly JournalLine[], before: number): Operation<void>;
  /** Takes a line that need not be durable before it counts: it is written with those that come after. False where it has to be. */
  defer?(line: JournalLine): boolean;
  /** A call that cannot be written goes on without a journal, after one notice. */
  readonly optional?: boolean;
}

/** Begins to keep a call; called before any of its code. Nothing for one that is kept in memory alone. */
export type KeepJournal = (header: JournalHeader) => Operation<JournalSink | undefined>;
