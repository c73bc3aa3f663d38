import type { Timer } from '../../src/panel-port/index.ts';

/** Milliseconds that a timer shows at `now` (the host's clock). */
export function elapsed(timer: Timer, now: number): number {
  return timer.total + (timer.since === undefined ? 0 : Math.max(0, now - timer.since));
}
