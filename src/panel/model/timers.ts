import type { Timer } from '../../panel-port/index.ts';
import type { PanelState } from './state.ts';

/** Starts the machine's clock. */
export function startTimers(state: PanelState, time: number): PanelState {
  return { ...state, timers: { machine: run(state.timers.machine, time), human: state.timers.human } };
}

/** Says that an ask waits for a person, or no longer does: the one clock stops and the other goes. */
export function setWaiting(state: PanelState, askId: string, waits: boolean, time: number): PanelState {
  if (state.waiting.has(askId) === waits) return state;
  const waiting = new Set(state.waiting);
  if (waits) waiting.add(askId);
  else waiting.delete(askId);
  if (state.end || waiting.size > 0 === state.waiting.size > 0) return { ...state, waiting };
  const { machine, human } = state.timers;
  const timers = waits
    ? { machine: stop(machine, time), human: run(human, time) }
    : { machine: run(machine, time), human: stop(human, time) };
  return { ...state, waiting, timers };
}

/** Stops both clocks, for good. */
export function stopTimers(state: PanelState, time: number): PanelState {
  const { machine, human } = state.timers;
  return { ...state, waiting: new Set(), timers: { machine: stop(machine, time), human: stop(human, time) } };
}

function run(timer: Timer, time: number): Timer {
  return timer.since === undefined ? { total: timer.total, since: time } : timer;
}

function stop(timer: Timer, time: number): Timer {
  return timer.since === undefined ? timer : { total: timer.total + Math.max(0, time - timer.since) };
}
