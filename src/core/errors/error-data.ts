import { ERROR_CLASSES } from './error-classes.ts';
import { type ErrorDetails, isErrorCode, ParleyError, toError } from './errors.ts';

/** An error as JSON: what crosses a worker or a wire. */
export interface ErrorData {
  readonly name: string;
  readonly code?: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: ErrorData;
  readonly details?: ErrorDetails;
}

/** A chain of causes longer than this is cut. */
const MAX_CAUSES = 16;

/**
 * An error as JSON, with its chain of causes. Whatever was thrown will do; a chain that bites its tail is cut.
 *
 * @example
 * errorData(new McpTimeoutError('the call', 1000))
 * // { name: 'McpTimeoutError', code: 'TIMEOUT', message: 'the call took longer …', details: { … }, stack: '…' }
 */
export function errorData(thrown: unknown): ErrorData {
  return dataOf(thrown, new Set());
}

function dataOf(thrown: unknown, seen: Set<unknown>): ErrorData {
  seen.add(thrown);
  const error = toError(thrown);
  const { code, details } = error as { code?: unknown; details?: unknown };
  const { cause } = error;
  // toError keeps what was thrown as the cause of the error it makes; that has been said already.
  const next = cause !== undefined && !seen.has(cause) && seen.size < MAX_CAUSES ? cause : undefined;
  return {
    name: error.name,
    message: error.message,
    ...(typeof code === 'string' ? { code } : {}),
    ...(error.stack !== undefined ? { stack: error.stack } : {}),
    ...(next !== undefined ? { cause: dataOf(next, seen) } : {}),
    ...jsonDetails(details),
  };
}

function jsonDetails(details: unknown): { details?: ErrorDetails } {
  if (typeof details !== 'object' || details === null) return {};
  try {
    return { details: JSON.parse(JSON.stringify(details)) as ErrorDetails };
  } catch {
    return {};
  }
}

/** The error that {@link errorData} described: of its class when it is one of Parley's, so that tools can catch it. */
export function errorFromData(data: ErrorData): Error {
  const options = data.cause === undefined ? {} : { cause: errorFromData(data.cause) };
  const error = isErrorCode(data.code)
    ? revived(data.code, new ParleyError(data.code, data.message, { ...options, ...detailsOf(data) }))
    : Object.assign(new Error(data.message, options), data.code === undefined ? {} : { code: data.code });
  if (error.name !== data.name) own(error, 'name', data.name);
  if (data.stack !== undefined) own(error, 'stack', data.stack);
  return error;
}

function revived(code: keyof typeof ERROR_CLASSES, error: ParleyError): ParleyError {
  return Object.setPrototypeOf(error, ERROR_CLASSES[code].prototype) as ParleyError;
}

function detailsOf(data: ErrorData): { details?: ErrorDetails } {
  return data.details === undefined ? {} : { details: data.details };
}

function own(error: Error, property: 'name' | 'stack', value: string): void {
  Object.defineProperty(error, property, { value, configurable: true, writable: true });
}
