import { defined } from '../schema/defined.ts';
import { defineError } from './define-error.ts';

/** Where a tool that is replayed did something else than before. */
export interface Divergence {
  readonly toolName: string;
  /** What its journal says comes next: `asked “Which seat?” (seat)`. */
  readonly did: string;
  /** What it did instead. */
  readonly does: string;
  /** The number of the journal's line, from 1; 0 for what it begins with. */
  readonly line: number;
  /** Whether the tool's code has changed since; absent where nobody knows. */
  readonly changed?: boolean;
  /** It calls another server's tool, and its journal says of no such call what came of it. */
  readonly unrecorded?: boolean;
}

/** A tool that was replayed did not do what it did before, so what was answered then cannot be given to it now. */
export const ReplayDivergedError = defineError(
  'REPLAY_DIVERGED',
  'ReplayDivergedError',
  ({ toolName, did, does, line, changed, unrecorded }: Divergence) => ({
    message: `'${toolName}' cannot resume: ${line === 0 ? 'when the call began' : `at line ${line} of its journal`} it ${did}, and now it ${does}. ${
      changed
        ? 'Its code has changed since then. Start it again.'
        : unrecorded
          ? 'An older version of Parley did not record the results of such calls. Check that server for what was done, then start it again.'
          : 'A replayed tool must do the same each time: put clocks, random numbers and requests into ctx.step.'
    }`,
    details: { toolName, did, does, line, ...defined({ changed }) },
  }),
);

/** What was given is no journal that this version of Parley can replay, or not one of this tool. */
export const JournalInvalidError = defineError(
  'JOURNAL_INVALID',
  'JournalInvalidError',
  ({ problem }: { problem: string }) => `the call cannot be resumed: ${problem}. Start it again.`,
);

/** What came into a call could not be saved, so it has not happened. */
export const JournalWriteError = defineError(
  'JOURNAL_WRITE',
  'JournalWriteError',
  ({ what }: { what: string }) =>
    `${what} could not be saved, so it did not count. Check where calls are stored (disk, database), and try again.`,
);

/** A step did what a step cannot do: ask, hold another step, or give what is not JSON. */
export const StepError = defineError(
  'STEP',
  'StepError',
  ({ step, problem }: { step: string; problem: string }) => `the step '${step}' ${problem}`,
);

/** A call cannot go back to a question. */
export const RewindRefusedError = defineError(
  'REWIND_REFUSED',
  'RewindRefusedError',
  ({ askId, problem }: { askId: string; problem: string }) =>
    `the call cannot go back to '${askId}': ${problem}`,
);

/** What came of a rollback whose `undo` threw; names of steps, the last first. */
export interface FailedRollback {
  readonly failed: readonly string[];
  readonly undone: readonly string[];
  readonly kept: readonly string[];
  /** What the tool had failed with. */
  readonly failure?: string;
  /** Why each of those that failed did. */
  readonly reasons?: readonly string[];
}

/** A rollback could not undo all steps. The rest was tried: `undone` were undone, `kept` have no `undo`. */
export const RollbackError = defineError(
  'ROLLBACK',
  'RollbackError',
  ({ failed, undone, kept, failure, reasons }: FailedRollback) => ({
    message: `${failure === undefined ? '' : `${failure} (and then) `}could not undo ${named(failed, reasons)}. Undone: ${named(undone)}. Without an undo: ${named(kept)}. Check what was done, and correct it yourself.`,
    details: { failed, undone, kept },
  }),
);

/** A step could not be undone; nobody knows how the world stands now. */
export const UndoFailedError = defineError(
  'UNDO_FAILED',
  'UndoFailedError',
  ({ step }: { step: string }) =>
    `the step '${step}' could not be undone, so the call has ended. Check what it did, and correct it yourself.`,
);

function named(steps: readonly string[], reasons: readonly string[] = []): string {
  return steps.map((step, at) => `'${step}'${reasons[at] ? ` (${reasons[at]})` : ''}`).join(', ') || 'none';
}
