/**
 * Whose an answer is, as far as that is known: a person's; that of a client which answered by itself, so that nobody saw the question; or
 * of a client that does not say. A mark, and no proof.
 */
export type AnsweredBy = 'person' | 'client' | 'unknown';

/** What came of a question that was not answered. By `client`, nobody was asked. */
export type ElicitRefusal =
  | { readonly action: 'decline'; readonly answeredBy: AnsweredBy }
  | { readonly action: 'cancel'; readonly answeredBy: AnsweredBy };

/** A word back that is no answer, to a question that takes some: the tool asks anew, or does something else. */
export interface ElicitReply {
  readonly action: 'reply';
  readonly text: string;
  readonly answeredBy: AnsweredBy;
}
