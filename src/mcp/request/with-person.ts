import { isForPages } from '../../panel/for-pages.ts';
import type { Client } from '../../runtime/session/client.ts';

/** Where a person is asked after a client that has answered by itself. */
export type PersonClient = Client & Required<Pick<Client, 'elicit'>>;

/**
 * A client whose person is asked on a page of ours where it answers by itself what only a person may answer.
 *
 * @param unasked questions that it has answered so before, by their ids
 */
export function withPerson(client: Client, page: PersonClient, unasked: ReadonlySet<string>): Client {
  return {
    ...client,
    pick(ask) {
      const who = client.pick ? client.pick(ask) : client;
      if (!who || !isForPages(ask) || !ask.person) return who;
      if (unasked.has(ask.id)) return page;
      const { elicit } = who;
      if (!elicit) return who;
      return {
        ...who,
        *elicit(asked, io) {
          const answer = yield* elicit(asked, io);
          return answer.answeredBy === 'client' ? yield* page.elicit(asked, io) : answer;
        },
      };
    },
  };
}
