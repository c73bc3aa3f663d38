import type { PanelState } from '../../../panel/model/state.ts';
import type { Origin } from '../asker.ts';

/** What it depends on whether the person is told that a call is over. */
export interface SeenEnd {
  readonly asker: Origin;
  /** Its panel, or a page of it elsewhere, is there to be seen. */
  readonly seen: boolean;
  readonly state: Pick<PanelState, 'call' | 'rows'>;
  /** Seconds that it must have worked; 0 for never. */
  readonly after: number;
  /** Such a notification is there already. */
  readonly told: boolean;
}

/**
 * Whether a notification says that a call is over: it worked for long, and nobody sees its end. What an agent or a client runs ends with
 * them, so only a call of theirs that asked the person is the person's affair, too.
 */
export function tellsOfEnd({ asker, seen, state, after, told }: SeenEnd): boolean {
  if (seen || told || after <= 0) return false;
  const { status } = state.call;
  // Of a person's call that failed `tellsOfFailure` decides, and one that was stopped was meant to end.
  const news = status === 'completed' || (status === 'failed' && asker !== 'person');
  const concerned = asker === 'person' || state.rows.some((row) => row.type === 'question' && row.closedAt);
  return news && concerned && workedFor(state) >= after * 1000;
}

/** Whether a notification says that a call of the person has failed: however short it was, nobody sees its error. */
export function tellsOfFailure({ seen, after }: Pick<SeenEnd, 'seen' | 'after'>): boolean {
  return !seen && after > 0;
}

/** Milliseconds since the person last had to do with it: it began, or a question was answered. */
function workedFor({ call, rows }: SeenEnd['state']): number {
  const { startedAt = 0, endedAt = 0 } = call;
  const lastAnswer = rows.reduce(
    (last, row) => (row.type === 'question' ? Math.max(last, row.closedAt ?? 0) : last),
    startedAt,
  );
  return endedAt - lastAnswer;
}
