import { isForPages } from '../../panel/for-pages.ts';
import type { ElicitAsk } from '../../runtime/session/ask.ts';
import { MAX_ATTEMPTS } from '../../runtime/session/attempts.ts';
import type { Client } from '../../runtime/session/client.ts';

/** Where a person is asked after a client that has answered by itself. */
export type PersonClient = Client & Required<Pick<Client, 'elicit'>>;

/** Whether a question has a field that only our own form has. */
function takesFiles({ request }: ElicitAsk): boolean {
  return (
    request.mode !== 'url' &&
    Object.values(request.requestedSchema.properties).some((field) => 'attachment' in field)
  );
}

/**
 * A client whose person is asked on a page of ours where it answers by itself what only a person may answer, for files, and for the last time
 * that a question may be answered wrongly: the page asks until the answer fits.
 *
 * @param unasked questions that it has answered so before, by their ids
 */
export function withPerson(client: Client, page: PersonClient, unasked: ReadonlySet<string>): Client {
  return {
    ...client,
    pick(ask) {
      const who = client.pick ? client.pick(ask) : client;
      if (!who || !isForPages(ask)) return who;
      if (takesFiles(ask) || unasked.has(ask.id) || ask.attempt >= MAX_ATTEMPTS) return page;
      if (!ask.person) return who;
      const { elicit } = who;
      if (!elicit) return who;
      return {
        ...who,
        *elicit(asked, io) {
          const answer = yield* elicit(asked, io);
          return answer?.answeredBy === 'client' ? yield* page.elicit(asked, io) : answer;
        },
      };
    },
  };
}
