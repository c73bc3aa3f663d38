/**
 * Every code an error of Parley carries. The code, not the class, is what crosses workers and copies of this module:
 * test with {@link isParleyError}, never with `instanceof`.
 */
export type ErrorCode =
  | 'TOOL_DEFINITION'
  | 'PLUGIN_DEFINITION'
  | 'PARAMS_INVALID'
  | 'OUTPUT_INVALID'
  | 'CAPABILITY'
  | 'TIMEOUT'
  | 'DISCONNECTED'
  | 'CALL_ENDED'
  | 'CALL_ABORTED'
  | 'ELICITATION_DECLINED'
  | 'ELICITATION_CANCELLED'
  | 'ELICITATION_INVALID'
  | 'ELICITATION_PENDING'
  | 'ELICITATION_IN_BRANCH'
  | 'ELICITATION_MODE'
  | 'SAMPLING'
  | 'SAMPLING_REFUSED'
  | 'SAMPLING_NO_MODEL'
  | 'SAMPLING_QUOTA'
  | 'SAMPLE_OPTIONS'
  | 'SAMPLE_VALIDATION'
  | 'BRANCH_DEPTH'
  | 'BRANCH_TOKENS'
  | 'SESSION_NOT_FOUND'
  | 'SESSION_EXISTS'
  | 'SESSION_LIMIT'
  | 'ASK_NOT_FOUND'
  | 'ASK_CLOSED'
  | 'ASK_CLAIMED'
  | 'ANSWER_STALE'
  | 'ANSWER_INVALID'
  | 'HANDLER'
  | 'VIEW';

/** An error of Parley: a stable `code`, a message that says what to do next, and the cause. */
export class ParleyError extends Error {
  readonly code: ErrorCode;
  /** Facts for programs, JSON. */
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options?: ErrorOptions & { details?: Readonly<Record<string, unknown>> },
  ) {
    super(message, options);
    this.code = code;
    this.details = options?.details;
    this.name = new.target.name;
  }
}

/** Whether a thrown value is an error of Parley (with this code), from whichever copy of the module it came. */
export function isParleyError(error: unknown, code?: ErrorCode): error is ParleyError {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    'details' in error &&
    (code === undefined || error.code === code)
  );
}

/** The error in a thrown value, whatever was thrown. */
export function toError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  return new Error(
    typeof thrown === 'string' ? thrown : `something that is not an error was thrown: ${String(thrown)}`,
    {
      cause: thrown,
    },
  );
}
