import { type ErrorDetails, ParleyError, type ParleyErrorOptions } from './parley-error.ts';

/** What an error says: to whoever reads it, and to programs. */
interface Said<D> {
  readonly message: string;
  readonly details?: D;
}

/** A class of errors. Its instances have their details as properties. */
export interface ErrorClass<C extends string, A extends readonly unknown[], D> {
  new (...args: [...A, options?: ParleyErrorOptions]): ParleyError & { readonly code: C } & Readonly<D>;
  readonly code: C;
  readonly prototype: ParleyError;
}

/**
 * Defines an error, whole: its code, the name of its class, and what it says. It is known everywhere once its file is
 * listed in `errors.ts`.
 *
 * @param say takes no default values: how many arguments it has tells where the options come.
 * @example
 * export const AskClosedError = defineError('ASK_CLOSED', 'AskClosedError', (askId: string) => ({
 *   message: `the question '${askId}' is closed. Nothing is left to do.`,
 *   details: { askId },
 * }));
 */
export function defineError<
  C extends string,
  A extends readonly unknown[],
  D extends ErrorDetails = object & ErrorDetails,
>(code: C, name: string, say: (...args: A) => Said<D>): ErrorClass<C, A, D> {
  class Defined extends ParleyError {
    static readonly code = code;

    constructor(...args: [...A, options?: ParleyErrorOptions]) {
      const options = args[say.length] as ParleyErrorOptions | undefined;
      const { message, details } = say(...(args.slice(0, say.length) as unknown as A));
      const facts = options?.details ? { ...details, ...options.details } : details;
      super(code, message, { ...options, ...(facts ? { details: facts } : {}) });
    }
  }
  // Not the class's own name: minified classes have other names.
  for (const named of [Defined, Defined.prototype]) {
    Object.defineProperty(named, 'name', { value: name, configurable: true, writable: true });
  }
  return Defined as unknown as ErrorClass<C, A, D>;
}
