/** What came of a question that was not answered. With `answeredBy`, the client refused by itself: no person saw the question. */
export type ElicitRefusal =
  | { readonly action: 'decline'; readonly answeredBy?: 'client' }
  | { readonly action: 'cancel'; readonly answeredBy?: 'client' };

/** A word back that is no answer, to a question that takes some: the tool asks anew, or does something else. */
export interface ElicitReply {
  readonly action: 'reply';
  readonly text: string;
}
