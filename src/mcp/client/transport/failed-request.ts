import { ForeignProtocolError } from '../../../core/errors/foreign-errors.ts';
import { defined } from '../../../core/schema/defined.ts';
import { LoginRefused } from '../login/refused-plainly.ts';
import { isUnknownMethod } from './unknown-method.ts';

/** Whether a server wants the person to log in. */
export function isLogin(error: unknown): boolean {
  return error instanceof Error && error.name === 'UnauthorizedError';
}

/** Whether a login did not come about; the message says why. */
export function isLoginRefused(error: unknown): boolean {
  return error instanceof LoginRefused || (error instanceof Error && error.name === 'OAuthError');
}

/** Whether nobody answers at the address of a server. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof TypeError && error.message === 'fetch failed';
}

/** Whether a server that is reached at an address is not there any more, or has forgotten us. */
export function isGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const status = 'status' in error ? error.status : undefined;
  return isUnreachable(error) || (status === 404 && !isUnknownMethod(error));
}

/** Whether a server refused a request before it ran, as those do that have forgotten the session; others do it for other reasons. */
export function isForgotten(error: unknown): boolean {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return (status === 400 || status === 404) && !isUnknownMethod(error);
}

/** Why a server could not be reached, in the words of the system. */
export function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message || String((cause as { code?: unknown }).code) : message;
}

/** What a server, or the SDK for it, said instead of an answer. */
export function refusal(server: string, error: unknown): Error {
  const { code, message, data } = error as Error & { readonly code?: unknown; readonly data?: unknown };
  if (typeof code === 'number') {
    const said = { code, ...defined({ data: isSmall(data) ? data : undefined }) };
    return new ForeignProtocolError({ server, said: message, cause: error, details: { said } });
  }
  const isSdks = typeof code === 'string' && SDK_CODES.test(code);
  return isSdks ? new ForeignProtocolError({ server, said: message, cause: error }) : (error as Error);
}

/** Characters of what a server says of an error beside its message. */
const MAX_DATA = 4_000;

function isSmall(data: unknown): boolean {
  return (JSON.stringify(data) ?? '').length <= MAX_DATA;
}

const SDK_CODES =
  /^(INVALID_RESULT|UNSUPPORTED_RESULT_TYPE|CAPABILITY_NOT_SUPPORTED|SEND_FAILED|REQUEST_TIMEOUT|INPUT_REQUIRED|CLIENT_HTTP)/;

/** Whether a request failed since the connection ended under it. */
export function isClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && CLOSED.includes(error.code);
}

const CLOSED: readonly unknown[] = ['CONNECTION_CLOSED', 'NOT_CONNECTED'];
