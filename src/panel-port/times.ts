/*
 * Moments and durations as the panel, the Calls view and the transcript say them: one way for all three.
 */

/** A moment of the day, in this machine's time zone: `08:01:03`. */
export function timeText(time: number): string {
  const at = new Date(time);
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(':');
}

/** A moment with its day: `2026-07-28 08:01:03`. */
export function dateTimeText(time: number): string {
  const at = new Date(time);
  return `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())} ${timeText(time)}`;
}

/** A moment to the minute, with its day where that is another one than that of `now`: `19:16`. */
export function minuteText(time: number, now: number): string {
  const [day, at] = dateTimeText(time).slice(0, -3).split(' ');
  return dateTimeText(now).startsWith(`${day} `) ? `${at}` : `${day} ${at}`;
}

/** Milliseconds as people say them, in units that need no translation: `7 ms`, `1.0 s`, `1 min 5 s`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.max(0, Math.round(milliseconds))} ms`;
  return Math.round(milliseconds / 1000) < 60
    ? `${(milliseconds / 1000).toFixed(1)} s`
    : wholeDurationText(Math.round(milliseconds / 1000) * 1000);
}

/** The same in whole seconds, for a clock that ticks: `12 s`, `1 min 5 s`. */
export function wholeDurationText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function twoDigits(part: number): string {
  return String(part).padStart(2, '0');
}
