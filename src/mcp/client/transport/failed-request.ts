import { ForeignProtocolError } from '../../../core/errors/foreign-errors.ts';
import { toError } from '../../../core/errors/parley-error.ts';
import { defined } from '../../../core/schema/defined.ts';
import { isObject } from '../../../core/schema/is-object.ts';
import type { RpcErrorObject } from '../../wire/rpc/json-rpc.ts';
import { RPC } from '../../wire/rpc/rpc-error.ts';
import { LoginRefused } from '../login/refused-plainly.ts';
import { type Json, readMessage } from '../reader/read-message.ts';

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

/**
 * Whether a server said over HTTP that it does not know a method. In 2026-07-28 that comes with the status 404, as does that a session is
 * forgotten before: only the body says which.
 */
export function isUnknownMethod(error: unknown): boolean {
  return saidInBody(error)?.code === RPC.methodNotFound;
}

/** What a server, or the SDK for it, said instead of an answer. */
export function refusal(server: string, error: unknown): Error {
  const { code, data } = (saidInBody(error) ?? error) as { readonly code?: unknown; readonly data?: unknown };
  const said = errorWords(error);
  if (typeof code === 'number') {
    const details = { said: { code, ...defined({ data: isSmall(data) ? data : undefined }) } };
    return new ForeignProtocolError({ server, said, cause: error, details });
  }
  const isSdks = typeof code === 'string' && SDK_CODES.test(code);
  return isSdks ? new ForeignProtocolError({ server, said, cause: error }) : (error as Error);
}

/** What went wrong, in the server's own words where it has some. The SDK has the body of a refusal and the findings of its schemas in them. */
export function errorWords(error: unknown): string {
  const said = saidInBody(error);
  if (said) return said.message;
  const { status, statusText, text }: Json = dataOf(error);
  if (typeof status !== 'number')
    return findingsOf(error) ?? toError(error).message.replace(/:\s*\[\s*\{[\s\S]*$/, '');
  const body =
    typeof text === 'string' && !text.trimStart().startsWith('<') ? text.trim().slice(0, SHOWN) : '';
  return [`it answered with ${status}`, statusText, body && `(${body})`].filter(Boolean).join(' ');
}

/** What a schema of the SDK found, which says it as JSON. */
function findingsOf(error: unknown): string | undefined {
  const [found]: unknown[] = error instanceof Error && 'issues' in error ? [error.issues].flat() : [];
  if (!isObject(found)) return undefined;
  return `what it sent cannot be read: ${[[found.path].flat().join('.'), found.message].filter(Boolean).join(': ')}`;
}

/** Characters that are shown of what a server answers beside the protocol. */
const SHOWN = 500;

/** The error of the protocol in the body of an HTTP refusal. */
function saidInBody(error: unknown): RpcErrorObject | undefined {
  const { text } = dataOf(error);
  if (typeof text !== 'string') return undefined;
  try {
    const message = readMessage(JSON.parse(text));
    return message && 'error' in message ? message.error : undefined;
  } catch {
    return undefined;
  }
}

function dataOf(error: unknown): Json {
  return error instanceof Error && 'data' in error && isObject(error.data) ? error.data : {};
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
  if (!(error instanceof Error)) return false;
  // The SDK has no code for it where it looks first.
  return 'code' in error ? CLOSED.includes(error.code) : error.message === 'Not connected';
}

const CLOSED: readonly unknown[] = ['CONNECTION_CLOSED', 'NOT_CONNECTED'];
