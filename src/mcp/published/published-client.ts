import { type Operation, race, sleep, suspend } from 'effection';
import type { ElicitAnswer } from '../../core/tool/ask.ts';
import { isForPages } from '../../panel/for-pages.ts';
import { type Ask, type ElicitAsk, pageIdOf } from '../../runtime/session/ask.ts';
import type { AskIo, Client } from '../../runtime/session/client.ts';
import type { OwnPages } from '../apps/own-pages.ts';
import { withPage } from '../apps/paged-client.ts';
import type { PublishedPage, PublishedPages } from './published-pages.ts';

/** Where a caller's questions are published. */
export interface Publisher {
  readonly published: PublishedPages;
  readonly pages: OwnPages;
  readonly principal: string;
}

/** Between two looks whether a page is still there, milliseconds: nothing tells of a tab that was closed. */
export const LOOK = 5_000;

/** A client that can open pages and has no forms, as one that has both: forms are on pages of ours, to which it sends the person. */
export function publishedClient(wire: Client, { published, pages, principal }: Publisher): Client {
  const pick = (ask: Ask) => (wire.pick ? wire.pick(ask) : wire);

  /** Sends the person to a page. Comes back only with a no: the page itself brings the answer. */
  function* send(
    ask: ElicitAsk,
    io: AskIo,
    opened: (page: PublishedPage) => void,
  ): Operation<ElicitAnswer<unknown>> {
    // Whoever has a page of this call open is asked there.
    const call = pages.callOf(io.session);
    for (published.sweep(); call.guests.any; published.sweep()) yield* race([call.unseen(0), sleep(LOOK)]);
    const page = published.publish(io.session, principal, wire.name);
    const other = page && pick(asPage(ask, page));
    if (!page || !other?.elicit) return { action: 'cancel' };
    try {
      opened(page);
      const answer = yield* other.elicit(asPage(ask, page), io);
      return answer.action === 'accept' ? yield* forever() : answer;
    } finally {
      published.close(page);
    }
  }

  const asked: Client = {
    name: `a page for ${wire.name}`,
    waiting: 'Waiting for your answer on the page',
    capabilities: () => ({ elicitation: { form: true } }),
    can: isForPages,
    maxAttempts: () => Number.POSITIVE_INFINITY,
    *elicit(ask, io) {
      let sent: PublishedPage | undefined;
      const answer = yield* race([
        pages.callOf(io.session).answer(ask, io),
        send(ask, io, (page) => {
          sent = page;
        }),
      ]);
      if (sent) yield* completed(wire, ask, sent);
      return answer;
    },
  };
  return withPage(wire, asked);
}

/** The page answers, and halts this. */
function forever(): Operation<never> {
  return suspend() as Operation<never>;
}

function* completed(wire: Client, ask: ElicitAsk, page: PublishedPage): Operation<void> {
  const elicitationId = pageIdOf(asPage(ask, page));
  const event = { type: 'page_completed', id: ask.id, elicitationId, at: 0, time: 0 } as const;
  if (wire.completed) yield* wire.completed(event);
}

/** The question as a page to open. */
export function asPage(ask: ElicitAsk, { url, code }: PublishedPage): ElicitAsk {
  const message = `${ask.request.message}\n\nAnswer on the page. It shows the code ${code}.`;
  return { ...ask, request: { mode: 'url', message, url } };
}

/** A client that can be asked forms, on a page that it opens: it has no verb for them. */
export function withForms(rest: Client): Client {
  const sent: Client = { name: rest.name, capabilities: rest.capabilities, can: isForPages };
  return withPage(rest, sent);
}
