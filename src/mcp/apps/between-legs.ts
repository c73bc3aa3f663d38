import { type Operation, race } from 'effection';
import { isForPages } from '../../panel/for-pages.ts';
import { drive } from '../../runtime/drive/drive.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { PagedCall } from './paged-call.ts';

/**
 * A call of the later era while its client has its questions, and no request is open: whoever looks at a page of it may answer there
 * as well, and the first answer counts. Ends with the next leg. While nobody looks, nothing holds the call.
 */
export function betweenLegs(session: Session, paged: PagedCall, rest: Client): () => Operation<void> {
  const nextLeg = paged.nextLeg();
  const { name, capabilities, can } = rest;
  // It has no verb for the rest, and tells its client nothing.
  const elsewhere: Client = { name, capabilities, can };
  const page: Client = {
    ...elsewhere,
    name: `a page of ${name}`,
    maxAttempts: () => Number.POSITIVE_INFINITY,
    elicit: paged.answer,
  };
  const client: Client = { ...page, pick: (ask) => (isForPages(ask) ? page : elsewhere) };

  function* whileLookedAt(): Operation<void> {
    while (!session.ended()) {
      if (!paged.guests.any) yield* paged.guests.joined();
      yield* race([drive(session, client, 'end'), paged.unseen(0)]);
    }
  }
  return () => race([nextLeg, ended(session), whileLookedAt()]);
}

function* ended(session: Session): Operation<void> {
  let at = session.events().at(-1)?.at ?? 0;
  while (!session.ended()) at = (yield* session.nextEvent(at)).at;
}
