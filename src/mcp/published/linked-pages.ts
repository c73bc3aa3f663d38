import type { Operation } from 'effection';
import type { GiveAnswer } from '../../calls/port.ts';
import type { ElicitAnswer } from '../../core/tool/ask.ts';
import { isForPages } from '../../panel/for-pages.ts';
import { type Ask, type ElicitAsk, pageIdOf } from '../../runtime/session/ask.ts';
import type { AskIo, Client } from '../../runtime/session/client.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { OwnPages } from '../apps/own-pages.ts';
import { onPages, whoAsks, withPage } from '../request/on-pages.ts';
import { decodeElicit } from '../wire/elicit.ts';
import type { PublishedPages } from './published-pages.ts';

/** Where a caller's questions are published. */
export interface Publisher {
  readonly published: PublishedPages;
  readonly pages: OwnPages;
  readonly principal: string;
}

/**
 * The pages for a client that opens links and has no forms: it is sent to one, which asks all that is asked then. In the earlier era that
 * is a verb of it; in the later one its request comes back with the link, and the next one says that the person has agreed to open it.
 */
export class LinkedPages {
  readonly #to: Publisher;
  readonly #rest: Client;
  /** Whoever answers, and the pages. */
  readonly client: Client;

  constructor(rest: Client, to: Publisher) {
    this.#to = to;
    this.#rest = rest;
    const page = onPages(rest.name, to.pages, (ask, io) => this.#send(ask, io));
    this.client = withPage(rest, {
      ...page,
      waiting: 'Waiting for your answer on the page',
      *elicit(ask, io) {
        const answer = yield* page.elicit(ask, io);
        const done = {
          type: 'page_completed',
          id: ask.id,
          elicitationId: pageIdOf(ask),
          at: 0,
          time: 0,
        } as const;
        if (answer) yield* rest.completed?.(done) ?? [];
        return answer;
      },
    });
  }

  /** Whoever looks at a page of the call, or is on the way to one, is asked there. Comes back only with a no: the page brings the answer. */
  *#send(ask: ElicitAsk, io: AskIo): Operation<ElicitAnswer<unknown> | undefined> {
    const { pages, published } = this.#to;
    for (;;) {
      yield* pages.callOf(io.session).unseen(() => published.comingTo(io.session, ask.id));
      const sent = this.asked(io.session, ask);
      const who = whoAsks(this.#rest, sent);
      const answer = sent.kind === 'elicit' ? yield* who?.elicit?.(sent, io) ?? [] : undefined;
      if (answer?.action !== 'accept') return answer;
      published.agreed(io.session, ask.id);
    }
  }

  /** A question as a link to open. */
  asked(session: Session, ask: Ask): Ask {
    if (!isForPages(ask)) return ask;
    const { published, principal } = this.#to;
    const { url, code } = published.linkFor(session, ask.id, principal, this.#rest.name);
    const message = `${ask.request.message}\n\nAnswer on the page. It shows the code ${code}.`;
    return { ...ask, request: { mode: 'url', message, url } };
  }

  /** The word of the client for a page: the answer itself comes from there, whatever stands beside the word that it will be opened. */
  give(plain: GiveAnswer): GiveAnswer {
    return (session, ask, wire, attempt, by) => {
      const isAgreed = isForPages(ask) && decodeElicit(wire).action === 'accept';
      if (isAgreed && this.#to.published.agreed(session, ask.id)) return undefined;
      return plain(session, ask, wire, attempt, by);
    };
  }
}
