import type { CallInfo } from '../../panel-port/index.ts';

/**
 * When an ended call began and how long it took, people's time included: `14:03:22, 1 min 5 s`. Nothing for a call that
 * runs: a list that ticks is a list that distracts.
 */
export function callTimes(
  { startedAt, endedAt }: Pick<CallInfo, 'startedAt' | 'endedAt'>,
  timeOf = (time: number) => new Date(time).toLocaleTimeString(),
): string | undefined {
  if (startedAt === undefined || endedAt === undefined) return undefined;
  return `${timeOf(startedAt)}, ${durationText(endedAt - startedAt)}`;
}

/** Milliseconds as people say them, in units that need no translation. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.max(0, Math.round(milliseconds))} ms`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${(milliseconds / 1000).toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
