import { ERROR_CLASSES } from '../errors.ts';
import { type ErrorDetails, ParleyError } from '../parley-error.ts';
import type { ErrorData } from './error-data.ts';

/** The error that `errorData` described: of its class when it is one of Parley's, so that tools can catch it. */
export function errorFromData(data: ErrorData): Error {
  const options = data.cause === undefined ? {} : { cause: errorFromData(data.cause) };
  const known = data.code === undefined ? undefined : ERROR_CLASSES.get(data.code);
  const error =
    known && data.code !== undefined
      ? (Object.setPrototypeOf(
          new ParleyError(data.code, data.message, { ...options, ...detailsOf(data) }),
          known.prototype,
        ) as ParleyError)
      : Object.assign(plainError(data, options), data.code === undefined ? {} : { code: data.code });
  if (data.errors) own(error, 'errors', data.errors.map(errorFromData));
  if (error.name !== data.name) own(error, 'name', data.name);
  if (data.stack !== undefined) own(error, 'stack', data.stack);
  return error;
}

function plainError({ message, errors }: ErrorData, options: ErrorOptions): Error {
  return errors ? new AggregateError([], message, options) : new Error(message, options);
}

function detailsOf(data: ErrorData): { details?: ErrorDetails } {
  return data.details === undefined ? {} : { details: data.details };
}

function own(error: Error, property: 'name' | 'stack' | 'errors', value: unknown): void {
  Object.defineProperty(error, property, { value, configurable: true, writable: true });
}
