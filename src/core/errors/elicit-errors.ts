import { ParleyError } from './errors.ts';

/** Where MCP specifies elicitation and its modes. */
export const ELICITATION_SPECIFICATION =
  'https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation';

/** The user declined a question that `elicit.strict` asked, or that `elicit.withRetry` gave up on. */
export class ElicitationDeclinedError extends ParleyError {
  constructor(key: string, options?: ErrorOptions) {
    super(
      'ELICITATION_DECLINED',
      `the user declined to answer '${key}'. Do not ask the same again: go on without the answer, or say what it is needed for.`,
      { ...options, details: { key } },
    );
  }

  get key(): string {
    return String(this.details?.key);
  }
}

/** The user closed a question that `elicit.strict` asked without answering it. */
export class ElicitationCancelledError extends ParleyError {
  constructor(key: string, options?: ErrorOptions) {
    super(
      'ELICITATION_CANCELLED',
      `the user closed the question '${key}' without an answer. Ask the user whether to start again.`,
      { ...options, details: { key } },
    );
  }

  get key(): string {
    return String(this.details?.key);
  }
}

/** Every answer that a client gave was invalid. */
export class ElicitationInvalidError extends ParleyError {
  constructor(key: string, attempts: number, problem: string, options?: ErrorOptions) {
    super(
      'ELICITATION_INVALID',
      `the answer to '${key}' was not valid, ${times(attempts)}. The last problem: ${problem}`,
      { ...options, details: { key, attempts, problem } },
    );
  }

  get attempts(): number {
    return Number(this.details?.attempts);
  }

  get problem(): string {
    return String(this.details?.problem);
  }
}

/** A second question was asked while one is open. That one lives on. */
export class ElicitationPendingError extends ParleyError {
  constructor(key: string, pendingKey: string, options?: ErrorOptions) {
    super(
      'ELICITATION_PENDING',
      `'${key}' cannot be asked while '${pendingKey}' of the same call is open: a call asks one question at a time. Wait for that answer first, or put both into one form.`,
      { ...options, details: { key, pendingKey } },
    );
  }
}

/** A branch tried to ask the user. */
export class ElicitationInBranchError extends ParleyError {
  constructor(key: string, depth: number, options?: ErrorOptions) {
    super(
      'ELICITATION_IN_BRANCH',
      `'${key}' cannot be asked in a branch (depth ${depth}): branches run side by side, and a person is asked one question at a time, by the call. Return from the branch and ask there.`,
      { ...options, details: { key, depth } },
    );
  }
}

/** A question asked for a mode other than `form`. */
export class ElicitationModeError extends ParleyError {
  constructor(mode: unknown, options?: ErrorOptions) {
    super(
      'ELICITATION_MODE',
      `elicitation mode '${String(mode)}' is not supported: Parley asks with forms (mode 'form'). To send somebody to a URL, name it in the message. See ${ELICITATION_SPECIFICATION}`,
      { ...options, details: { mode: String(mode), specification: ELICITATION_SPECIFICATION } },
    );
  }
}

/** `elicit` was called with something that is no question: an unknown key, a context that does not fit, a bad option. */
export class ElicitationOptionsError extends ParleyError {
  constructor(key: string, problem: string, options?: ErrorOptions) {
    super('ELICITATION_OPTIONS', `'${key}' cannot be asked: ${problem}`, {
      ...options,
      details: { key, problem },
    });
  }
}

function times(attempts: number): string {
  return attempts === 1 ? 'and it is not asked again' : `${attempts} times in a row`;
}
