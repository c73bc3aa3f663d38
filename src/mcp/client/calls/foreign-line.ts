import { isObject } from '../../../core/schema/is-object.ts';
import { LOG_LEVELS, type LogLevel } from '../../../core/tool/context.ts';
import type { ForeignLog } from './in-flight.ts';

/** Where servers put the text of a line that has more to it. */
const TEXTS = ['message', 'msg'];

/** A line of a server's log, whose data may be anything: its text, and what there is beside it. */
export function foreignLine(named: unknown, data: unknown): ForeignLog {
  const level = levelOf(String(named).toLowerCase());
  if (typeof data !== 'object' || data === null) return { level, message: String(data) };
  const name = isObject(data) ? TEXTS.find((one) => typeof data[one] === 'string') : undefined;
  if (name === undefined || !isObject(data)) return { level, message: 'the server logged', data };
  const rest = Object.entries(data).filter(([key, value]) => key !== name && value !== null);
  const message = String(data[name]);
  return rest.length === 0 ? { level, message } : { level, message, data: Object.fromEntries(rest) };
}

/** As other libraries name them. */
const LEVELS: Readonly<Record<string, LogLevel>> = {
  trace: 'debug',
  verbose: 'debug',
  warn: 'warning',
  err: 'error',
  fatal: 'critical',
};

function levelOf(named: string): LogLevel {
  const known = LOG_LEVELS.find((level) => level === named);
  return known ?? (Object.hasOwn(LEVELS, named) ? LEVELS[named] : undefined) ?? 'info';
}
