import type { Operation } from 'effection';
import { defined } from '../../core/schema/defined.ts';
import { LOG_LEVELS, type LogLevel, type Progress } from '../../core/tool/context.ts';
import type { Frame } from '../call/frame.ts';
import type { ToolSide } from '../call/tool-side.ts';
import { toLoggedJson } from '../data/json-data.ts';

/** `ctx.log`: never fails, and does nothing once the call has ended. */
export function* report(...log: Parameters<typeof reportNow>): Operation<void> {
  reportNow(...log);
  yield* log[0].gate.breathe();
}

/** The same, without letting others have a turn. */
export function reportNow(
  call: ToolSide,
  frame: Frame,
  level: LogLevel,
  message: string,
  data?: unknown,
): void {
  if (!call.over) {
    const json = toLoggedJson(data);
    const known = LOG_LEVELS.includes(level);
    if (!known) {
      const problem = `ctx.log was given the level '${String(level)}', which is none: it is logged as 'info'. Levels are ${LOG_LEVELS.join(', ')}`;
      call.gate.emit({ type: 'log', level: 'warning', message: problem, depth: frame.depth });
    }
    call.gate.emit({
      type: 'log',
      // A level that no wire knows would lose the line there.
      level: known ? level : 'info',
      message: String(message),
      ...defined({ data: json }),
      depth: frame.depth,
    });
  }
}

/** `ctx.notify`: a fraction becomes a value of 1. What is neither a fraction nor a value is left out; the log says so. */
export function* reportProgress(
  call: ToolSide,
  frame: Frame,
  message: string,
  progress: Progress | undefined,
): Operation<void> {
  if (!call.over) {
    const { value, total } = amountOf(progress);
    const problem = problemOf(progress);
    if (problem) call.gate.emit({ type: 'log', level: 'warning', message: problem, depth: frame.depth });
    call.gate.emit({
      type: 'progress',
      message: String(message),
      ...(isAmount(value) ? { value, ...(isAmount(total) ? { total } : {}) } : {}),
      depth: frame.depth,
    });
  }
  yield* call.gate.breathe();
}

function amountOf(progress: Progress | undefined): { readonly value?: number; readonly total?: number } {
  if (typeof progress !== 'number') return progress ?? {};
  return isFraction(progress) ? { value: progress, total: 1 } : {};
}

function problemOf(progress: Progress | undefined): string | undefined {
  if (typeof progress !== 'number') {
    if (typeof (progress ?? { value: 0 }).value === 'number') return undefined;
    return 'ctx.notify was given a progress that is left out: write a fraction from 0 to 1, or { value: 3, total: 7 }';
  }
  if (!Number.isFinite(progress) || isFraction(progress)) return undefined;
  return `ctx.notify was given the progress ${progress}: a number is a fraction from 0 to 1; write { value: ${progress}, total: … } for anything else`;
}

function isFraction(value: number): boolean {
  return value >= 0 && value <= 1;
}

function isAmount(value: number | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
