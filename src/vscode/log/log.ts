import type { LogLevel } from '../../core/tool/context.ts';

/** Where the extension writes what it does. Data is JSON and is masked; nobody is interrupted by it. */
export interface Log {
  debug(message: string, data?: unknown): void;
  info(message: string, data?: unknown): void;
  warn(message: string, cause?: unknown): void;
  error(message: string, cause?: unknown): void;
  /** A line of a running call. */
  call(source: string, level: LogLevel, message: string, data?: unknown): void;
  /** Opens the channel; only ever on request. */
  show(): void;
}
