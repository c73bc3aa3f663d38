import type { Operation } from 'effection';
import { isParleyError } from '../core/errors/errors.ts';
import type { JournalLine } from '../runtime/journal/lines.ts';
import type { JournalSink } from '../runtime/journal/sink.ts';
import type { ClaimedCall } from '../runtime/manager/claimed-call.ts';

/** Whether an answer or a step is among the lines of a call: what would be lost with it. */
export function hasGot(lines: readonly unknown[]): boolean {
  return lines.some((line) => ['answer', 'step', 'stepped'].includes((line as JournalLine).t));
}

/** The lines of a call on their way to whoever holds it now. */
export class LeaseLines implements JournalSink {
  held: ClaimedCall | undefined;

  append(lines: readonly JournalLine[], before: number): Operation<void> {
    return this.#sink().append(lines, before);
  }

  defer(line: JournalLine): boolean {
    return this.#sink().defer?.(line) === true;
  }

  #sink(): JournalSink {
    if (!this.held) throw new Error('a call began without its journal');
    return this.held.sink;
  }
}

/** The lines of a call that is shown from its first question on: those before wait. What cannot be kept goes on without. */
export class ShownLines extends LeaseLines {
  readonly optional = true;
  readonly waiting: JournalLine[] = [];
  /** Deletes what is kept: it would be taken up from where it was, and do again what came after that. */
  giveUp: (() => Operation<void>) | undefined;

  override *append(lines: readonly JournalLine[], before: number): Operation<void> {
    if (!this.held) {
      this.waiting.push(...lines);
      return;
    }
    try {
      yield* super.append(lines, before);
    } catch (error) {
      if (!isParleyError(error, 'CLAIM_LOST')) yield* this.giveUp?.() ?? [];
      throw error;
    }
  }

  override defer(line: JournalLine): boolean {
    return this.held ? super.defer(line) : this.waiting.push(line) > 0;
  }
}
