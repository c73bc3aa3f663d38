import { type Operation, race, sleep, suspend, type WithResolvers, withResolvers } from 'effection';
import type { GiveAnswer } from '../../calls/port.ts';
import type { ClientCapabilities } from '../../core/tool/context.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import { isForPages } from '../../panel/for-pages.ts';
import type { Ask, ElicitAsk } from '../../runtime/session/ask.ts';
import { modesOf } from '../../runtime/session/capabilities.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { Session } from '../../runtime/session/session.ts';
import { betweenLegs } from '../apps/between-legs.ts';
import type { OwnPages } from '../apps/own-pages.ts';
import { withPages } from '../apps/paged-client.ts';
import type { CallPages, PagedLeg } from '../apps/paged-request.ts';
import type { Caller } from '../caller.ts';
import type { ServerParts } from '../host.ts';
import { chooseSurfaces } from '../request/choose-surfaces.ts';
import { decodeElicit } from '../wire/elicit.ts';
import { asPage, LOOK, withForms } from './published-client.ts';
import type { PublishedPages } from './published-pages.ts';

/**
 * One request of a client of the later era that opens pages and has no forms. It comes back with the link to a page, and the client
 * calls again when the person has agreed to open it: that request stays open while the page asks what is asked. Between the two the page
 * answers as well.
 */
export class PublishedRequest implements CallPages {
  readonly #host: ServerParts;
  readonly #pages: OwnPages;
  readonly #published: PublishedPages;
  readonly #principal: string;
  readonly #tasks: boolean;
  readonly #stranded: WithResolvers<void> = withResolvers<void>();
  #caller: string | undefined;

  private constructor(
    host: ServerParts,
    pages: OwnPages,
    published: PublishedPages,
    { principal, tasks }: { readonly principal: string; readonly tasks: boolean },
  ) {
    this.#host = host;
    this.#pages = pages;
    this.#published = published;
    this.#principal = principal;
    this.#tasks = tasks;
  }

  /**
   * Nothing where no page may be published.
   *
   * @param tasks whether the client has tasks
   */
  static for(
    host: ServerParts,
    { published, name: principal }: Caller,
    tasks: boolean,
  ): PublishedRequest | undefined {
    if (!published?.origin() || !host.appPages) return undefined;
    const parts = { principal, tasks: tasks && host.tasks !== undefined };
    return new PublishedRequest(host, host.appPages, published, parts);
  }

  /** What a client can do that is sent to pages. */
  adds(has: ClientCapabilities, tool: AnyTool): ClientCapabilities {
    return needsPages(has) && !this.#isTask(tool) ? withPages(has) : has;
  }

  /** Whoever answers this request's call of a tool, and pages where they have no forms. */
  over(rest: Client, tool: AnyTool): Client {
    if (!needsPages(rest.capabilities()) || this.#isTask(tool)) return rest;
    this.#caller = rest.name;
    const { pick } = withForms(rest);
    const noPage = (ask: ElicitAsk, session: Session) => this.#noPage(ask, session);
    const pages = this.#pages;
    const page: Client = {
      name: `a page for ${rest.name}`,
      capabilities: () => ({ elicitation: { form: true } }),
      can: isForPages,
      maxAttempts: () => Number.POSITIVE_INFINITY,
      *elicit(ask, io) {
        return yield* race([pages.callOf(io.session).answer(ask, io), noPage(ask, io.session)]);
      },
    };
    return { ...withForms(rest), pick: (ask) => (isForPages(ask) ? page : pick?.(ask)) };
  }

  /**
   * Whether a call of a tool stays in this process, where its pages are. What is durable and says of no question that it asks it is kept
   * as ever.
   */
  stays(tool: AnyTool): boolean {
    return this.#caller !== undefined && (declaresQuestions(tool) || !tool.def.durable);
  }

  /** Whether its calls go on without a request, which pages cannot: those of tools that may ask do so only where they have to. */
  #isTask(tool: AnyTool): boolean {
    const { task } = tool.def;
    return this.#tasks && task !== undefined && (task.required || !declaresQuestions(tool));
  }

  /** Who answers what its request brings. */
  client(rest: Client): Client {
    return this.#caller === undefined ? rest : withForms(rest);
  }

  /** The word of the client for a page: the answer itself comes from there, whatever stands beside the word that it will be opened. */
  give(plain: GiveAnswer): GiveAnswer {
    return (session, ask, wire, attempt, by) => {
      const link = this.#published.linksOf(session).get(ask.id);
      const isAgreed = link && isForPages(ask) && decodeElicit(wire).action === 'accept';
      if (!isAgreed) return plain(session, ask, wire, attempt, by);
      link.agreed = true;
      return undefined;
    };
  }

  /** A question as a page to open. */
  asked(session: Session, ask: Ask): Ask {
    const caller = this.#caller;
    if (caller === undefined || !isForPages(ask)) return ask;
    const links = this.#published.linksOf(session);
    const known = links.get(ask.id)?.page;
    const page =
      known && this.#published.find(known.id) === known && !known.browser
        ? known
        : this.#published.publish(session, this.#principal, caller);
    if (!page) throw new Error('this server has no address any more at which a page could be opened');
    links.set(ask.id, { page, agreed: false });
    return asPage(ask, page);
  }

  /** The pages of the request's call while it attends to it; nothing for one whose client asks itself. */
  leg(session: Session): PagedLeg | undefined {
    if (this.#caller === undefined) return undefined;
    const paged = this.#pages.callOf(session);
    paged.legBegins();
    return {
      stranded: this.#stranded.operation,
      rest: withForms,
      waits: ({ client }) => {
        this.#host
          .run(betweenLegs(session, paged, client))
          .catch((cause: unknown) => this.#host.report('a page failed between two requests', cause));
      },
      over() {},
    };
  }

  /** Nobody looks at a page of the call, and nobody is on the way to one: the person has to be sent. */
  *#noPage({ id }: ElicitAsk, session: Session): Operation<never> {
    const published = this.#published;
    const { guests, unseen } = this.#pages.callOf(session);
    const link = published.linksOf(session).get(id);
    const isComing = () => link?.agreed === true && published.find(link.page.id) === link.page;
    while (guests.any || isComing()) {
      if (!guests.any) yield* race([guests.joined(), sleep(LOOK)]);
      else {
        // Who closes the page again is sent anew.
        if (link) link.agreed = false;
        yield* race([unseen(0), sleep(LOOK)]);
      }
      published.sweep();
    }
    this.#stranded.resolve();
    return (yield* suspend()) as never;
  }
}

/** Whether forms are asked on pages that the client opens. */
function needsPages(has: ClientCapabilities): boolean {
  return chooseSurfaces(undefined, has, { links: true })[0] === 'link';
}

function declaresQuestions({ def }: AnyTool): boolean {
  return Object.keys(def.elicits).length > 0 || modesOf(def.requires.elicitation).form === true;
}
