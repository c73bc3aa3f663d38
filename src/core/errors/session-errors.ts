import { ParleyError } from './errors.ts';

/** There is no such call, or it has ended and is forgotten. */
export class SessionNotFoundError extends ParleyError {
  constructor(callId: string, options?: ErrorOptions) {
    super('SESSION_NOT_FOUND', `there is no call '${callId}' (any more). Start the tool again.`, {
      ...options,
      details: { callId },
    });
  }
}

/** A call with this id is running already. */
export class SessionExistsError extends ParleyError {
  constructor(callId: string, options?: ErrorOptions) {
    super(
      'SESSION_EXISTS',
      `the call '${callId}' is running already. Use another id, or wait for it to end.`,
      {
        ...options,
        details: { callId },
      },
    );
  }
}

/** There are as many calls as there may be, or they hold as much, and none can give way. */
export class SessionLimitError extends ParleyError {
  constructor(problem: string, options?: ErrorOptions) {
    super('SESSION_LIMIT', problem, { ...options, details: { problem } });
  }
}

/** The call has no question of this id. */
export class AskNotFoundError extends ParleyError {
  constructor(askId: string, callId: string, options?: ErrorOptions) {
    super(
      'ASK_NOT_FOUND',
      `the call '${callId}' has no question '${askId}'. Read its open questions and answer one of those.`,
      {
        ...options,
        details: { askId, callId },
      },
    );
  }
}

/** The question has been answered, or withdrawn. */
export class AskClosedError extends ParleyError {
  constructor(askId: string, options?: ErrorOptions) {
    super(
      'ASK_CLOSED',
      `the question '${askId}' is closed: it was answered or withdrawn. Nothing is left to do.`,
      {
        ...options,
        details: { askId },
      },
    );
  }
}

/** Somebody else is answering. */
export class AskClaimedError extends ParleyError {
  constructor(askId: string, options?: ErrorOptions) {
    super('ASK_CLAIMED', `another client is answering '${askId}' already.`, {
      ...options,
      details: { askId },
    });
  }
}

/** The answer is to an earlier attempt of a question that was asked again. */
export class AnswerStaleError extends ParleyError {
  constructor(askId: string, attempt: number, current: number, options?: ErrorOptions) {
    super(
      'ANSWER_STALE',
      `this answers attempt ${attempt} of '${askId}', which was asked again (attempt ${current}). Answer that one.`,
      { ...options, details: { askId, attempt, current } },
    );
  }
}

/** What was given is no answer to this kind of question. */
export class AnswerInvalidError extends ParleyError {
  constructor(askId: string, problem: string, options?: ErrorOptions) {
    super('ANSWER_INVALID', `this is no answer to '${askId}': ${problem}`, {
      ...options,
      details: { askId, problem },
    });
  }
}
