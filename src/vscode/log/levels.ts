import type { LogLevel } from '../../core/tool/context.ts';

/** The levels of a `LogOutputChannel` that write something. */
export type ChannelLevel = 'debug' | 'info' | 'warn' | 'error';

const levels: Record<LogLevel, ChannelLevel> = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
};

/** MCP's level as the channel's. */
export function channelLevel(level: LogLevel): ChannelLevel {
  return levels[level];
}

/** The level's name where the channel's own would lose it. */
export function levelPrefix(level: LogLevel): string {
  return level === 'notice' || levels[level] === 'error' ? (level === 'error' ? '' : `[${level}] `) : '';
}
