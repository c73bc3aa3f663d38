/**
 * Every code an error of Parley carries, with the name of its class. The code, not the class, is what crosses workers
 * and copies of this module: test with {@link isParleyError}, never with `instanceof`.
 */
const NAMES = {
  TOOL_DEFINITION: 'ToolDefinitionError',
  PLUGIN_DEFINITION: 'PluginDefinitionError',
  PARAMS_INVALID: 'ParamsInvalidError',
  OUTPUT_INVALID: 'OutputInvalidError',
  CAPABILITY: 'McpCapabilityError',
  TIMEOUT: 'McpTimeoutError',
  DISCONNECTED: 'McpDisconnectError',
  CALL_ENDED: 'CallEndedError',
  CALL_ABORTED: 'CallAbortedError',
  ELICITATION_DECLINED: 'ElicitationDeclinedError',
  ELICITATION_CANCELLED: 'ElicitationCancelledError',
  ELICITATION_INVALID: 'ElicitationInvalidError',
  ELICITATION_PENDING: 'ElicitationPendingError',
  ELICITATION_IN_BRANCH: 'ElicitationInBranchError',
  ELICITATION_MODE: 'ElicitationModeError',
  ELICITATION_OPTIONS: 'ElicitationOptionsError',
  SAMPLING: 'SamplingError',
  SAMPLING_REFUSED: 'SamplingRefusedError',
  SAMPLING_NO_MODEL: 'NoModelError',
  SAMPLING_QUOTA: 'ModelQuotaError',
  SAMPLE_OPTIONS: 'SampleOptionsError',
  SAMPLE_VALIDATION: 'SampleValidationError',
  BRANCH_DEPTH: 'BranchDepthError',
  BRANCH_TOKENS: 'BranchTokensError',
  SESSION_NOT_FOUND: 'SessionNotFoundError',
  SESSION_EXISTS: 'SessionExistsError',
  SESSION_LIMIT: 'SessionLimitError',
  ASK_NOT_FOUND: 'AskNotFoundError',
  ASK_CLOSED: 'AskClosedError',
  ASK_CLAIMED: 'AskClaimedError',
  ANSWER_STALE: 'AnswerStaleError',
  ANSWER_INVALID: 'AnswerInvalidError',
  HANDLER: 'HandlerError',
  VIEW: 'ViewError',
  GIT: 'GitError',
  TOOL_STUCK: 'ToolStuckError',
  TOOL_CRASHED: 'ToolCrashedError',
} as const;

/** A code that an error of Parley carries. */
export type ErrorCode = keyof typeof NAMES;

/** Facts for programs that an error carries: JSON. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** What every error of Parley takes beside its message. */
export interface ParleyErrorOptions extends ErrorOptions {
  readonly details?: ErrorDetails;
}

/**
 * An error of Parley: a stable `code`, a message that says what happened and what to do next, and the cause.
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
  readonly code: ErrorCode;
  readonly details: ErrorDetails | undefined;

  constructor(code: ErrorCode, message: string, options?: ParleyErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = options?.details;
    // Not `new.target.name`: minified classes have other names.
    Object.defineProperty(this, 'name', {
      value: NAMES[code] ?? 'ParleyError',
      configurable: true,
      writable: true,
    });
  }
}

/** Whether a string is a code of Parley. */
export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(NAMES, code);
}

/** Whether a thrown value is an error of Parley (with this code), from whichever copy of the module it came. */
export function isParleyError(error: unknown, code?: ErrorCode): error is ParleyError {
  return (
    isError(error) &&
    'code' in error &&
    isErrorCode(error.code) &&
    'details' in error &&
    (code === undefined || error.code === code)
  );
}

/** The error in a thrown value, whatever was thrown. */
export function toError(thrown: unknown): Error {
  if (isError(thrown)) return thrown;
  const message =
    typeof thrown === 'string' ? thrown : `something that is not an error was thrown: ${printed(thrown)}`;
  return new Error(message, { cause: thrown });
}

/** An error of this realm or another: `instanceof` knows only this one. */
function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}

function printed(value: unknown): string {
  try {
    return String(value);
  } catch {
    return typeof value;
  }
}
