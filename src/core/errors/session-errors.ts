import { defineError } from './define-error.ts';

/** There is no such call, or it has ended and is forgotten. */
export const SessionNotFoundError = defineError(
  'SESSION_NOT_FOUND',
  'SessionNotFoundError',
  ({ callId }: { callId: string }) =>
    `the call '${callId}' was not found, or has ended. Start the tool again.`,
);

/** A call with this id is running already. */
export const SessionExistsError = defineError(
  'SESSION_EXISTS',
  'SessionExistsError',
  ({ callId }: { callId: string }) =>
    `the call '${callId}' is already running. Use another id, or wait for it to end.`,
);

/** There are as many calls as there may be, or they hold as much, and none can give way. */
export const SessionLimitError = defineError('SESSION_LIMIT', 'SessionLimitError');

/** The call has no question of this id. */
export const AskNotFoundError = defineError(
  'ASK_NOT_FOUND',
  'AskNotFoundError',
  ({ askId, callId }: { askId: string; callId: string }) =>
    `the call '${callId}' has no question '${askId}'. Read its open questions and answer one of those.`,
);

/** The question has been answered, or withdrawn. */
export const AskClosedError = defineError(
  'ASK_CLOSED',
  'AskClosedError',
  ({ askId }: { askId: string }) =>
    `the question '${askId}' is closed: it was answered or withdrawn. Nothing is left to do.`,
);

/** Another client is answering. */
export const AskClaimedError = defineError(
  'ASK_CLAIMED',
  'AskClaimedError',
  ({ askId }: { askId: string }) => `another client is answering '${askId}' already.`,
);

/** The answer is to an earlier attempt of a question that was asked again. */
export const AnswerStaleError = defineError(
  'ANSWER_STALE',
  'AnswerStaleError',
  ({ askId, attempt, current }: { askId: string; attempt: number; current: number }) =>
    `this answer is for attempt ${attempt} of '${askId}', which was asked again (attempt ${current}). Answer that attempt.`,
);

/** What was given is no answer to this kind of question. `key`: what the author calls it. */
export const AnswerInvalidError = defineError(
  'ANSWER_INVALID',
  'AnswerInvalidError',
  ({ askId, problem, key }: { askId: string; problem: string; key?: string | undefined }) => ({
    message: `this is not a valid answer to ${key === undefined ? `'${askId}'` : `'${key}' (${askId})`}: ${problem}`,
    details: { askId, problem },
  }),
);
