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

/** The error in a thrown value, whatever was thrown: what comes back can be read, also where that cannot. */
export function toError(thrown: unknown): Error {
  try {
    if (isError(thrown) && isText(thrown.name) && isText(thrown.message)) {
      void thrown.cause;
      return thrown;
    }
  } catch {
    return unreadable();
  }
  const message =
    typeof thrown === 'string' ? thrown : `something that is not an error was thrown: ${printed(thrown)}`;
  return new Error(message, { cause: thrown });
}

/** What was thrown, or an error in its place where to look at it throws, too: a proxy may, and a getter. */
export function readable(thrown: unknown): unknown {
  try {
    if (isError(thrown)) return toError(thrown);
    String(thrown);
    return thrown;
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

function printed(value: unknown): string {
  try {
    return String(value);
  } catch {
    return typeof value;
  }
}
