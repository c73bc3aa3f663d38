import type { CallInfo } from '../../../panel-port/index.ts';
import { durationText, timeText } from '../../../panel-port/times.ts';

/**
 * When an ended call began and how long it took, people's time included: `14:03:22, 1 min 5 s`. Nothing for a call that
 * runs: a list that ticks is a list that distracts.
 */
export function callTimes({
  startedAt,
  endedAt,
}: Pick<CallInfo, 'startedAt' | 'endedAt'>): string | undefined {
  if (startedAt === undefined || endedAt === undefined) return undefined;
  return `${timeText(startedAt)}, ${durationText(endedAt - startedAt)}`;
}
