import type { Operation } from 'effection';
import { LOG_LEVELS, type LogLevel, type Progress } from '../../core/tool/context.ts';
import type { Frame } from '../call/frame.ts';
import type { ToolSide } from '../call/tool-side.ts';
import { toLoggedJson } from '../data/json-data.ts';

/** `ctx.log`: never fails, and does nothing once the call has ended. */
export function* report(
  call: ToolSide,
  frame: Frame,
  level: LogLevel,
  message: string,
  data: unknown,
): Operation<void> {
  if (!call.over) {
    const json = toLoggedJson(data);
    call.emit({
      type: 'log',
      // A level that no wire knows would lose the line there.
      level: LOG_LEVELS.includes(level) ? level : 'info',
      message: String(message),
      ...(json === undefined ? {} : { data: json }),
      depth: frame.depth,
    });
  }
  yield* call.breathe();
}

/** `ctx.notify`: a fraction becomes a value of 1; what is no number is left out. */
export function* reportProgress(
  call: ToolSide,
  frame: Frame,
  message: string,
  progress: Progress | undefined,
): Operation<void> {
  if (!call.over) {
    const { value, total } = typeof progress === 'number' ? { value: progress, total: 1 } : (progress ?? {});
    call.emit({
      type: 'progress',
      message: String(message),
      ...(isAmount(value) ? { value, ...(isAmount(total) ? { total } : {}) } : {}),
      depth: frame.depth,
    });
  }
  yield* call.breathe();
}

function isAmount(value: number | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
