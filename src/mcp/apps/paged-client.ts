import { type Operation, race } from 'effection';
import type { ClientCapabilities } from '../../core/tool/context.ts';
import { isForPages } from '../../panel/for-pages.ts';
import type { Ask, ElicitAsk } from '../../runtime/session/ask.ts';
import type { AskIo, Client } from '../../runtime/session/client.ts';
import type { PagedCall } from './paged-call.ts';

/** What a client with pages is made of. */
export interface PagedParts {
  /** Who answers where there is no page. */
  readonly rest: Client;
  callOf(io: AskIo): PagedCall;
  /** How long the host has to show a page, milliseconds. */
  patience(): number;
  /** There is no page, and no verb of the rest answers. Never returns. */
  stranded(ask: ElicitAsk): Operation<never>;
}

/**
 * A client that shows pages, as the client of one call. A question is asked on the call's page; while there is none, by whoever would
 * be asked without pages. The first answer counts.
 */
export function createPagedClient({ rest, callOf, patience, stranded }: PagedParts): Client {
  let call: PagedCall | undefined;
  const pick = (ask: Ask) => (rest.pick ? rest.pick(ask) : rest);
  const has = rest.capabilities();

  function* withoutPage(asked: PagedCall, ask: ElicitAsk, io: AskIo) {
    // A host that has shown no page for the first question is not waited for with the second.
    yield* asked.unseen(asked.missed ? 0 : patience());
    asked.missed = true;
    const other = rest.can(ask) ? pick(ask) : undefined;
    if (other?.elicit) return yield* other.elicit(ask, io);
    return yield* stranded(ask);
  }

  const page: Client = {
    name: `a page of ${rest.name}`,
    capabilities: () => ({ elicitation: { form: true } }),
    can: isForPages,
    // On a page a person is asked until the answer fits.
    maxAttempts: (ask) =>
      call?.guests.any ? Number.POSITIVE_INFINITY : (pick(ask)?.maxAttempts?.(ask) ?? 3),
    *elicit(ask, io) {
      call = callOf(io);
      return yield* race([call.answer(ask, io), withoutPage(call, ask, io)]);
    },
  };
  return withPage(rest, page, has);
}

/** Whoever answers, and a page that answers what is for pages. */
export function withPage(rest: Client, page: Client, has?: ClientCapabilities): Client {
  return {
    ...rest,
    capabilities: () => withPages(has ?? rest.capabilities()),
    can: (ask) => isForPages(ask) || rest.can(ask),
    pick: (ask) => (isForPages(ask) ? page : rest.pick ? rest.pick(ask) : rest),
  };
}

/** What a client can do with its pages. */
export function withPages(has: ClientCapabilities): ClientCapabilities {
  return { ...has, elicitation: { ...has.elicitation, form: true } };
}
