import type { Timer } from '../../src/panel-port/index.ts';

/** Milliseconds as a clock shows them: `0:12`, `12:03`, `1:02:03`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const pad = (part: number) => String(part).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}

/** What a timer shows at `now` (the host's clock). */
export function elapsed(timer: Timer, now: number): number {
  return timer.total + (timer.since === undefined ? 0 : Math.max(0, now - timer.since));
}

/** A moment as the timeline shows it: `12:01:03`. */
export function formatTime(time: number): string {
  const at = new Date(time);
  return [at.getHours(), at.getMinutes(), at.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
