/** Facts for programs that an error carries: JSON. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** What every error of Parley takes beside its message. */
export interface ParleyErrorOptions extends ErrorOptions {
  readonly details?: ErrorDetails;
}

/**
 * An error of Parley: a stable `code`, a message that says what happened and what to do next, and the cause. Its
 * `details` can be read as properties, too.
 *
 * @example
 * try {
 *   yield* ctx.elicit.strict('pickFlight', { message: 'Which flight?' });
 * } catch (error) {
 *   if (isParleyError(error, 'ELICITATION_DECLINED')) return 'no flight booked';
 *   throw error;
 * }
 */
export class ParleyError extends Error {
  readonly code: string;
  readonly details: ErrorDetails | undefined;

  constructor(code: string, message: string, options: ParleyErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : {});
    this.code = code;
    this.details = options.details;
    for (const [key, value] of Object.entries(options.details ?? {})) {
      if (!(key in this)) Object.defineProperty(this, key, { value, configurable: true });
    }
  }
}

Object.defineProperty(ParleyError.prototype, 'name', {
  value: 'ParleyError',
  configurable: true,
  writable: true,
});

/** What is shown of a thrown object. */
const LONGEST = 200;

/** The error in a thrown value, whatever was thrown: what comes back can be read, also where that cannot. */
export function toError(thrown: unknown): Error {
  try {
    if (isError(thrown) && isText(thrown.name) && isText(thrown.message)) {
      void thrown.cause;
      return thrown;
    }
    const message =
      typeof thrown === 'string' ? thrown : `something that is not an error was thrown: ${printed(thrown)}`;
    return new Error(message, { cause: thrown });
  } catch {
    return unreadable();
  }
}

function unreadable(): Error {
  return new Error('something that cannot be read was thrown');
}

/** An error of this realm or another: `instanceof` knows only this one. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** What it says of itself, or its fields. */
function printed(value: unknown): string {
  const text = String(value);
  if (typeof value !== 'object' || value === null || text !== '[object Object]') return text;
  if ('message' in value && isText(value.message)) return value.message;
  return JSON.stringify(value).slice(0, LONGEST);
}
