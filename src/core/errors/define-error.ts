import { type ErrorDetails, ParleyError, type ParleyErrorOptions } from './parley-error.ts';

/** A class of errors. Its instances have their details as properties. */
export interface ErrorClass<C extends string, A extends readonly unknown[], D> {
  new (...args: A): ParleyError & { readonly code: C } & Readonly<D>;
  readonly code: C;
  readonly prototype: ParleyError;
}

/** What an error says where its details are not simply its facts. */
interface Said<D> {
  readonly message: string;
  readonly details: D;
}

/**
 * Defines an error, whole: its code, the name of its class, and what it says of its facts, which are its details, too. It is
 * known everywhere once its file is listed in `errors.ts`.
 *
 * @param say the message, or the message and the details. Without it, or with a text for where nothing better is known, the
 * error takes a message, as JavaScript's own do.
 * @example
 * export const AskClosedError = defineError('ASK_CLOSED', 'AskClosedError', ({ askId }: { askId: string }) =>
 *   `the question '${askId}' is closed. Nothing is left to do.`,
 * );
 * throw new AskClosedError({ askId, cause });
 */
export function defineError<C extends string>(
  code: C,
  name: string,
): ErrorClass<C, [message: string, options?: ParleyErrorOptions], ErrorDetails>;
export function defineError<C extends string>(
  code: C,
  name: string,
  say: string,
): ErrorClass<C, [message?: string, options?: ParleyErrorOptions], ErrorDetails>;
export function defineError<C extends string, F extends object, D extends object = F>(
  code: C,
  name: string,
  say: (facts: F) => string | Said<D>,
): ErrorClass<C, [given: F & ParleyErrorOptions], D>;
export function defineError(
  code: string,
  name: string,
  say?: string | ((facts: never) => string | Said<ErrorDetails>),
): unknown {
  class Defined extends ParleyError {
    static readonly code = code;

    constructor(given: unknown, options: ParleyErrorOptions = {}) {
      if (typeof say !== 'function') {
        super(code, String(given ?? say), options);
        return;
      }
      const { details: more, cause, ...facts } = given as ParleyErrorOptions;
      // Its facts are what the overloads above let in.
      const said = say(facts as never);
      const { message, details } = typeof said === 'string' ? { message: said, details: facts } : said;
      const why = 'cause' in (given as object) ? { cause } : {};
      super(code, message, { ...why, details: { ...details, ...more } });
    }
  }
  // Not the class's own name: minified classes have other names.
  for (const named of [Defined, Defined.prototype]) {
    Object.defineProperty(named, 'name', { value: name, configurable: true, writable: true });
  }
  return Defined;
}
