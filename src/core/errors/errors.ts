import * as branch from './branch-errors.ts';
import * as call from './call-errors.ts';
import * as definition from './definition-errors.ts';
import * as elicit from './elicit-errors.ts';
import * as foreign from './foreign-errors.ts';
import * as git from './git-error.ts';
import * as isolation from './isolation-errors.ts';
import * as journal from './journal-errors.ts';
import { isError, type ParleyError } from './parley-error.ts';
import * as sampling from './sampling-errors.ts';
import * as session from './session-errors.ts';
import * as store from './store-errors.ts';

export { ParleyError, toError } from './parley-error.ts';

const files = {
  ...branch,
  ...call,
  ...definition,
  ...elicit,
  ...foreign,
  ...git,
  ...isolation,
  ...journal,
  ...sampling,
  ...session,
  ...store,
};

/**
 * A code that an error of Parley carries. The code, not the class, is what crosses workers and copies of this module:
 * test with {@link isParleyError}, never with `instanceof`.
 */
export type ErrorCode = CodeIn<(typeof files)[keyof typeof files]>;
type CodeIn<T> = T extends { readonly code: infer C extends string } ? C : never;

/** The class of each code: how an error that crossed a worker becomes what it was. */
export const ERROR_CLASSES: ReadonlyMap<string, { readonly prototype: ParleyError; readonly name: string }> =
  new Map(
    Object.values(files).flatMap((one) =>
      typeof one === 'function' && 'code' in one ? [[one.code, one]] : [],
    ),
  );

/** Whether a thrown value is an error of Parley (with this code), from whichever copy of the module it came. */
export function isParleyError(
  error: unknown,
  code?: ErrorCode,
): error is ParleyError & { readonly code: ErrorCode } {
  return (
    isError(error) &&
    'code' in error &&
    typeof error.code === 'string' &&
    ERROR_CLASSES.has(error.code) &&
    'details' in error &&
    (code === undefined || error.code === code)
  );
}
