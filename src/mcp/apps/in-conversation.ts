import { type Operation, suspend, withResolvers } from 'effection';
import type { Client } from '../../runtime/session/client.ts';
import { onPages, whoAsks, withPage } from '../request/on-pages.ts';
import type { OwnPages } from './own-pages.ts';
import type { PagedCall } from './paged-call.ts';

/** A client that shows pages in its conversation, for one request. */
export interface InConversation {
  readonly client: Client;
  /** Ends when a question has no page, and nobody else can be asked. */
  readonly stranded: Operation<void>;
}

/** Whoever would be asked without pages, over whom a question is asked on a page that their host shows in the conversation. */
export function inConversation(rest: Client, pages: OwnPages, clientInfo: unknown): InConversation {
  const { operation: stranded, resolve } = withResolvers<void>('a question has no page');
  let call: PagedCall | undefined;
  const page = onPages(rest.name, pages, function* (ask, io) {
    const asked = pages.callOf(io.session);
    call = asked;
    const asksItself = rest.capabilities().elicitation?.form === true;
    const patience = asksItself ? pages.patience : pages.patienceWith(clientInfo);
    // A host that has shown no page for the first question is not waited for with the second.
    yield* asked.unseen(() => (asked.missed ? 0 : patience));
    asked.missed = true;
    const other = rest.can(ask) ? whoAsks(rest, ask) : undefined;
    if (other) return yield* other.elicit?.(ask, io) ?? [];
    resolve();
    return yield* suspend() as Operation<never>;
  });
  const maxAttempts: Client['maxAttempts'] = (ask) =>
    call?.guests.any ? Number.POSITIVE_INFINITY : (whoAsks(rest, ask)?.maxAttempts?.(ask) ?? 3);
  return { client: withPage(rest, { ...page, maxAttempts }), stranded };
}
