import { isObject } from '../../core/schema/is-object.ts';
import { LOG_LEVELS, type LogLevel } from '../../core/tool/context.ts';

/** Keys of `_meta` that protocol 2026-07-28 reserves. Source: MCP 2026-07-28, "Base protocol", `RequestMetaObject`. */
export const META = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

/** The token a caller wants progress under. Zero is one. */
export type ProgressToken = string | number;

/** The progress token in a request's `_meta`, if it carries one. */
export function progressTokenOf(meta: unknown): ProgressToken | undefined {
  const token = isObject(meta) ? meta.progressToken : undefined;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

/** The log level in a value, if it is one. */
export function logLevelOf(value: unknown): LogLevel | undefined {
  return LOG_LEVELS.find((level) => level === value);
}
