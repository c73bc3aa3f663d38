import { type Operation, race, suspend } from 'effection';
import type { ElicitAnswer } from '../../core/tool/ask.ts';
import type { ClientCapabilities } from '../../core/tool/context.ts';
import { isForPages } from '../../panel/for-pages.ts';
import type { Ask, ElicitAsk } from '../../runtime/session/ask.ts';
import type { AskIo, Client } from '../../runtime/session/client.ts';
import type { OwnPages } from '../apps/own-pages.ts';
import type { PersonClient } from './with-person.ts';

/**
 * Brings the person to a page of a call, or asks them elsewhere where none comes up. Ends with what they say there, or with nothing: then
 * the question is for whoever brings the answer.
 */
export type Bring = (ask: ElicitAsk, io: AskIo) => Operation<ElicitAnswer<unknown> | undefined>;

/**
 * Asks on the pages of a call, wherever these are: in the conversation of its client, behind a link, or in the browser that this process
 * opens. What tells these surfaces apart is how the person is brought there. The first answer counts.
 *
 * @param wire for people
 */
export function onPages(wire: string, pages: Pick<OwnPages, 'callOf'>, bring: Bring = nowhere): PersonClient {
  return {
    name: `a page for ${wire}`,
    capabilities: () => withPages({}),
    can: isForPages,
    // On a page a person is asked until the answer fits.
    maxAttempts: () => Number.POSITIVE_INFINITY,
    *elicit(ask, io) {
      return yield* race([pages.callOf(io.session).answer(ask, io), bring(ask, io)]);
    },
  };
}

/** Whoever answers, and a page that answers what is for pages. */
export function withPage(rest: Client, page: Client): Client {
  return {
    ...rest,
    capabilities: () => withPages(rest.capabilities()),
    can: (ask) => isForPages(ask) || rest.can(ask),
    pick: (ask) => (isForPages(ask) ? page : whoAsks(rest, ask)),
  };
}

/** A client that can be asked forms, and takes them elsewhere: it opens a page for them. */
export function withForms(rest: Client): Client {
  return withPage(rest, { name: rest.name, capabilities: rest.capabilities, can: isForPages });
}

/** What a client can do with its pages. */
export function withPages(has: ClientCapabilities): ClientCapabilities {
  return { ...has, elicitation: { ...has.elicitation, form: true } };
}

/** Who of a client answers an ask. */
export function whoAsks(client: Client, ask: Ask): Client | undefined {
  return client.pick ? client.pick(ask) : client;
}

/** Only who comes by themselves is asked. */
function nowhere(): Operation<never> {
  return suspend() as Operation<never>;
}
