import type { JsonValue } from '../../core/messages/json.ts';
import { LOG_LEVELS, type LogLevel } from '../../core/tool/context.ts';

/** Parameters of `notifications/message`. Source: MCP "Logging". */
export interface LogParams {
  readonly level: LogLevel;
  readonly logger: string;
  readonly data: JsonValue;
}

/** Whether a line of `level` is wanted by who asked for `threshold` and above. */
export function isLogged(level: LogLevel, threshold: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(threshold);
}

/** A log line: its text, or text and data. The tool's name is the logger. */
export function encodeLog(
  logger: string,
  line: { readonly level: LogLevel; readonly message: string; readonly data?: JsonValue },
): LogParams {
  return {
    level: line.level,
    logger,
    data: line.data === undefined ? line.message : { message: line.message, data: line.data },
  };
}
