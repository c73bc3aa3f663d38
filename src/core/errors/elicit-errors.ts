import type { AnsweredBy } from '../tool/elicit-refusal.ts';
import { defineError } from './define-error.ts';

/** Where MCP specifies elicitation and its modes. */
export const ELICITATION_SPECIFICATION =
  'https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation';

/** The user declined a question that `elicit.strict` asked, or that `elicit.withRetry` gave up on. */
export const ElicitationDeclinedError = defineError(
  'ELICITATION_DECLINED',
  'ElicitationDeclinedError',
  ({ key, answeredBy }: { key: string; answeredBy?: AnsweredBy }) =>
    answeredBy === 'client'
      ? nobodyAsked(key)
      : `the user declined to answer '${key}'. Do not ask the same again: continue without the answer, or explain why you need it.`,
);

/** The user closed a question that `elicit.strict` asked without answering it. */
export const ElicitationCancelledError = defineError(
  'ELICITATION_CANCELLED',
  'ElicitationCancelledError',
  ({ key, answeredBy }: { key: string; answeredBy?: AnsweredBy }) =>
    answeredBy === 'client'
      ? nobodyAsked(key)
      : `the user closed the question '${key}' without an answer. Ask the user whether to start again.`,
);

/** Every answer that a client gave was invalid. */
export const ElicitationInvalidError = defineError(
  'ELICITATION_INVALID',
  'ElicitationInvalidError',
  ({ key, attempts, problem }: { key: string; attempts: number; problem: string }) =>
    `the answer to '${key}' was not valid, ${times(attempts)}. The last problem: ${problem}`,
);

/** The client answered the question with an error of its protocol, so nobody was asked. */
export const ElicitationFailedError = defineError(
  'ELICITATION_FAILED',
  'ElicitationFailedError',
  ({ client, problem }: { client: string; problem: string }) =>
    `${client} could not ask the user: ${problem}. Continue without the answer, or ask again later.`,
);

/** A second question was asked while one is open. That one lives on. */
export const ElicitationPendingError = defineError(
  'ELICITATION_PENDING',
  'ElicitationPendingError',
  ({ key, pendingKey }: { key: string; pendingKey: string }) =>
    `'${key}' cannot be asked while '${pendingKey}' of the same call is open: a call asks one question at a time. Wait for that answer first, or put both into one form.`,
);

/** A branch tried to ask the user. */
export const ElicitationInBranchError = defineError(
  'ELICITATION_IN_BRANCH',
  'ElicitationInBranchError',
  ({ key, depth }: { key: string; depth: number }) =>
    `'${key}' cannot be asked in a branch (depth ${depth}): branches run side by side, and a person is asked one question at a time, by the call. Return from the branch and ask there.`,
);

/** A question asked for a mode that there is not. */
export const ElicitationModeError = defineError(
  'ELICITATION_MODE',
  'ElicitationModeError',
  ({ mode }: { mode: unknown }) => ({
    message: `there is no elicitation mode '${String(mode)}': ask with a form ('form'), or send the user to a page ('url'). See ${ELICITATION_SPECIFICATION}`,
    details: { mode: String(mode), specification: ELICITATION_SPECIFICATION },
  }),
);

/** `elicit` was called with something that is no question: an unknown key, a context that does not fit, a bad option. */
export const ElicitationOptionsError = defineError(
  'ELICITATION_OPTIONS',
  'ElicitationOptionsError',
  ({ key, problem }: { key: string; problem: string }) => `'${key}' cannot be asked: ${problem}`,
);

/** A page that a person has to open first. */
export interface RequiredPage {
  /** What the person should do there. */
  readonly message: string;
  readonly url: string;
  readonly elicitationId: string;
}

/**
 * The call cannot go on before the person has been to these pages, and it does not wait for them: they open the pages, and
 * call again. Clients of 2025-11-25 that can open pages get MCP's error -32042; everybody else reads the addresses.
 *
 * @example
 * throw new UrlElicitationRequiredError({ elicitations: [{ message: 'Log in to Travel.', url, elicitationId }] });
 */
export const UrlElicitationRequiredError = defineError(
  'URL_ELICITATION_REQUIRED',
  'UrlElicitationRequiredError',
  ({ elicitations }: { elicitations: readonly RequiredPage[] }) => ({
    message: `the user must open a page first. After that, make the call again:${elicitations.map(({ message, url }) => `\n- ${message} ${url}`).join('')}`,
    details: { elicitations: elicitations.map((page) => ({ ...page })) },
  }),
);

function nobodyAsked(key: string): string {
  return `nobody was asked '${key}': the client answered by itself, and no person saw the question. Continue without the answer, or say what you need to know.`;
}

function times(attempts: number): string {
  return attempts === 1 ? 'and it is not asked again' : `${attempts} times in a row`;
}
