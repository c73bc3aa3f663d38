import { type ErrorDetails, toError } from '../parley-error.ts';

/** An error as JSON: what crosses a worker or a wire. */
export interface ErrorData {
  readonly name: string;
  readonly code?: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: ErrorData;
  /** What an `AggregateError` holds. */
  readonly errors?: readonly ErrorData[];
  readonly details?: ErrorDetails;
}

/** So many of the errors that one holds are named in its message, each with so many characters. */
const NAMED = 5;
const NAMED_LENGTH = 200;

/** A chain of causes longer than this is cut, and so is a list of errors. */
const MAX_CAUSES = 16;

/**
 * An error as JSON, with its chain of causes. Whatever was thrown will do; a chain that bites its tail is cut.
 *
 * @example
 * errorData(new McpTimeoutError({ what: 'the call', timeout: 1000 }))
 * // { name: 'McpTimeoutError', code: 'TIMEOUT', message: 'the call took longer …', details: { … }, stack: '…' }
 */
export function errorData(thrown: unknown): ErrorData {
  return dataOf(thrown, new Set());
}

function dataOf(thrown: unknown, seen: Set<unknown>): ErrorData {
  seen.add(thrown);
  const error = toError(thrown);
  const { cause } = error;
  const { code, details, stack, errors } = partsOf(error);
  // toError keeps what was thrown as the cause of the error it makes; that has been said already.
  const next = cause !== undefined && !seen.has(cause) && seen.size < MAX_CAUSES ? cause : undefined;
  const caused = next !== undefined ? { cause: dataOf(next, seen) } : {};
  const held = errorsOf(errors, seen);
  return {
    name: error.name,
    message: messageOf(error, held.errors, errors),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof stack === 'string' ? { stack } : {}),
    ...caused,
    ...held,
    ...jsonDetails(details),
  };
}

/** What an error says, and an `AggregateError` of what it holds; once, where an error was made of this data meanwhile. */
function messageOf(
  { name, message }: Error,
  kept: readonly ErrorData[] | undefined,
  errors: unknown,
): string {
  // The code of a tool may have broken the methods of arrays: an error that holds none is told of without them.
  if (!kept || (message !== '' && name !== 'AggregateError')) return message || unsaid(name);
  const named = kept.slice(0, NAMED);
  const said = named.filter((one) => one.message !== unsaid(one.name));
  const held = said.map((one) => one.message.slice(0, NAMED_LENGTH)).join('; ');
  if (held === '' || message.includes(held)) return message || unsaid(name);
  const more = Array.isArray(errors) ? errors.length - NAMED : 0;
  return `${message && `${message}: `}${held}${more > 0 ? `; and ${more} more` : ''}`;
}

function unsaid(name: string): string {
  return `${name} without a message`;
}

/** What some errors have beside a name and a message. */
interface Parts {
  readonly code?: unknown;
  readonly details?: unknown;
  readonly stack?: unknown;
  readonly errors?: unknown;
}

/** A getter of a tool's may throw: then an error has none of them. */
function partsOf(error: Parts): Parts {
  try {
    const { code, details, stack, errors } = error;
    return { code, details, stack, errors };
  } catch {
    return {};
  }
}

// Each has a chain of its own; together they are no longer than one.
function errorsOf(errors: unknown, seen: Set<unknown>): { errors?: readonly ErrorData[] } {
  if (!Array.isArray(errors)) return {};
  const kept: ErrorData[] = [];
  for (const one of errors) {
    if (seen.size >= MAX_CAUSES) break;
    if (!seen.has(one)) kept.push(dataOf(one, seen));
  }
  return { errors: kept };
}

function jsonDetails(details: unknown): { details?: ErrorDetails } {
  if (typeof details !== 'object' || details === null) return {};
  try {
    return { details: JSON.parse(JSON.stringify(details)) as ErrorDetails };
  } catch {
    return {};
  }
}
