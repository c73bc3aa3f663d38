/** JSON-RPC and MCP error codes that this server sends. Source: MCP 2026-07-28, "Errors"; JSON-RPC 2.0, 5.1. */
export const RPC = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** Unknown resource, before 2026-07-28, which has `invalidParams` for that. */
  resourceNotFound: -32002,
  /** Headers of the request and its body disagree (2026-07-28). */
  headerMismatch: -32020,
  /** The request needs a capability that the client did not declare (2026-07-28). */
  missingCapability: -32021,
  /** The client names a revision that is not served (2026-07-28). */
  unsupportedVersion: -32022,
  /** The person has to open pages first (2025-11-25). */
  urlElicitationRequired: -32042,
  /** Anything the transport refuses: unknown session, no token, too many. */
  refused: -32000,
  sessionNotFound: -32001,
} as const;

/** What a request is told whose answer could not be told from that of another. */
export const ID_IN_USE = 'Invalid request: the id of a request is used by another one that is still running';

/**
 * An error that is answered as a JSON-RPC error, in either era.
 */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown, options?: ErrorOptions) {
    super(shortened(message), options);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

/** What was thrown, as the error of an answer. */
export function failureOf(thrown: unknown): { code: number; message: string; data?: unknown } {
  const error: Partial<RpcError> = typeof thrown === 'object' && thrown !== null ? thrown : {};
  const { code, message = 'Internal error', data } = error;
  return {
    code: typeof code === 'number' && Number.isSafeInteger(code) ? code : RPC.internal,
    message,
    ...(data === undefined ? {} : { data }),
  };
}

/** Longest text that is said of a request; more of it is the sender's own. */
const MAX_SAID = 2_000;

/** Text of an error without what somebody sent at length: a refusal does not return megabytes. */
export function shortened(text: string): string {
  if (text.length <= MAX_SAID) return text;
  return `${text.slice(0, MAX_SAID)}… (${text.length - MAX_SAID} more characters)`;
}

/** `-32602`: what the caller sent cannot be used. */
export function invalidParams(message: string, data?: unknown): RpcError {
  return new RpcError(RPC.invalidParams, message, data);
}
