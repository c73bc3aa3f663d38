/** What came of a question that was not answered. With `answeredBy`, the client refused by itself: no person saw the question. */
export type ElicitRefusal =
  | { readonly action: 'decline'; readonly answeredBy?: 'client' }
  | { readonly action: 'cancel'; readonly answeredBy?: 'client' };
